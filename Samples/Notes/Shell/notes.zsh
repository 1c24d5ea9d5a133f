#compdef notes
# Completions of notes for zsh. Add to ~/.zshrc, after compinit: source <(notes completions zsh)
_notes() {
  local -a titles
  if ((CURRENT == 2)); then
    compadd list show new edit append rm mv search completions man
    _directories
    return
  fi
  case $words[CURRENT-1] in
    -f | --folder) _directories; return ;;
    --script) _files; return ;;
    completions) compadd bash zsh fish; return ;;
  esac
  if [[ $words[CURRENT] == -* ]]; then
    compadd -- --folder --json --lines --in --help
    return
  fi
  case $words[2]:$words[CURRENT-1] in
    show:* | edit:* | append:append | rm:* | mv:mv | search:--in)
      titles=("${(@f)$(notes list 2>/dev/null)}")
      compadd -M 'm:{[:lower:]}={[:upper:]}' -a titles
      ;;
  esac
}
compdef _notes notes
