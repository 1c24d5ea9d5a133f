#compdef notes
# Completions of notes for zsh. Add to ~/.zshrc, after compinit: source <(notes completions zsh)
_notes() {
  # The words before the cursor without options: the command and its arguments.
  local -a given folder titles
  local index
  for ((index = 2; index < CURRENT; index++)); do
    case $words[index] in
      -f | --folder) ((++index)); folder=(--folder ${~${(Q)words[index]}}) ;;
      --in | --script | --template) ((++index)) ;;
      -*) ;;
      *) given+=("$words[index]") ;;
    esac
  done
  case $words[CURRENT-1] in
    -f | --folder) _directories; return ;;
    --script) _files; return ;;
  esac
  if [[ $words[CURRENT] == -* ]]; then
    compadd -- --folder --json --lines --in --template --help
    return
  fi
  if (($#given == 0)); then
    compadd list show new edit append rm mv search open completions man
    _directories
    return
  fi
  case $given[1]:$#given:$words[CURRENT-1] in
    completions:1:*) compadd bash zsh fish ;;
    show:1:* | edit:1:* | open:1:* | append:1:* | rm:1:* | mv:1:* | search:*:--in | new:*:--template)
      titles=("${(@f)$(notes list "$folder[@]" 2>/dev/null)}")
      if [[ $words[CURRENT-1] == --template ]]; then
        titles=(${${(M)titles:#templates/*}#templates/})
      fi
      compadd -M 'm:{[:lower:]}={[:upper:]}' -a titles
      ;;
  esac
}
compdef _notes notes
