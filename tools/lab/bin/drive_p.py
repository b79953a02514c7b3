#!/usr/bin/env python3
"""drive_p.py VERSION [groups] : the headless scenarios.  Run inside offline.sh (see run_version.sh)."""
import base64, json, os, signal, struct, subprocess, sys, time, traceback, unicodedata, uuid, zlib
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rc import *

V = sys.argv[1]
VT = tuple(int(x) for x in V.split("."))
ONLY = sys.argv[2].split(",") if len(sys.argv) > 2 else None
r = Rig(V)
W = r.work
START = time.time()
LIMIT = 900


def png(w=24, h=16):
    raw = b"".join(b"\0" + bytes((x * 10 % 256, y * 15 % 256, 99)) * 1 if False else b"\0" + b"".join(
        bytes((x * 10 % 256, y * 15 % 256, 99)) for x in range(w)) for y in range(h))
    ch = lambda t, d: struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d))
    return b"\x89PNG\r\n\x1a\n" + ch(b"IHDR", struct.pack(">IIBBBBB", w, h, 8, 2, 0, 0, 0)) + ch(b"IDAT", zlib.compress(raw)) + ch(b"IEND", b"")


def pdf():
    objs = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
            b"<</Length 41>>stream\nBT /F1 18 Tf 20 100 Td (Hello PDF) Tj ET \nendstream", b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    out, offs = b"%PDF-1.4\n", []
    for i, o in enumerate(objs, 1):
        offs.append(len(out))
        out += b"%d 0 obj\n" % i + o + b"\nendobj\n"
    x = len(out)
    out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % o for o in offs)
    return out + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % x


def put(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data if isinstance(data, bytes) else data.encode())


def git(cwd, *a):
    subprocess.run(["git", "-c", "init.defaultBranch=main", "-c", "user.name=mock", "-c", "user.email=mock@example.org"] + list(a),
                   cwd=cwd, check=True, env=r.env(), stdout=subprocess.DEVNULL)


def project(cwd, is_git=True):
    put(cwd + "/README.md", "# mock project\nalpha\n")
    put(cwd + "/CLAUDE.md", "# Project memory\nAlways answer briefly.\n")
    put(cwd + "/pic.png", png())
    put(cwd + "/doc.pdf", pdf())
    put(cwd + "/big.txt", "".join("line %d of a big file\n" % i for i in range(6000)))
    put(cwd + "/crlf.txt", "one\r\ntwo\r\nthree\r\n")
    put(cwd + "/nb.ipynb", json.dumps({"cells": [{"cell_type": "code", "id": "c1", "metadata": {}, "execution_count": None, "outputs": [], "source": ["print(1)"]}],
                                       "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    put(cwd + "/.claude/agents/reviewer.md", "---\nname: reviewer\ndescription: Reviews code\ntools: Bash, Read\nmodel: sonnet\n---\nYou review code.\n")
    put(cwd + "/.claude/skills/greet/SKILL.md", "---\nname: greet\ndescription: Greets the user\n---\nSay hello politely.\n")
    put(cwd + "/.claude/commands/hi.md", "---\ndescription: say hi\n---\n@" + "@hello|from a command@" + "@ $ARGUMENTS\n")
    if is_git and not os.path.exists(cwd + "/.git"):
        git(cwd, "init", "-q", "-b", "main")
        git(cwd, "add", "-A")
        git(cwd, "commit", "-q", "-m", "first")


GROUPS = []
def group(f):
    GROUPS.append(f)
    return f


@group
def base():
    """The session that the oracle's mutations start from, and other short ones for it."""
    c = W + "/base"
    project(c)
    _, s, *_ = r.p("@@think@@ first, think", c, scenario="oracle base: think, write, parallel, plain")
    r.p("@@write|%s@@ second, write" % c, c, ["--resume", s], scenario="oracle base: write")
    r.p("@@parallel|%s@@ third, in parallel" % c, c, ["--resume", s], scenario="oracle base: parallel")
    r.p("@@many|4@@ fourth", c, ["--resume", s], scenario="oracle base: last turn")
    r.p("@@hello@@ What is 2+2?", c, scenario="plain question, one turn")
    r.p("@@think@@ only thinking", c, scenario="thinking, one turn")
    r.p("@@parallel|%s@@ only parallel" % c, c, scenario="parallel tool calls, one turn")
    _, s, *_ = r.p("@@hello@@ before the error", c, scenario="API error in the second turn")
    r.p("@@err|400@@ the error", c, ["--resume", s], scenario="API error in the second turn: 400")
    I, K = signal.SIGINT, signal.SIGKILL
    for name, script, sg, req, after in (
            ("SIGINT in mid-stream", "@@slow|25@@", I, 1, 2.5), ("SIGINT while a tool runs", "@@slowtool|20@@", I, 1, 2.5),
            ("SIGKILL in mid-stream, after 1st block", "@@slow|25@@", K, 1, 2.5),
            ("SIGKILL after a tool result", "@@toolthenhang@@", K, 2, 2.5), ("SIGKILL while a tool runs", "@@slowtool|20@@", K, 1, 2.5)):
        _, s, *_ = r.p("@@hello@@ before the signal", c, scenario=name)
        r.p(script + " go", c, ["--resume", s], scenario=name + " (second turn)", sig=sg, sig_after=after, sig_requests=req, fmt="stream-json")


@group
def basics():
    c = W + "/proj"
    project(c, False)
    _, s, *_ = r.p("@@hello@@ What is 2+2?", c, scenario="plain question, resumed, forked")
    r.p("@@think@@ and now think", c, ["--resume", s], scenario="--resume, thinking + text")
    r.p("@@many|3@@ third turn", c, ["--continue"], scenario="--continue (same session)")
    _, f, *_ = r.p("@@many|4@@ forked turn", c, ["--resume", s, "--fork-session"], scenario="--fork-session of " + s)
    r.p("@@many|5@@ fork goes on", c, ["--resume", f or s], scenario="resume of the fork")
    sid = str(uuid.uuid4())
    r.p("@@hello@@ own id", c, ["--session-id", sid], scenario="--session-id given")
    r.p("@@hello@@ verbose debug", c, ["--debug"], scenario="--debug")
    r.p("@@redacted@@ go", c, scenario="redacted thinking")
    r.p("@@bigtext@@ go", c, scenario="big text, odd characters")
    r.p("Prompt with odd characters: é € 😀 \u2028 \u2029 \\ \" \t tab\nnewline\r\ncrlf \x1b[31mred </script> @@hello@@", c, scenario="odd characters in prompt")
    r.p("@@maxtok@@ go", c, scenario="stop_reason max_tokens")
    r.p("@@refusal@@ go", c, scenario="stop_reason refusal")
    if VT >= (2, 1, 50):
        r.p("@@hello@@ named", c, ["--name", "My named session"], scenario="--name")
    r.p("/hi there", c, scenario="custom slash command /hi")


@group
def compaction():
    c = W + "/compact"
    project(c)
    _, s, *_ = r.p("@@write|%s@@ first" % c, c, scenario="compacted by hand, once")
    r.p("@@many|1@@ turn", c, ["--resume", s], scenario="turn before compaction")
    r.p("@@many|2@@ turn", c, ["--resume", s], scenario="turn before compaction")
    r.p("/compact", c, ["--resume", s], scenario="/compact in -p")
    r.p("@@hello@@ after the compaction", c, ["--resume", s], scenario="resume after compaction")
    _, f, *_ = r.p("@@hello@@ forked after", c, ["--resume", s, "--fork-session"], scenario="fork after compaction (%s)" % s)
    r.p("/compact keep the file names", c, ["--resume", f or s], scenario="second /compact with instructions, in the fork")
    r.p("@@hello@@ after the second", c, ["--resume", f or s], scenario="resume after second compaction")
    full = 985000 if VT >= (2, 1, 100) else 190000
    _, s2, *_ = r.p("@@write|%s@@ a" % c, c, scenario="automatic compaction: first turn")
    r.p("@@full|%d@@ b" % full, c, ["--resume", s2], scenario="automatic compaction: context nearly full")
    r.p("@@hello@@ c", c, ["--resume", s2], scenario="automatic compaction: turn that should compact")
    r.p("@@hello@@ d", c, ["--resume", s2], scenario="automatic compaction: turn after")
    _, s3, *_ = r.p("@@hello@@ a", c, scenario="prompt too long: first turn")
    r.p("@@toolong@@ b", c, ["--resume", s3], scenario="prompt too long (400)")


@group
def agents():
    c = W + "/agents"
    project(c)
    r.p("@@agent|general-purpose@@ go", c, scenario="subagent general-purpose")
    r.p("@@agents2@@ go", c, scenario="two subagents in parallel")
    r.p("@@agent|reviewer@@ go", c, scenario="custom agent from .claude/agents")
    r.p("@@agent_bg@@ go", c, scenario="subagent in background", timeout=45)
    if VT >= (2, 1, 50):
        r.p("@@agent_nested@@ go", c, scenario="nested subagents")
    r.p("@@agent_err@@ go", c, scenario="subagent with an API error")
    r.p("@@agent_long@@ go2", c, scenario="SIGKILL while a subagent works", sig=signal.SIGKILL, sig_requests=3, sig_after=2.5, fmt="stream-json")
    _, s, *_ = r.p("@@agent|general-purpose@@ first", c, scenario="subagent, then resume with subagent")
    r.p("@@agent|general-purpose@@ second", c, ["--resume", s], scenario="resume with another subagent")
    r.p("@@hello@@ fork", c, ["--resume", s, "--fork-session"], scenario="fork of a session with subagents (%s)" % s)


@group
def sdk():
    """stream-json input: images, several messages, interrupt, hooks, MCP."""
    c = W + "/sdk"
    project(c)
    im = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64.b64encode(png()).decode()}}
    msgs = [{"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": "@@hello@@ an image"}, im]}},
            {"type": "user", "message": {"role": "user", "content": "@@many|2@@ second message"}}]
    r.p(None, c, ["--input-format", "stream-json"], scenario="stream-json input: image, two messages", fmt="stream-json",
        stdin=("\n".join(json.dumps(m) for m in msgs) + "\n").encode())
    # interrupt through the control protocol
    sid = str(uuid.uuid4())
    cmd = [r.bin, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions", "--session-id", sid]
    pr = subprocess.Popen(cmd, cwd=c, env=r.env(PWD=c), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    def send(o):
        pr.stdin.write((json.dumps(o) + "\n").encode()); pr.stdin.flush()
    try:
        send({"type": "user", "message": {"role": "user", "content": "@@slowtool|20@@ to be interrupted"}})
        time.sleep(6)
        send({"type": "control_request", "request_id": "i1", "request": {"subtype": "interrupt"}})
        time.sleep(2)
        send({"type": "user", "message": {"role": "user", "content": "@@slow|5@@ again"}})
        time.sleep(2)
        send({"type": "user", "message": {"role": "user", "content": "@@many|9@@ queued while busy"}})
        time.sleep(7)
        pr.stdin.close()
        pr.wait(15)
    except Exception as e:
        print("interrupt:", e)
    finally:
        if pr.poll() is None:
            os.killpg(pr.pid, signal.SIGKILL)
    r.note(sid, "control_request interrupt in a tool, then a queued message", c)
    # hooks
    h = W + "/hooks"
    project(h)
    mk = lambda cmd: [{"hooks": [{"type": "command", "command": cmd}]}]
    mm = lambda cmd: [{"matcher": "*", "hooks": [{"type": "command", "command": cmd}]}]
    put(h + "/.claude/settings.json", json.dumps({"hooks": {
        "SessionStart": mk("echo session-start-context"), "UserPromptSubmit": mk("echo prompt-context"),
        "PreToolUse": mm("echo pre; exit 0"), "PostToolUse": mm("echo '{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUse\",\"additionalContext\":\"post context\"}}'"),
        "Stop": mk("echo stop"), "SubagentStop": mk("echo sstop"), "PreCompact": mk("echo precompact"), "SessionEnd": mk("echo end")}}))
    _, s, *_ = r.p("@@cd|.@@ with hooks", h, scenario="hooks: all good")
    r.p("@@parallel|%s@@ with hooks" % h, h, ["--resume", s], scenario="hooks: parallel tools")
    r.p("@@agent|general-purpose@@ x", h, scenario="hooks: subagent")
    put(h + "/.claude/settings.json", json.dumps({"hooks": {
        "PreToolUse": mm("echo blocked by hook >&2; exit 2"), "Stop": mk("test -e stopped && exit 0; touch stopped; echo keep going >&2; exit 2"),
        "UserPromptSubmit": mk("echo bad >&2; exit 1")}}))
    r.p("@@run|echo hi@@ with blocking hooks", h, scenario="hooks: PreToolUse blocks, Stop blocks once, UserPromptSubmit fails")
    # MCP
    m = W + "/mcp"
    put(m + "/server.py", MCP)
    put(m + "/mcp.json", json.dumps({"mcpServers": {"mocksrv": {"command": "/usr/bin/env", "args": ["python3", m + "/server.py"]}}}))
    r.p("@@mcp@@ go", m, ["--mcp-config", m + "/mcp.json"], scenario="MCP tool")
    r.p("@@plan@@ go", c, ["--permission-mode", "plan"], scenario="plan mode in -p", skip=False)
    r.p("Look at @README.md and @pic.png @@hello@@", c, scenario="@-mentions of files")


@group
def tools():
    c = W + "/repo"
    project(c)
    _, s, *_ = r.p("@@write|%s@@ write notes" % c, c, scenario="Write, Read, Edit, Edit (git repo)")
    r.p("@@bash@@ run", c, ["--resume", s], scenario="resume: Bash stdout/stderr/fail/long/unicode")
    r.p("@@search|%s@@ run" % c, c, scenario="Grep + Glob")
    r.p("@@todo@@ run", c, scenario="TodoWrite / Task tools", env={"CLAUDE_CODE_ENABLE_TASKS": "1"} if VT >= (2, 1, 17) else None)
    r.p("@@websearch@@ run", c, scenario="WebSearch")
    r.p("@@notebook|%s@@ run" % c, c, scenario="Read + NotebookEdit of .ipynb")
    r.p("@@readfile|%s/pic.png@@ run" % c, c, scenario="Read a PNG")
    r.p("@@readfile|%s/doc.pdf@@ run" % c, c, scenario="Read a PDF")
    r.p("@@badtool@@ run", c, scenario="unknown tool, bad input, missing file")
    r.p("@@skill|greet@@ run", c, scenario="Skill tool")
    r.p("@@bgbash@@ run", c, scenario="Bash run_in_background", timeout=45)
    r.p("@@pr@@ run", c, scenario="gh pr create (fake gh): pr-link")
    r.p("@@run|python3 -c 'print(\"y\"*200000)'@@ run", c, scenario="Bash one line of 200000 chars")
    r.p("@@write|%s@@ denied" % c, c, ["--allowedTools", "Read"], scenario="permission denied in -p", skip=False)
    os.makedirs(c + "/sub.dir", exist_ok=True)
    r.p("@@cd|sub.dir@@ go", c, scenario="cd to a subdirectory in mid-session")
    r.p("@@checkout|feature/x-1@@ go", c, scenario="git checkout -b feature/x-1 in mid-session")
    r.p("@@hello@@ go", c, ["--continue"], scenario="continue on branch feature/x-1")
    if VT >= (2, 1, 30):
        r.p("@@hello@@ go", c, ["--worktree", "wtflag"], scenario="--worktree flag")
    if VT >= (2, 1, 50):
        _, s, *_ = r.p("@@enterwt@@ go", c, scenario="EnterWorktree, session ends inside it", timeout=40)
        if s:
            r.p("@@hello@@ resumed from the main checkout", c, ["--resume", s], scenario="resume of it from the main checkout", timeout=40)
    if VT >= (2, 1, 200):
        r.p("@@toolsearch@@ go", c, scenario="ToolSearch, then deferred tools")
        r.p("@@workflow@@ go", c, scenario="Workflow tool", timeout=45)
        r.p("@@sendmsg@@ go", c, scenario="subagent, then SendMessage to it (resumed agent)", timeout=45)
    elif VT >= (2, 1, 9):
        r.p("@@agent_resume@@ go", c, scenario="Task tool with resume=agentId", timeout=45)
    e = {"CLAUDE_CODE_MAX_RETRIES": "1"}
    r.p("@@err|529@@ go", c, scenario="API error 529", env=e, timeout=45)
    r.p("@@err|529|1@@ go", c, scenario="529 once, then good", env=e)
    r.p("@@cut@@ go", c, scenario="connection cut in mid-stream", env=e)


@group
def shapes():
    """Shapes that came later; from 2.1.325 on."""
    if VT < (2, 1, 325):
        return
    c = W + "/shapes"
    project(c)
    r.p("@@toolsearch2@@ go", c, scenario="two ToolSearch calls and Bash in parallel, schedules")
    rc, s, _, _ = r.p("@@toolsearch@@ go", c, scenario="ToolSearch, then a second prompt")
    r.p("@@many|3@@ next", c, ["--resume", s or "x"], scenario="prompt after ToolSearch")
    r.p("/goal finish the mock @@many|5@@", c, scenario="goal in -p", timeout=40)
    r.p("@@sendmsg@@ go", c, scenario="messages between agents, second session")


@group
def paths():
    base = W
    for n in ["with space", "dot.ted_name", "UPPER-Case.Dir", "-leading", "ünïcödé", "日本語ディレクトリ", "emoji😀dir", "a+b@c#d$e(f)[g]&h=i,j;k!l~m%n^o'p",
              "nfd-e\u0301", ".hidden", "back\\slash"]:
        try:
            r.p("@@hello@@ path", base + "/" + n, scenario="path: " + repr(n))
        except OSError as e:
            print("path", n, e)
    for n in (199, 200, 201, 255, 256):
        c = base + "/L"
        while len(c) < n:
            c += "/" + "d" * min(40, n - len(c) - 1) if n - len(c) > 1 else "x"
        c = c[:n]
        r.p("@@hello@@ path", c, scenario="path of length %d" % len(c))
    u = base + "/" + "/".join(["日本語" * 10] * 7)
    r.p("@@hello@@ path", u, scenario="long path, all non-ASCII (%d chars, %d bytes)" % (len(u), len(u.encode())))
    os.makedirs(base + "/real-target", exist_ok=True)
    if not os.path.islink(base + "/sym_link"):
        os.symlink(base + "/real-target", base + "/sym_link")
    r.p("@@hello@@ path", base + "/sym_link", scenario="symlinked cwd sym_link -> real-target")
    c = base + "/gitmain"
    project(c)
    if not os.path.exists(base + "/git-wt"):
        git(c, "worktree", "add", "-q", "-b", "wt-branch", base + "/git-wt")
    r.p("@@hello@@ path", base + "/git-wt", scenario="git worktree")
    git(c, "checkout", "-q", "--detach")
    r.p("@@hello@@ path", c, scenario="detached HEAD")
    os.makedirs(base + "/emptygit", exist_ok=True)
    git(base + "/emptygit", "init", "-q", "-b", "trunk")
    r.p("@@hello@@ path", base + "/emptygit", scenario="git repo without a commit (trunk)")


MCP = '''import json, sys
for line in sys.stdin:
    m = json.loads(line)
    if "id" not in m: continue
    k = m["method"]
    if k == "initialize": res = {"protocolVersion": m["params"]["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": {"name": "mocksrv", "version": "1"}}
    elif k == "tools/list": res = {"tools": [{"name": "echo", "description": "echo", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}]}
    elif k == "tools/call": res = {"content": [{"type": "text", "text": "echo: " + m["params"]["arguments"].get("text", "")}], "structuredContent": {"echoed": True}}
    else: res = {}
    print(json.dumps({"jsonrpc": "2.0", "id": m["id"], "result": res}), flush=True)
'''

for g in GROUPS:
    if ONLY and g.__name__ not in ONLY:
        continue
    if time.time() - START > LIMIT:
        print("time limit: skipped", g.__name__)
        continue
    print("== %s %s (%.0fs)" % (V, g.__name__, time.time() - START), flush=True)
    try:
        g()
    except Exception:
        traceback.print_exc()
r.close()
print("== done %s %.0fs" % (V, time.time() - START))
