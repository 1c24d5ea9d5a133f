# Completions of notes for bash. Add to ~/.bashrc: source <(notes completions bash)
_notes() {
  local word=${COMP_WORDS[COMP_CWORD]} title
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(
      compgen -W "list show new edit append rm mv search completions man" -- "$word"
      compgen -d -- "$word"
    )
    return
  fi
  case ${COMP_WORDS[COMP_CWORD - 1]} in
    -f | --folder) mapfile -t COMPREPLY < <(compgen -d -- "$word"); return ;;
    --script) mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    completions) mapfile -t COMPREPLY < <(compgen -W "bash zsh fish" -- "$word"); return ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "--folder --json --lines --in --help" -- "$word")
    return
  fi
  case ${COMP_WORDS[1]}:${COMP_WORDS[COMP_CWORD - 1]} in
    show:* | edit:* | append:append | rm:* | mv:mv | search:--in)
      while IFS= read -r title; do
        if [[ ${title,,} == "${word,,}"* ]]; then COMPREPLY+=("$(printf %q "$title")"); fi
      done < <(notes list 2>/dev/null)
      ;;
  esac
}
complete -F _notes notes
