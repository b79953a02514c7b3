# scrollback: completions for bash. Load with: source <(scrollback completions bash)
_scrollback() {
    local current=$2 typed=${COMP_WORDS[COMP_CWORD]} before= quote= joined=0 piece line value i
    local -a words=()
    # Bash cuts words at = and :, the program does not.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        ((i == COMP_CWORD)) && [[ $piece != [=:]* ]] && piece=$current
        if ((i > 1)) && { ((joined)) || [[ $piece == [=:]* ]]; }; then
            ((i == COMP_CWORD)) && [[ $piece != [=:]* ]] && before=${words[${#words[@]} - 1]}
            words[${#words[@]} - 1]+=$piece
            ((i == COMP_CWORD)) && [[ $piece == [=:]* ]] && before=${words[${#words[@]} - 1]}
        else
            words+=("$piece")
        fi
        [[ $piece == [=:]* ]] && joined=1 || joined=0
    done
    case $typed in
    \"* | \'*) quote=${typed:0:1} ;;
    esac
    COMPREPLY=()
    while IFS= read -r line; do
        value=${line%%$'\t'*}
        value=${value#"$before"}
        case $quote in
        # A home directory that is quoted is none.
        '') [[ $value == '~/'* ]] && printf -v value '~/%q' "${value:2}" || printf -v value %q "$value" ;;
        # Within quotes bash takes a word as it is: what would not be taken literally is left out.
        \") [[ $value == *[\"\$\`\\!]* ]] && continue ;;
        \') [[ $value == *\'* ]] && continue ;;
        esac
        COMPREPLY+=("$value")
    done < <(command scrollback complete -- "${words[@]}" 2>/dev/null)
    # A path goes on after its slash.
    if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == */ ]]; then
        compopt -o nospace 2>/dev/null
    fi
}
complete -o nosort -F _scrollback scrollback 2>/dev/null || complete -F _scrollback scrollback
