# Completions of notes for bash. Add to ~/.bashrc: source <(notes completions bash)
_notes() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} title index
  # The words before the cursor without options: the command and its arguments.
  local -a given=() folder=()
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    case ${COMP_WORDS[index]} in
      -f | --folder)
        title=${COMP_WORDS[++index]//\\/}
        folder=(--folder "${title/#\~\//$HOME/}")
        ;;
      --in | --script | --template) ((++index)) ;;
      -*) ;;
      *) given+=("${COMP_WORDS[index]}") ;;
    esac
  done
  case $previous in
    -f | --folder) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    --script) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "--folder --json --lines --in --template --help" -- "$word")
    return
  fi
  if ((${#given[@]} == 0)); then
    mapfile -t COMPREPLY < <(
      compgen -W "list show new edit append rm mv search open completions man" -- "$word"
      compgen -d -- "$word"
    )
    return
  fi
  case ${given[0]}:${#given[@]}:$previous in
    completions:1:*) mapfile -t COMPREPLY < <(compgen -W "bash zsh fish" -- "$word") ;;
    show:1:* | edit:1:* | open:1:* | append:1:* | rm:1:* | mv:1:* | search:*:--in | new:*:--template)
      # The typed part of a title may be quoted. The shell quotes the completions.
      compopt -o filenames 2>/dev/null
      word=${word#[\"\']} word=${word//\\/}
      while IFS= read -r title; do
        if [[ $previous == --template ]]; then
          if [[ $title != templates/* ]]; then continue; fi
          title=${title#templates/}
        fi
        if [[ ${title,,} == "${word,,}"* ]]; then COMPREPLY+=("$title"); fi
      done < <(notes list "${folder[@]}" 2>/dev/null)
      ;;
  esac
}
complete -F _notes notes
