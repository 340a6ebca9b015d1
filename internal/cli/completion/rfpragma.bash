# Completion of rfpragma in bash. The command itself knows what may follow; this asks it.
_rfpragma() {
    local line=${COMP_LINE:0:COMP_POINT} at=0 words=() word rest blanks i
    # bash parts words at = and :; those without a blank between them belong together.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        rest=${line:at}
        blanks=${rest%%[![:space:]]*}
        word=${COMP_WORDS[i]:0:${#rest}-${#blanks}}
        if ((i > 0)) && [[ -z $blanks ]]; then
            words[${#words[@]}-1]+=$word
        else
            words+=("$word")
        fi
        at=$((at + ${#blanks} + ${#word}))
    done
    local current=${words[${#words[@]}-1]} done_part=
    if [[ $current == *[=:]* ]]; then
        done_part=${current%"${current##*[=:]}"} # what bash has parted off, and keeps
    fi

    local kind= answer
    COMPREPLY=()
    while IFS= read -r answer; do
        if [[ -z $kind ]]; then
            kind=$answer
            continue
        fi
        answer=${answer%%$'\t'*}
        answer=${answer#"$done_part"}
        [[ $answer == *[^[:alnum:]_.,:=@%+/-]* ]] && printf -v answer %q "$answer"
        COMPREPLY+=("$answer")
    done < <("${words[0]}" completion words -- "${words[@]:1}" 2>/dev/null)
    case $kind in
    files)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "${current#"$done_part"}")
        ;;
    folders)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "${current#"$done_part"}")
        ;;
    stems) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -F _rfpragma rfpragma
