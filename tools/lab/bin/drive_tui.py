#!/usr/bin/env python3
"""drive_tui.py VERSION [groups] : the scenarios that need the terminal UI.  Run inside offline.sh (see run_version.sh)."""
import os, re, signal, subprocess, sys, time, traceback
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rc import *

V = sys.argv[1]
VT = tuple(int(x) for x in V.split("."))
ONLY = sys.argv[2].split(",") if len(sys.argv) > 2 and sys.argv[2] else None
r = Rig(V, port=8300, logdir="/home/dev/mocklog-tui", first=5000)
W = r.work
START = time.time()
LIMIT = 600
os.makedirs(ROOT + "/log", exist_ok=True)
SNAP = open("%s/log/tuisnap-%s.log" % (ROOT, V), "a")
BYPASS = ["--dangerously-skip-permissions"]


def snap(t, label):
    SNAP.write("##### %s %s\n%s\n" % (t.scenario, label, indent(t.screen())))
    SNAP.flush()


def open_tui(cwd, args, scenario, **k):
    os.makedirs(cwd, exist_ok=True)
    if not os.path.exists(cwd + "/README.md"):
        open(cwd + "/README.md", "w").write("# tui project\nalpha\n")
    t = r.tui(cwd, args, scenario, **k)
    t.wait("bypass permissions", "for shortcuts", "plan mode", "❯", "accept edits", "│ >", "\n> ", timeout=20)
    time.sleep(2.5)
    if "Yes, I accept" in t.screen():
        t.key("Down", "Enter", pause=1.0)
        time.sleep(2)
    if "trust this folder" in t.screen() or "Do you trust" in t.screen():
        t.key("Enter", pause=2.0)
    snap(t, "opened")
    return t


def last_session(t):
    n = t.new_sessions()
    best = max(n, key=lambda s: max(os.path.getmtime(p) for p in session_paths(s)), default=None)
    return best


def session_paths(s):
    out = []
    for d, _, fs in os.walk(r.config + "/projects"):
        if s + ".jsonl" in fs:
            out.append(os.path.join(d, s + ".jsonl"))
    return out


def choose(t, label):
    """In a numbered menu: go to the line with this label and press Enter."""
    m = re.search(r"(\d)\. " + label, t.screen())
    if m:
        t.key(*(["Down"] * (int(m.group(1)) - 1) + ["Enter"]), pause=0.5)
    return bool(m)


GROUPS = []
def group(f):
    GROUPS.append(f)
    return f


@group
def main():
    c = W + "/tui-main"
    os.makedirs(c, exist_ok=True)
    if not os.path.exists(c + "/.git"):
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=c, env=r.env())
    t = open_tui(c, BYPASS, "main: many features in one session")
    t.say("@@hello@@ first in the TUI", "Hello from the mock")
    t.say("@@write|%s@@ write notes" % c, "Done with notes")
    snap(t, "after write")
    t.say("@@edit|%s/README.md|alpha|ALPHA@@ edit" % c, "Edited.")
    t.key("!"); t.say("echo from-bash-mode", "from-bash-mode", settle=2)
    snap(t, "bash mode")
    t.key("Escape", pause=0.6)
    t.paste("\n".join("pasted line %d with some text in it" % i for i in range(60)))
    t.say(" @@hello|paste@@", "Hello from the mock. paste")
    snap(t, "after paste")
    t.paste("P" * 12000)
    t.say(" @@hello|bigpaste@@", "Hello from the mock. bigpaste")
    t.type("Look at @README.md ")
    t.say("@@hello|mention@@", "Hello from the mock. mention")
    # queue
    t.say("@@slow|6@@ slow one", "Slow start", settle=0.5)
    t.say("@@many|77@@ queued message", settle=0.5)
    snap(t, "queued")
    t.wait("Answer number 77", timeout=25)
    snap(t, "queue done")
    # queue into a running tool
    t.say("@@slowtool|5@@ slow tool", "A slow tool", settle=0.8)
    t.say("queued into the tool loop", settle=0.5)
    t.wait("Slow tool ended", timeout=20); time.sleep(2)
    snap(t, "queue into tool")
    # interrupt
    t.say("@@slow|20@@ to be interrupted", "Slow start", settle=1)
    t.key("Escape", pause=2)
    snap(t, "interrupted")
    t.key("C-u")
    t.say("@@slowtool|20@@ tool to be interrupted", "A slow tool", settle=2)
    t.key("Escape", pause=2)
    t.key("C-u")
    snap(t, "tool interrupted")
    t.say("/rename My renamed session", settle=2)
    snap(t, "rename")
    t.key("Escape", pause=0.5); t.key("C-u")
    if VT < (2, 0, 64):
        t.key("Escape", pause=0.5)
    t.say("/compact", "ompacted", timeout=25, settle=3)
    snap(t, "compact")
    t.say("@@hello|after@@ compaction", "Hello from the mock. after")
    s = last_session(t)
    t.close()
    # resume in the TUI
    t = open_tui(c, BYPASS + ["--resume", s], "main: resumed in the TUI (%s)" % s)
    t.say("@@hello|resumed@@ again", "Hello from the mock. resumed")
    snap(t, "resumed")
    t.close()
    t = open_tui(c, BYPASS + ["--continue"], "main: --continue in the TUI")
    t.say("@@todo@@ tasks", "written.", timeout=25)
    snap(t, "todo")
    t.close("ctrlc")


@group
def rewind():
    c = W + "/tui-rewind"
    t = open_tui(c, BYPASS, "rewind: restore conversation and code")
    t.say("@@hello@@ turn one", "Hello from the mock")
    t.say("@@write|%s@@ turn two" % c, "Done with notes")
    t.say("@@edit|%s/notes.txt|alpha|OMEGA@@ turn three" % c, "Edited.")
    t.say("@@many|4@@ turn four", "Answer number 4")
    t.say("/rewind", settle=2)
    snap(t, "rewind menu")
    t.key("Up", "Up", pause=0.6)                    # current -> turn four -> turn three
    snap(t, "rewind selected")
    t.key("Enter", pause=1.5)
    snap(t, "rewind options")
    t.key("Enter", pause=2)
    snap(t, "rewind done")
    t.key("C-e", "C-u", "C-u", pause=0.3)
    t.say("@@many|33@@ turn three, other branch", "Answer number 33", timeout=15)
    snap(t, "after branch")
    t.say("@@many|34@@ goes on", "Answer number 34", timeout=15)
    s = last_session(t)
    t.close()


@group
def summarize():
    """Rewind menu, "Summarize from here" (2.1.80 and later)."""
    if VT < (2, 1, 50):
        return
    c = W + "/tui-sum"
    t = open_tui(c, BYPASS, "summarize from here in the rewind menu")
    for i in (1, 2, 3):
        t.say("@@many|%d@@ turn %d" % (i, i), "Answer number %d" % i)
    t.say("/rewind", settle=2)
    t.key("Up", "Up", pause=0.6)
    t.key("Enter", pause=1.5)
    snap(t, "sum options")
    print("summarize:", choose(t, "Summarize from here"), flush=True)
    time.sleep(2)
    snap(t, "sum chosen")
    t.key("Enter", pause=3)
    t.wait("ummarized", "onversation summar", timeout=10)
    time.sleep(2)
    snap(t, "sum done")
    t.key("C-e", "C-u", "C-u", pause=0.3)
    t.say("@@many|55@@ after the summary", "Answer number 55", timeout=15)
    snap(t, "sum after")
    t.close()


@group
def clear():
    c = W + "/tui-clear"
    t = open_tui(c, BYPASS, "clear: /clear in mid-session")
    t.say("@@hello@@ before clear", "Hello from the mock")
    t.say("/clear", settle=3)
    snap(t, "clear")
    t.say("@@many|2@@ after clear", "Answer number 2")
    snap(t, "after clear")
    t.close()


@group
def branch():
    c = W + "/tui-branch"
    if VT < (2, 1, 18):
        return
    t = open_tui(c, BYPASS, "branch: /branch (/fork) in the TUI")
    t.say("@@hello@@ trunk", "Hello from the mock")
    t.say("@@many|1@@ trunk two", "Answer number 1")
    cmd = "/branch my branch" if VT >= (2, 1, 70) else "/fork my branch"
    t.say(cmd, settle=3)
    snap(t, "branch")
    t.say("@@many|8@@ on the branch", "Answer number 8")
    snap(t, "on branch")
    t.close()
    if VT >= (2, 1, 100):
        t = open_tui(c, BYPASS, "fork: /fork in the TUI (new meaning)")
        t.say("@@hello@@ trunk", "Hello from the mock")
        t.say("/fork @@many|12@@ forked work", settle=6)
        snap(t, "fork")
        t.key("Escape", pause=0.5)
        t.close()


@group
def plan():
    c = W + "/tui-plan"
    t = open_tui(c, ["--permission-mode", "plan"], "plan mode, plan approved")
    t.say("@@plan@@ make a plan", "Would you like to proceed", timeout=20)
    snap(t, "plan shown")
    t.key("Enter", pause=2)
    t.wait("Plan approved", timeout=15)
    snap(t, "plan approved")
    t.close()
    t = open_tui(c, ["--permission-mode", "plan"], "plan mode, plan rejected")
    t.say("@@plan@@ make a plan", "Would you like to proceed", timeout=20)
    t.key("Escape", pause=2)
    snap(t, "plan rejected")
    t.close()


@group
def ask():
    c = W + "/tui-ask"
    t = open_tui(c, BYPASS, "AskUserQuestion answered")
    t.say("@@ask@@ ask me", "Which colour", timeout=15)
    snap(t, "ask")
    t.key("Down", pause=0.5); t.key("Enter", pause=2)
    snap(t, "ask 2")
    t.key("Enter", pause=1)
    t.wait("Thanks for the answer", timeout=6)
    snap(t, "ask done")
    t.close()
    # permission prompts
    t = open_tui(c, ["--permission-mode", "manual" if VT >= (2, 1, 201) else "default"], "permission prompts: denied, then allowed")
    t.say("@@write|%s@@ write" % c, "Do you want", timeout=15)
    snap(t, "perm")
    t.key("Escape", pause=2)
    snap(t, "perm denied")
    t.key("C-u")
    t.say("@@write|%s@@ write again" % c, "Do you want", timeout=15)
    t.key("Down", pause=0.4); t.key("Enter", pause=2)       # allow for the session
    t.wait("Done with notes", timeout=10)
    snap(t, "perm allowed")
    t.key("Escape", pause=1)
    t.close()


@group
def background():
    c = W + "/tui-bg"
    t = open_tui(c, BYPASS, "background bash and agent with notifications")
    t.say("@@bgbash@@ bg", "Started in background", timeout=15)
    time.sleep(6)
    snap(t, "bg bash")
    t.say("@@agent_bg@@ bg agent", "Started in the background", timeout=15)
    time.sleep(7)
    snap(t, "bg agent")
    t.say("@@agent|general-purpose@@ fg agent", "The agent is back", timeout=20)
    snap(t, "fg agent")
    t.say("@@hello|end@@", "Hello from the mock. end")
    t.close()


@group
def killed():
    c = W + "/tui-kill"
    t = open_tui(c, BYPASS, "TUI SIGKILLed while a tool runs")
    t.say("@@hello@@ first", "Hello from the mock")
    t.say("@@slowtool|20@@ kill me", "A slow tool", settle=2)
    pid = int(t.tm("display-message", "-p", "-t", t.name, "#{pane_pid}").strip())
    os.kill(pid, signal.SIGKILL)
    time.sleep(1)
    s = last_session(t)
    t.close("none")
    if s:
        t = open_tui(c, BYPASS + ["--resume", s], "TUI resume of the killed session (%s)" % s)
        t.say("@@hello|again@@", "Hello from the mock. again")
        snap(t, "resumed after kill")
        t.close()


@group
def misc():
    c = W + "/tui-misc"
    t = open_tui(c, BYPASS, "misc commands: /color /model /add-dir /rename /goal, errors")
    t.say("@@hello@@ first", "Hello from the mock")
    for cmd in ("/color red", "/model haiku", "/add-dir /tmp", "/rename second title", "/goal finish the mock"):
        t.say(cmd, settle=2.0)
        snap(t, cmd)
        t.key("Escape", pause=0.5); t.key("Escape", pause=1.2); t.key("Escape", pause=0.3); t.key("C-u", pause=0.2)
    t.say("@@err|529|2@@ retries in the TUI", "Recovered after", timeout=20)
    t.say("@@err|400@@ error in the TUI", "400", timeout=15)
    t.say("@@many|6@@ last", "Answer number 6")
    snap(t, "end")
    t.close()
    # the picker
    t = open_tui(c, BYPASS + ["--resume"], "resume picker")
    time.sleep(2)
    snap(t, "picker")
    t.key("Enter", pause=3)
    snap(t, "picked")
    t.say("@@many|7@@ after the picker", "Answer number 7", timeout=15)
    t.close()


@group
def shapes():
    """Shapes that came later: a plan that clears the context, several clients in one directory and in one session."""
    if VT < (2, 1, 325):
        return
    c = W + "/tui-shapes"
    t = open_tui(c, ["--permission-mode", "plan", "--settings", '{"showClearContextOnPlanAccept":true}'], "plan mode, context cleared")
    t.say("@@many|1@@ before the plan", "Answer number 1")
    t.say("@@plan@@ make a plan", "Would you like to proceed", timeout=20)
    snap(t, "plan shown")
    choose(t, "Yes, clear context") or t.key("Enter")
    time.sleep(4)
    snap(t, "plan approved")
    t.say("@@many|2@@ after the plan", "Answer number 2")
    snap(t, "after the plan")
    t.close()
    c = W + "/tui-two"
    a = open_tui(c, BYPASS, "two clients in one directory")
    a.say("@@many|1@@ of the first", "Answer number 1")
    s = last_session(a)
    b = open_tui(c, BYPASS, "two clients in one directory, the second")
    b.say("@@many|2@@ of the second", "Answer number 2")
    a.say("@@many|3@@ of the first again", "Answer number 3")
    b.say("@@many|4@@ of the second again", "Answer number 4")
    b.close()
    b = open_tui(c, BYPASS + ["--resume", s or "x"], "one session open twice")
    b.say("@@many|5@@ of the other client", "Answer number 5")
    a.say("@@many|6@@ of the first, which does not know", "Answer number 6")
    b.say("@@many|7@@ of the other client again", "Answer number 7")
    snap(b, "end")
    b.close()
    a.close()


ORDER = ["main", "rewind", "summarize", "branch", "killed", "clear", "misc", "background", "plan", "ask", "shapes"]
GROUPS.sort(key=lambda g: ORDER.index(g.__name__))
for g in GROUPS:
    if ONLY and g.__name__ not in ONLY:
        continue
    if time.time() - START > LIMIT:
        print("time limit: skipped", g.__name__)
        continue
    print("== tui %s %s (%.0fs)" % (V, g.__name__, time.time() - START), flush=True)
    try:
        g()
    except Exception:
        traceback.print_exc()
r.close()
print("== tui done %s %.0fs" % (V, time.time() - START))
