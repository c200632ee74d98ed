# Completion of cortext for bash: eval "$(cortext completion bash)" in ~/.bashrc
_cortext() {
  local word about line IFS=$'\n'
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
      return
    fi
    word=${line%%$'\t'*}
    # Bash inserts a word in other cases, so it gets descriptions only for a list.
    if [[ $COMP_TYPE == 63 && $line == *$'\t'* ]]; then
      COMPREPLY+=("$word  (${line#*$'\t'})")
    else
      COMPREPLY+=("$word")
    fi
  done < <(command cortext __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nosort -F _cortext cortext 2>/dev/null || complete -F _cortext cortext
