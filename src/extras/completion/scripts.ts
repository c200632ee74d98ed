/**
 * The scripts of `cortext completion`. Each asks `cortext __complete` for the words that may come next. A title of a
 * conversation is only ever shown: it is never a part of a word, and no shell evaluates what it is given here.
 */
export const SCRIPTS = {
  bash: `# Completion of cortext for bash: eval "$(cortext completion bash)" in ~/.bashrc
_cortext() {
  local word about line IFS=$'\\n'
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
      return
    fi
    word=\${line%%$'\\t'*}
    # Descriptions only where bash lists the words and inserts none of them.
    if [[ $COMP_TYPE == 63 && $line == *$'\\t'* ]]; then
      COMPREPLY+=("$word  (\${line#*$'\\t'})")
    else
      COMPREPLY+=("$word")
    fi
  done < <(command cortext __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nosort -F _cortext cortext 2>/dev/null || complete -F _cortext cortext
`,
  zsh: `#compdef cortext
# Completion of cortext for zsh: eval "$(cortext completion zsh)" in ~/.zshrc, below compinit
_cortext() {
  local line
  local -a names shown
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    names+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done < <(command cortext __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)
  (( \${#names} )) && compadd -l -V cortext -d shown -a names
}
if [[ \${funcstack[1]-} == _cortext ]]; then
  _cortext "$@"
else
  compdef _cortext cortext
fi
`,
  fish: `# Completion of cortext for fish: cortext completion fish > ~/.config/fish/completions/cortext.fish
function __cortext_complete
    set -l typed (commandline -opc) (commandline -ct)
    set -l found (command cortext __complete fish $typed[2..-1] 2>/dev/null)
    if test "$found[1]" = ":files"
        __fish_complete_path (commandline -ct)
    else if set -q found[1]
        printf '%s\\n' $found
    end
end
complete -c cortext -f -a '(__cortext_complete)'
`,
} as const
