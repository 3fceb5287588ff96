# fish completion for tacit, printed by: tacit completion fish

function __tacit_complete
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

complete -c tacit -f -a '(__tacit_complete)'
