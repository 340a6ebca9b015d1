# Completion of rfpragma in fish. The command itself knows what may follow; this asks it.
function __rfpragma_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l answers ($words[1] completion words -- $words[2..-1] "$current" 2>/dev/null)
    set -l flag (string match -r '^-[^=]*=' -- "$current")
    set -l path (string replace -r '^-[^=]*=' '' -- "$current")
    switch "$answers[1]"
        case files
            string replace -r '^' "$flag" -- (__fish_complete_path "$path")
        case folders
            string replace -r '^' "$flag" -- (__fish_complete_directories "$path")
        case '*'
            printf '%s\n' $answers[2..-1]
    end
end
complete -c rfpragma -f -a '(__rfpragma_complete)'
