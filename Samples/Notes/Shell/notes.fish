# Completions of notes for fish. Add to ~/.config/fish/config.fish: notes completions fish | source
function __notes_titles -d "The titles of the notes in the folder that the command line names"
  set -l words (commandline -opc)
  set -l folder
  for index in (seq 2 (count $words))
    if contains -- $words[$index] -f --folder; and set -q words[(math $index + 1)]
      set folder --folder (string replace -r '^~/' $HOME/ -- $words[(math $index + 1)])
    end
  end
  notes list $folder 2>/dev/null
end
set -l commands list show new edit append rm mv search open completions man
complete -c notes -f
complete -c notes -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c notes -n "not __fish_seen_subcommand_from $commands" -a "(__fish_complete_directories)"
complete -c notes -n "__fish_seen_subcommand_from show edit open append rm mv" -a "(__notes_titles)"
complete -c notes -n "__fish_seen_subcommand_from completions" -a "bash zsh fish"
complete -c notes -n "__fish_seen_subcommand_from search" -l lines -s n -d "Write the lines with hits"
complete -c notes -n "__fish_seen_subcommand_from search" -l in -x -a "(__notes_titles)"
complete -c notes -n "__fish_seen_subcommand_from new" -l template -x -a \
  "(__notes_titles | string replace -rf '^templates/' '')" -d "Begin with the text of a template"
complete -c notes -l folder -s f -x -a "(__fish_complete_directories)" -d "The folder with the notes"
complete -c notes -n "__fish_seen_subcommand_from list show new search" -l json -d "Write JSON"
complete -c notes -l help -s h -d "Write the help"
