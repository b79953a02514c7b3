"""The edits that real clients judge: one row an edit of one session.

A row names a session by what it holds: the name that it has among the recorded cases (`corpus/README.md`). Its steps are commands as
they are typed, or `client`: then the client itself goes on with the session once in between. In steps stand
  {id}         the session                              {new}        the session that the step before made
  {cwd}        its directory                            {prompt:N}   the entry of its N-th prompt
  {call:NAME}  the id of its first call of a tool       {answer:N}   the message id of its N-th answer
  {first}      the first session that the step before made, where it made several
  {of:NAME}    another session, by the name that it has among the recorded cases
A step `author` writes a session by the library (crates/app/examples/author.rs), `author {id}` goes on with one.
`of` says what must hold whatever the rules are: `same` as the original is loaded, or a `part` of it from the start.
"""
from dataclasses import dataclass

ELSEWHERE = "/home/dev/work/elsewhere"


@dataclass
class Row:
    edit: str                   # its name
    steps: tuple                # what is done
    subjects: str               # to which sessions
    of: str = ""                # what must hold
    ask: int = -1               # which of the sessions that were made is resumed
    cwd: str = ""               # from which directory, if it is another one
    later: str = ""             # the sessions that newer clients resume as well
    earlier: str = ""           # the sessions that older clients resume as well


MANY = "base tools parallel thinking redacted-thinking images image-read compacted-manual compacted-twice compacted-auto summarized-from-here rewound forked " \
       "branched subagent-background subagents-parallel subagent-killed interrupted-stream interrupted-tool killed-in-tool killed-after-result api-error queued " \
       "hooks-in-chain mentions mcp plan-approved"
OLD_AND_NEW = "base parallel compacted-manual compacted-twice rewound images subagents-parallel interrupted-tool killed-in-tool api-error queued tui-background"

ROWS = [
    # Nothing is done: what another client than its own makes of a session, to compare edits with.
    Row("none", (), "", "", later=OLD_AND_NEW + " plain", earlier=OLD_AND_NEW),

    Row("fork", ("fork {id}",), MANY, "same", later=OLD_AND_NEW, earlier=OLD_AND_NEW),
    Row("fork-unmarked", ("fork {id} --unmarked",), "base compacted-twice subagents-parallel", "same"),
    Row("fork-fresh-ids", ("fork {id} --fresh-ids",), "base parallel compacted-manual compacted-auto summarized-from-here rewound branched subagent-killed", "same", later="base compacted-manual"),
    Row("fork-titled", ("fork {id} --title 'A copy with a name'",), "base named", "same"),
    Row("fork-to", ("fork {id} --to " + ELSEWHERE,), "base subagent-background cd", "same", cwd=ELSEWHERE, later="base"),
    Row("fork-of-fork", ("fork {id}", "fork {new}"), "base branched", "same"),
    Row("fork-at-turn-1", ("fork {id} --at 1",), "base multi-turn queued rewound interrupted-tool api-error hooks-in-chain mentions", "part", later="base"),
    # What was summarised since is loaded again.
    Row("fork-at-turn-1", ("fork {id} --at 1",), "compacted-manual"),
    Row("fork-at-turn-2", ("fork {id} --at 2",), "base forked rewound tui-background", "part"),
    Row("fork-at-turn-3", ("fork {id} --at 3",), "base compacted-auto", "part", later="base"),
    Row("fork-at-prompt", ("fork {id} --at {prompt:3}",), "base", "part"),
    Row("fork-at-call", ("fork {id} --at {call:Read}",), "base", "part"),
    Row("fork-at-parallel-call", ("fork {id} --at {call:Bash}",), "base parallel", "part"),
    Row("fork-at-answer", ("fork {id} --at {answer:2}",), "base multi-turn", "part"),
    Row("fork-before-compaction", ("fork {id} --at before-compaction",), "compacted-manual compacted-twice summarized-from-here tui-many-features", "", later="compacted-manual"),
    Row("fork-branch", ("fork {id} --branch 1",), "rewound summarized-from-here", "", later="rewound"),
    Row("fork-resumed", ("fork {id}", "client"), "base rewound compacted-manual", ""),
    Row("fork-at-turn-2-resumed", ("fork {id} --at 2", "client"), "base", ""),

    Row("trim-from-2", ("trim {id} --from 2",), "base multi-turn queued rewound", "", later="base"),
    Row("trim-from-3", ("trim {id} --from 3",), "base compacted-auto tui-background", ""),
    Row("trim-upto-1", ("trim {id} --upto 1",), "multi-turn api-error interrupted-tool killed-in-tool", "part"),
    Row("trim-upto-1", ("trim {id} --upto 1",), "compacted-auto"),
    Row("trim-upto-2", ("trim {id} --upto 2",), "base rewound queued", "part", later="base"),
    Row("trim-drop-1", ("trim {id} --drop 1",), "multi-turn branched", ""),
    Row("trim-drop-2", ("trim {id} --drop 2",), "base rewound renamed", "", later="base"),
    Row("trim-drop-2-3", ("trim {id} --drop 2-3",), "base", ""),
    Row("trim-drop-last", ("trim {id} --drop 4",), "base", "part"),
    Row("trim-drop-compacted", ("trim {id} --drop 1-2",), "compacted-manual compacted-auto", "", later="compacted-manual"),
    Row("trim-drop-tools", ("trim {id} --drop-tools",), "base tools parallel subagents-parallel subagent-background killed-in-tool interrupted-tool permission-denied image-read", "", later="base parallel"),
    Row("trim-drop-thinking", ("trim {id} --drop-thinking",), "base thinking redacted-thinking multi-turn", "", later="base"),
    Row("trim-drop-images", ("trim {id} --drop-images",), "images image-read", "", later="images"),
    Row("trim-drop-all-blocks", ("trim {id} --drop-tools --drop-thinking --drop-images",), "base tui-background", ""),
    Row("trim-slim", ("trim {id} --slim",), "base hooks-in-chain tui-background compacted-manual subagents-parallel mcp", "same", later="subagents-parallel"),
    Row("trim-from-2-in-place", ("trim {id} --from 2 --in-place",), "base", ""),
    Row("trim-upto-2-in-place", ("trim {id} --upto 2 --in-place",), "base", "part"),
    Row("trim-drop-2-in-place", ("trim {id} --drop 2 --in-place",), "base rewound", ""),
    Row("trim-drop-tools-in-place", ("trim {id} --drop-tools --in-place",), "parallel", "", later="parallel"),
    Row("trim-slim-in-place", ("trim {id} --slim --in-place",), "base compacted-manual", "same"),
    Row("trim-resumed", ("trim {id} --drop 2 --in-place", "client"), "base", ""),
    Row("trim-of-resumed", ("client", "trim {id} --drop 2"), "base", ""),
    Row("trim-of-fork", ("fork {id} --fresh-ids", "trim {new} --from 2 --drop-thinking --in-place"), "base", ""),

    Row("split-first", ("split {id} --at 3",), "base rewound tui-background", "part", ask=0, later="base"),
    Row("split-second", ("split {id} --at 3",), "base rewound tui-background compacted-manual", "", later="base"),
    Row("split-at-2-first", ("split {id} --at 2",), "multi-turn queued interrupted-tool api-error killed-in-tool hooks-in-chain", "part", ask=0),
    Row("split-at-2-second", ("split {id} --at 2",), "multi-turn queued interrupted-tool api-error killed-in-tool hooks-in-chain", ""),
    Row("split-and-merge", ("split {id} --at 2", "merge {first} {new}"), "base rewound compacted-manual queued interrupted-tool hooks-in-chain subagents-parallel", "same", later="base compacted-manual"),
    Row("merge", ("merge {of:plain} {id}",), "base thinking parallel"),
    Row("merge-after", ("merge {id} {of:forked}",), "base rewound compacted-manual killed-in-tool interrupted-stream", later="base"),
    Row("merge-resumed", ("merge {of:plain} {id}", "client"), "base"),

    Row("made", ("author",), "plain", later="plain"),
    Row("made-resumed", ("author", "client"), "plain"),
    Row("made-of", ("author {id}",), "base rewound compacted-manual killed-in-tool interrupted-tool subagent-killed", later="base"),
    Row("made-and-forked", ("author", "fork {new} --at 1"), "plain"),

    Row("rename", ("rename {id} 'A name of ours'",), "base plain forked compacted-manual killed-in-tool", "same", later="base plain"),
    Row("rename-resumed", ("rename {id} 'A name of ours'", "client"), "base", ""),
    Row("move", ("move {id} --to " + ELSEWHERE,), "base subagent-background compacted-manual cd", "same", cwd=ELSEWHERE, later="base"),
    Row("move-project", ("move --project {cwd} " + ELSEWHERE,), "base subagents-parallel rewound", "same", cwd=ELSEWHERE, later="rewound"),
    Row("move-resumed", ("move {id} --to " + ELSEWHERE, "client"), "base", "", cwd=ELSEWHERE),
    Row("move-and-back", ("move --project {cwd} " + ELSEWHERE, "move --project " + ELSEWHERE + " {cwd}"), "base", "same"),

    Row("undo-trim", ("trim {id} --drop-tools --in-place", "undo"), "base parallel", "same"),
    Row("undo-rename", ("rename {id} 'A name of ours'", "undo"), "base", "same"),
    Row("undo-move", ("move --project {cwd} " + ELSEWHERE, "undo"), "base rewound", "same"),
    Row("undo-rm", ("rm {id}", "undo"), "base subagents-parallel", "same"),
    Row("restore-rm", ("rm {id}", "trash restore 1"), "base", "same"),
]
