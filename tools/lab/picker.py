"""picker.py VERSION : does the client's own list of conversations show what our edits did?

Runs inside the lab's namespaces, as inside.py does (edits.py copies both into the lab):
    LAB/bin/offline.sh VERSION HOME python3 /opt/lab/edits/picker.py VERSION
HOME holds a copy of a recorded store as `.claude`. Renames, forks, moves and removes sessions by our program, opens the list by `--resume` in a
terminal, and says for each edit whether the list shows it. The screens go to HOME/screens.txt, for looking at.
"""
import json, os, sys, time
sys.path.insert(0, "/opt/lab/bin")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from inside import HOME, ours
from rc import Rig, assert_offline

ELSEWHERE = os.path.join(HOME, "work", "elsewhere")


def listed(rig, cwd, screens):
    """What the list shows in a directory, scrolled to its end."""
    tui = rig.tui(cwd, ["--dangerously-skip-permissions", "--resume"], "list")
    time.sleep(6)
    for answer in ("Yes, I accept", "trust this folder", "Do you trust"):
        if answer in tui.screen():
            tui.key(*(["Down", "Enter"] if answer.startswith("Yes") else ["Enter"]), pause=1.5)
            time.sleep(2)
    seen = tui.screen()
    for _ in range(12):
        tui.key("Down", pause=0.15)
        seen += tui.screen()
    screens.write("##### %s\n%s\n" % (cwd, tui.screen()))
    tui.key("Escape", pause=1)
    tui.close("ctrlc")
    return seen


def main():
    assert_offline()
    version = sys.argv[1]
    # Sessions of the terminal: lists leave out those of `-p`.
    of = {name: json.load(open("/opt/lab/oracle/%s/%s/case.json" % (version, name))) for name in ("rewound", "killed-tui-resumed", "plan-approved", "asked")}
    renamed, forked, moved, removed = of.values()
    cwds = [case["cwd"] for case in of.values()] + [ELSEWHERE]
    for cwd in cwds:
        os.makedirs(cwd, exist_ok=True)
    rig = Rig(version, port=8300, logdir=HOME + "/mocklog-picker", first=700000)
    rig.seed(*cwds)
    edits = (["rename", renamed["session_id"], "Renamed by hand"], ["fork", forked["session_id"], "--title", "Forked by hand"], ["move", moved["session_id"], "--to", ELSEWHERE],
             ["rename", moved["session_id"], "Moved by hand"], ["rm", removed["session_id"]])
    with open(HOME + "/screens.txt", "w") as screens:
        before = {cwd: listed(rig, cwd, screens) for cwd in cwds}
        for seed, words in enumerate(edits):
            ours({"client": version}, words, seed)
        after = {cwd: listed(rig, cwd, screens) for cwd in cwds}
    rig.close()
    rows = lambda screen: {line.strip() for line in screen.split("\n") if line.strip()}
    for what, is_so in (("renamed", "Renamed by hand" in after[renamed["cwd"]]), ("the fork has its title", "Forked by hand" in after[forked["cwd"]]),
                        ("the original of the fork is there", len(rows(after[forked["cwd"]])) > len(rows(before[forked["cwd"]]))),
                        ("moved away", "Moved by hand" not in after[moved["cwd"]] and rows(after[moved["cwd"]]) != rows(before[moved["cwd"]])),
                        ("moved there, with its new title", "Moved by hand" in after[ELSEWHERE]), ("removed", rows(after[removed["cwd"]]) != rows(before[removed["cwd"]]))):
        print("%-8s %-36s %s" % (version, what, "yes" if is_so else "NO"))


if __name__ == "__main__":
    main()
