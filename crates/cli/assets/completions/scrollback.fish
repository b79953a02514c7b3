# scrollback: completions for fish. Load with: scrollback completions fish | source
complete --keep-order --no-files --command scrollback --arguments "(command scrollback complete -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token --cut-at-cursor) 2>/dev/null)"
