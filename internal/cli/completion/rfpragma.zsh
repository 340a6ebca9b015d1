#compdef rfpragma
# Completion of rfpragma in zsh. The command itself knows what may follow; this asks it.
_rfpragma() {
    local -a answers texts shown
    local answer kind
    answers=("${(@f)$("${words[1]}" completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    kind=${answers[1]}
    for answer in "${(@)answers[2,-1]}"; do
        texts+=("${answer%%$'\t'*}")
        if [[ $answer == *$'\t'* ]]; then
            shown+=("${answer%%$'\t'*}  ${answer#*$'\t'}")
        else
            shown+=("$answer")
        fi
    done
    [[ $kind == f* && ${words[CURRENT]} == -*=* ]] && compset -P '*='
    case $kind in
    files) _files ;;
    folders) _files -/ ;;
    stems) compadd -S '' -d shown -- "${(@)texts}" ;;
    *) compadd -l -d shown -- "${(@)texts}" ;;
    esac
}
if [[ ${funcstack[1]} == _rfpragma ]]; then
    _rfpragma "$@"
else
    compdef _rfpragma rfpragma
fi
