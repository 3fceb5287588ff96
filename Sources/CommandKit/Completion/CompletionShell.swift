/// A shell with completion support.
public enum CompletionShell: String, CaseIterable, Sendable {
    /// The supported shells.
    case bash, zsh, fish
}

extension CommandTree {
    /// Returns the script that installs the completion of this program in a shell.
    ///
    /// The script contains no commands. It passes the words to `__complete`, whose output has a line for each
    /// candidate, or `:file` or `:folder` for the shell's own completion.
    public func completionScript(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: CompletionScript.bash(program)
        case .zsh: CompletionScript.zsh(program)
        case .fish: CompletionScript.fish(program)
        }
    }
}

private enum CompletionScript {
    static func bash(_ program: String) -> String {
        #"""
        # bash completion for \#(program), printed by: \#(program) completion bash

        _\#(program)() {
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

        complete -F _\#(program) \#(program)

        """#
    }

    static func zsh(_ program: String) -> String {
        #"""
        #compdef \#(program)
        # zsh completion for \#(program), printed by: \#(program) completion zsh

        _\#(program)() {
            local line
            local -a before candidates
            (( CURRENT > 2 )) && before=("${(@Q)words[2,CURRENT-1]}")
            for line in "${(@f)$(${(Q)~words[1]} __complete zsh -- "${before[@]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
                case $line in
                :file) compset -P '--*='; _files; return ;;
                :folder) compset -P '--*='; _files -/; return ;;
                ?*) candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
                esac
            done
            _describe -t values \#(program) candidates
        }

        if [[ $funcstack[1] == _\#(program) ]]; then
            _\#(program) "$@"
        else
            compdef _\#(program) \#(program)
        fi

        """#
    }

    static func fish(_ program: String) -> String {
        #"""
        # fish completion for \#(program), printed by: \#(program) completion fish

        function __\#(program)_complete
            set -l words (commandline -opc)
            # An open quote is no part of the word, nor are backslashes.
            set -l word (commandline -ct | string replace -r '^(--[^=]*=)?[\'"]' '$1' | string unescape)
            set -l attached (string match -r '^--[^=]*=' -- $word)
            for line in (command $words[1] __complete fish -- $words[2..] "$word" 2>/dev/null)
                switch $line
                    case :file :folder
                        # The shell knows ~ and the like.
                        set -l paths (complete -C "'' "(commandline -ct | string replace -- "$attached" ''))
                        test $line = :folder; and set paths (string match -- '*/' $paths)
                        test (count $paths) -gt 0; and printf "$attached%s\n" $paths
                    case '*'
                        echo $line
                end
            end
        end

        complete -c \#(program) -f -a '(__\#(program)_complete)'

        """#
    }
}
