"""picker.py VERSION : does the client's own list of conversations show what our edits did?

Runs inside the lab's namespaces, as inside.py does (edits.py copies both into the lab):
    LAB/bin/offline.sh VERSION HOME python3 /opt/lab/edits/picker.py VERSION
HOME holds a copy of a recorded store as `.claude`. Renames, forks, moves and removes sessions by our program, opens the list by `--resume` in a
terminal, and says for each edit whether the list shows it. The screens go to HOME/screens.txt, for looking at.
"""
import glob, json, os, sys, time
sys.path.insert(0, "/opt/lab/bin")
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from enc import folder
from inside import CONFIG, HOME, ours
from rc import Rig, assert_offline

ELSEWHERE = HOME + "/work/elsewhere"
BASE = HOME + "/work/base"


def first_prompt(path):
    """Words by which a list without titles would show a session."""
    for line in open(path, encoding="utf-8", errors="replace"):
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if entry.get("type") == "user" and not entry.get("isMeta"):
            content = entry["message"]["content"]
            return (content if isinstance(content, str) else content[0].get("text", "")).split("\n")[0]
    return ""


def listed(rig, cwd, screens):
    """What the list shows in a directory, scrolled to its end."""
    tui = rig.tui(cwd, ["--dangerously-skip-permissions", "--resume"], "list")
    time.sleep(6)
    for answer in ("Yes, I accept", "trust this folder", "Do you trust"):
        if answer in tui.screen():
            tui.key(*(["Down", "Enter"] if answer.startswith("Yes") else ["Enter"]), pause=1.5)
            time.sleep(2)
    seen = tui.screen()
    for _ in range(30):
        tui.key("Down", pause=0.15)
        seen += tui.screen()
    screens.write("##### %s\n%s\n" % (cwd, tui.screen()))
    tui.key("Escape", pause=1)
    tui.close("ctrlc")
    return seen


def main():
    assert_offline()
    version = sys.argv[1]
    job = {"client": version}
    os.makedirs(ELSEWHERE, exist_ok=True)
    files = sorted(glob.glob("%s/projects/%s/*.jsonl" % (CONFIG, folder(BASE, version))))
    sessions = [os.path.basename(f)[:-6] for f in files if not os.path.basename(f).startswith("agent-") and first_prompt(f)]
    renamed, forked, moved, removed = sessions[:4]
    prompts = {s: first_prompt(glob.glob("%s/projects/*/%s.jsonl" % (CONFIG, s))[0]) for s in (renamed, forked, moved, removed)}
    rig = Rig(version, port=8300, logdir=HOME + "/mocklog-picker", first=700000)
    rig.seed(BASE, ELSEWHERE)
    with open(HOME + "/screens.txt", "w") as screens:
        before = listed(rig, BASE, screens)
        for seed, words in enumerate((["rename", renamed, "Renamed by hand"], ["fork", forked, "--title", "Forked by hand"], ["move", moved, "--to", ELSEWHERE],
                                      ["rename", moved, "Moved by hand"], ["rm", removed])):
            ours(job, words, seed)
        here, there = listed(rig, BASE, screens), listed(rig, ELSEWHERE, screens)
    rig.close()
    print(version, "prompts", prompts)
    for what, is_so in (("not renamed before", "Renamed by hand" not in before), ("renamed", "Renamed by hand" in here), ("the fork has its title", "Forked by hand" in here),
                        ("moved away", "Moved by hand" not in here), ("moved there, with its new title", "Moved by hand" in there),
                        ("removed", prompts[removed][:30] in before and prompts[removed][:30] not in here)):
        print("%-8s %-36s %s" % (version, what, "yes" if is_so else "NO"))


if __name__ == "__main__":
    main()
