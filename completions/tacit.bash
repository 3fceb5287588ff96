# bash completion for tacit, printed by: tacit completion bash

_tacit() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :file) compopt -o default ;;
        :folder) compopt -o dirnames ;;
        *) COMPREPLY+=("$line") ;;
        esac
    done < <("${1/#\~/$HOME}" __complete bash -- "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null)
}

complete -F _tacit tacit
