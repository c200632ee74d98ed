#compdef cortext
# Completion of cortext for zsh: eval "$(cortext completion zsh)" in ~/.zshrc, below compinit
_cortext() {
  local line
  local -a names shown
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      _files
      return
    fi
    names+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  -- }")
  done < <(command cortext __complete zsh "${(@)words[2,CURRENT]}" 2>/dev/null)
  (( ${#names} )) && compadd -l -V cortext -d shown -a names
}
if [[ ${funcstack[1]-} == _cortext ]]; then
  _cortext "$@"
else
  compdef _cortext cortext
fi
