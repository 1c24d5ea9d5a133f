# Completions of notes for fish. Add to ~/.config/fish/config.fish: notes completions fish | source
set -l commands list show new edit append rm mv search completions man
complete -c notes -f
complete -c notes -n "not __fish_seen_subcommand_from $commands" -a "$commands"
complete -c notes -n "not __fish_seen_subcommand_from $commands" -a "(__fish_complete_directories)"
complete -c notes -n "__fish_seen_subcommand_from show edit append rm mv" -a "(notes list 2>/dev/null)"
complete -c notes -n "__fish_seen_subcommand_from completions" -a "bash zsh fish"
complete -c notes -n "__fish_seen_subcommand_from search" -l lines -s n -d "Write the lines with hits"
complete -c notes -n "__fish_seen_subcommand_from search" -l in -x -a "(notes list 2>/dev/null)"
complete -c notes -l folder -s f -x -a "(__fish_complete_directories)" -d "The folder with the notes"
complete -c notes -l json -d "Write JSON"
complete -c notes -l help -s h -d "Write the help"
