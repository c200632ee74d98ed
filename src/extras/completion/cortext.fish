# Completion of cortext for fish: cortext completion fish > ~/.config/fish/completions/cortext.fish
function __cortext_complete
    set -l typed (commandline -opc) (commandline -ct)
    set -l found (command cortext __complete fish $typed[2..-1] 2>/dev/null)
    if test "$found[1]" = ":files"
        __fish_complete_path (commandline -ct)
    else if set -q found[1]
        printf '%s\n' $found
    end
end
complete -c cortext -f -a '(__cortext_complete)'
