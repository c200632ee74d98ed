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
    # Only a list (63) gets descriptions: in other cases bash inserts what it gets.
    if [[ $COMP_TYPE == 63 && $line == *$'\t'* ]]; then
      COMPREPLY+=("$word  (${line#*$'\t'})")
    else
      COMPREPLY+=("$word")
    fi
  done < <(command cortext __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o nosort -F _cortext cortext 2>/dev/null || complete -F _cortext cortext
