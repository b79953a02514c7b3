"""What the mock model says.  A script is a list of steps; a step is a dict:

  blocks   list of {"text"}, {"thinking"}, {"tool","input"}, {"raw"}
           (with optional hang / pause / cut / sse_error for mid-stream events)
  error    (http status, error type, message)
  raw      a body that is not JSON
  delay    seconds before anything is answered
"""
import json

T = lambda s, **k: dict({"text": s}, **k)
TH = lambda s: {"thinking": s}
U = lambda tool_, **inp: {"tool": tool_, "input": inp}
S = lambda *blocks, **k: dict({"blocks": list(blocks)}, **k)


def pick(ctx, *names):
    for n in names:
        if n in ctx["tools"]:
            return n
    return names[0]


def auxiliary(body, system, last):
    """Requests that the client makes on its own account (titles, summaries...)."""
    text = "\n".join(last)
    tools = [t.get("name") for t in body.get("tools") or []]
    fmt = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
    if isinstance(fmt, dict) and fmt.get("type") == "json_schema":
        schema = fmt.get("schema") or {}
        return {"kind": "json_schema", "step": S(T(json.dumps(from_schema(schema))))}
    if "create a detailed summary of" in text or "Your task is to create a detailed summary" in text:
        return {"kind": "compact", "step": S(T("<analysis>\nThe mock analysed the conversation.\n</analysis>\n\n"
                "<summary>\n1. Primary Request and Intent:\n   The user tests the mock.\n\n2. Pending Tasks: none\n</summary>"))}
    if "isNewTopic" in system:
        return {"kind": "topic", "step": S(T('{"isNewTopic": true, "title": "Mock topic"}'))}
    if body.get("max_tokens") == 1 or text.strip() in ("quota", "test"):
        return {"kind": "quota", "step": S(T("#"), stop_reason="max_tokens")}
    if "Command:" in text and "command_injection" in (system + text):
        return {"kind": "bash_prefix", "step": S(T("none"))}
    if "Web page content:" in text:
        return {"kind": "webfetch", "step": S(T("The page says hello."))}
    if "sentence-case title" in system + text or "Summarize this coding conversation" in system + text \
            or "under 50 characters" in system + text:
        return {"kind": "title", "step": S(T("Mock conversation title"))}
    if "[SUGGESTION MODE" in text:
        return {"kind": "suggestion", "step": S(T("run the tests"))}
    if "stepped away and is coming back" in text:
        return {"kind": "away", "step": S(T("You asked the mock a few things."))}
    if any(t.get("type", "").startswith("web_search_") for t in body.get("tools") or []):
        return {"kind": "web_search", "step": S(
            T("I'll search."),
            {"raw": {"type": "server_tool_use", "id": "srvtoolu_mock01", "name": "web_search", "input": {"query": "mock"}}},
            {"raw": {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_mock01", "content": [
                {"type": "web_search_result", "title": "Example", "url": "https://example.org/", "encrypted_content": "abc", "page_age": None}]}},
            T("Example says hello."))}
    if not tools and "@@" not in json.dumps(body.get("messages", [])[-1:] or ""):
        return {"kind": "no-tools", "step": S(T("Mock short answer"))}
    return None


def from_schema(s):
    t = s.get("type")
    if "enum" in s:
        return s["enum"][0]
    if t == "object":
        return {k: ("Mock json title" if k == "title" else "mock-branch" if k == "branch" else from_schema(v))
                for k, v in (s.get("properties") or {}).items()}
    if t == "array":
        return []
    if t == "boolean":
        return True
    if t in ("number", "integer"):
        return 1
    return "mock"


# ---------------------------------------------------------------- scripts
def hello(a, c):
    return [S(T("Hello from the mock. " + (a[0] if a else "")))]

def think(a, c):
    return [S(TH("Let me think about it: two and two."), T("It is four."))]

def write(a, c):            # cwd
    p = a[0] + "/notes.txt"
    return [S(T("I'll write it."), U("Write", file_path=p, content="alpha\nbeta\ngamma\n")),
            S(U("Read", file_path=p)),
            S(TH("Now edit."), T("Editing."), U("Edit", file_path=p, old_string="beta", new_string="BETA")),
            S(U("Edit", file_path=p, old_string="gamma", new_string="gamma\ndelta")),
            S(T("Done with notes.txt."))]

def edit(a, c):             # path, old, new
    return [S(U("Read", file_path=a[0])), S(U("Edit", file_path=a[0], old_string=a[1], new_string=a[2])), S(T("Edited."))]

def multiedit(a, c):
    p = a[0] + "/multi.txt"
    return [S(U("Write", file_path=p, content="one\ntwo\nthree\n")),
            S(U("MultiEdit", file_path=p, edits=[{"old_string": "one", "new_string": "1"},
                                                {"old_string": "two", "new_string": "2"}])),
            S(T("MultiEdit done."))]

def bash(a, c):
    return [S(U("Bash", command="echo out; echo err >&2", description="stdout and stderr")),
            S(U("Bash", command="echo failing; echo why >&2; exit 3", description="fails")),
            S(U("Bash", command="seq 1 20000", description="long output")),
            S(U("Bash", command="printf 'uni \\xc3\\xa9 \\xe2\\x82\\xac \\xf0\\x9f\\x98\\x80\\n\\x1b[31mred\\x1b[0m\\n'", description="unicode and ANSI")),
            S(T("Bash done."))]

def run(a, c):              # one command
    return [S(U("Bash", command=a[0], description="run")), S(T("Ran it."))]

def cd(a, c):
    return [S(U("Bash", command="cd " + a[0] + " && pwd", description="cd")), S(U("Bash", command="pwd", description="pwd")), S(T("Moved."))]

def search(a, c):
    return [S(U("Grep", pattern="alpha", path=a[0]), U("Glob", pattern="*.txt", path=a[0])),
            S(U("Grep", pattern="alpha", path=a[0], output_mode="content", **{"-n": True})),
            S(T("Search done."))]

def parallel(a, c):
    return [S(TH("Three at a time."), T("I'll run three."),
              U("Bash", command="echo one", description="one"),
              U("Bash", command="echo two", description="two"),
              U("Read", file_path=a[0] + "/notes.txt")),
            S(T("All three are back."))]

def todo(a, c):
    if "TodoWrite" in c["tools"]:
        mk = lambda *st: U("TodoWrite", todos=[{"content": "Task %d" % i, "status": s, "activeForm": "Doing task %d" % i}
                                               for i, s in enumerate(st, 1)])
        return [S(mk("in_progress", "pending")), S(mk("completed", "in_progress")), S(T("Todos written."))]
    return [S(U("TaskCreate", subject="First task", description="Do the first", activeForm="Doing the first"),
              U("TaskCreate", subject="Second task", description="Do the second", activeForm="Doing the second")),
            S(U("TaskUpdate", taskId="1", status="in_progress")),
            S(U("TaskUpdate", taskId="2", addBlockedBy=["1"])),
            S(U("TaskList")), S(U("TaskGet", taskId="1")),
            S(U("TaskUpdate", taskId="1", status="completed")),
            S(T("Tasks written."))]

def webfetch(a, c):
    return [S(U("WebFetch", url="https://example.org/", prompt="What does it say?")), S(T("No network."))]

def websearch(a, c):
    return [S(U("WebSearch", query="mock query")), S(T("Searched."))]

def notebook(a, c):
    p = a[0] + "/nb.ipynb"
    return [S(U("Read", file_path=p)), S(U("NotebookEdit", notebook_path=p, cell_id="c1", new_source="print(2)")), S(T("Notebook done."))]

def readfile(a, c):
    return [S(U("Read", file_path=a[0])), S(T("I have read it."))]

def badtool(a, c):
    return [S(U("NoSuchTool", x=1)), S(U("Read", wrong="field")), S(U("Read", file_path="/nonexistent/file")), S(T("Errors seen."))]

def agent(a, c):            # type, [description], [inner directive]
    n = pick(c, "Task", "Agent")
    kind = a[0] if a else "general-purpose"
    inner = a[1] if len(a) > 1 else "sub_bash"
    return [S(T("I'll delegate."), U(n, description="Delegated work", prompt="Please do it. @" + "@" + inner + "@" + "@", subagent_type=kind)),
            S(T("The agent is back."))]

def agents2(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="First agent", prompt="@" + "@sub_bash@" + "@", subagent_type="general-purpose"),
              U(n, description="Second agent", prompt="@" + "@sub_plain@" + "@", subagent_type="general-purpose")),
            S(T("Both agents are back."))]

def agent_bg(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="Background agent", prompt="@" + "@sub_slow@" + "@", subagent_type="general-purpose", run_in_background=True)),
            S(T("Started in the background.")), S(T("Noted the notification."))]

def agent_nested(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="Outer agent", prompt="@" + "@sub_nest@" + "@", subagent_type="general-purpose")), S(T("Nested back."))]

def sub_nest(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="Inner agent", prompt="@" + "@sub_plain@" + "@", subagent_type="general-purpose")), S(T("Outer done."))]

def sub_plain(a, c):
    return [S(T("Subagent's plain answer."))]

def sub_bash(a, c):
    return [S(TH("Sub thinks."), T("Sub runs."), U("Bash", command="echo sub", description="sub")), S(T("Subagent finished."))]

def sub_slow(a, c):
    return [S(U("Bash", command="sleep 2; echo slow", description="slow")), S(T("Slow subagent finished."))]

def sub_err(a, c):
    return [dict(error=(400, "invalid_request_error", "mock: bad request in subagent"))]

def agent_err(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="Failing agent", prompt="@" + "@sub_err@" + "@", subagent_type="general-purpose")), S(T("The agent failed."))]

def agent_long(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="Long agent", prompt="@" + "@sub_hang@" + "@", subagent_type="general-purpose")), S(T("Back."))]

def sub_hang(a, c):
    return [S(U("Bash", command="echo before-hang", description="x")), S(T("Sub hangs.", hang=30))]

def skill(a, c):
    return [S(U("Skill", skill=a[0], command=a[0])), S(T("Skill used."))]

def ask(a, c):
    return [S(U("AskUserQuestion", questions=[{"question": "Which colour?", "header": "Colour", "multiSelect": False,
              "options": [{"label": "Red", "description": "the red one"}, {"label": "Blue", "description": "the blue one"}]}])),
            S(T("Thanks for the answer."))]

def plan(a, c):             # for plan mode: path of the plan file, if any was given in the system prompt
    import re
    m = re.search(r"(/[^\s`]*?/plans/[^\s`]+?\.md)", json.dumps(c["body"].get("messages")) + c["system"])
    body = "# Mock plan\n\n1. Do the first thing\n2. Do the second thing\n"
    if m:
        return [S(U("Write", file_path=m.group(1), content=body)), S(U("ExitPlanMode", plan=body)), S(T("Plan approved, doing it."))]
    return [S(U("ExitPlanMode", plan=body)), S(T("Plan approved, doing it."))]

def enterplan(a, c):
    return [S(U("EnterPlanMode"))] + plan(a, c)

def bgbash(a, c):
    return [S(U("Bash", command="sleep 3; echo bg-done", description="bg", run_in_background=True)), S(T("Started in background.")), S(T("Seen."))]

def slow(a, c):             # seconds
    return [S(T("Slow start. ", hang=float(a[0]) if a else 20), T("Slow end."))]

def slowtool(a, c):
    return [S(T("A slow tool."), U("Bash", command="sleep " + (a[0] if a else "20"), description="sleep")), S(T("Slow tool ended."))]

def toolthenhang(a, c):
    return [S(T("First."), U("Bash", command="echo quick", description="quick")), S(TH("hanging now"), T("Second hangs.", hang=30), T("end"))]

def hangmid(a, c):
    return [S(T("A partial text that never ends.", hang_before_stop=30))]

def bigtext(a, c):
    return [S(T("x" * 300 + "\n" + "lorem ipsum é € 😀\u2028line sep\u2029para\x7f\tTab \"quote\" \\ back </script> " * 400))]

def cut(a, c):
    if hit(c) == 1:
        return [S(T("Half an answer.", cut=True))]
    return [S(T("Second try succeeded."))]

def sseerr(a, c):
    if hit(c) == 1:
        return [S(T("Half.", sse_error=True))]
    return [S(T("After the stream error."))]

def hit(c):
    k = str(c["key"])
    c["hits"][k] = c["hits"].get(k, 0) + 1
    return c["hits"][k]

def err(a, c):              # status, how many times
    code = int(a[0])
    kind = {401: "authentication_error", 403: "permission_error", 404: "not_found_error", 400: "invalid_request_error",
            413: "request_too_large", 429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"}.get(code, "api_error")
    if hit(c) <= (int(a[1]) if len(a) > 1 else 10 ** 6):
        return [dict(error=(code, kind, "mock error %d" % code))] * 99
    return [S(T("Recovered after %d." % code))]

def badjson(a, c):
    return [dict(raw="this is <not> json")] * 99

def toolong(a, c):
    if hit(c) <= 1:
        return [dict(error=(400, "invalid_request_error", "prompt is too long: 213462 tokens > 200000 maximum"))]
    return [S(T("Fits now."))]

def maxtok(a, c):
    return [S(T("Cut by max tokens"), stop_reason="max_tokens"), S(T("continuation"))]

def refusal(a, c):
    return [S(T("I can't help with this"), stop_reason="refusal")]

def redacted(a, c):
    return [S({"raw": {"type": "redacted_thinking", "data": "RedactedMockData=="}}, T("After redacted thinking."))]

def pr(a, c):
    return [S(U("Bash", command="gh pr create --title x --body y", description="create the PR")), S(T("PR made."))]

def commit(a, c):
    return [S(U("Bash", command="git add -A && git commit -q -m 'mock commit' && git log --oneline | head -1", description="commit")), S(T("Committed."))]

def checkout(a, c):
    return [S(U("Bash", command="git checkout -q -b " + a[0], description="branch")), S(T("On a new branch."))]

def full(a, c):             # huge usage, to provoke automatic compaction
    return [S(T("Context is nearly full."), cache_read=int(a[0]) if a else 195000)]

def mcp(a, c):
    return [S(U("mcp__mocksrv__echo", text="hi mcp")), S(T("MCP done."))]

def worktree(a, c):
    return [S(U("EnterWorktree", name="wt-mock")), S(U("Bash", command="pwd", description="pwd")), S(U("ExitWorktree", action="keep")), S(T("Worktree done."))]

def enterwt(a, c):
    return [S(U("EnterWorktree", name="wt-stay")), S(U("Bash", command="pwd", description="pwd")), S(T("Staying in the worktree."))]

def cron(a, c):
    return [S(U("CronCreate", cron="*/5 * * * *", prompt="ping", recurring=True)), S(U("CronList")), S(T("Cron done."))]

def anytool(a, c):          # tool name, JSON with ~ in the place of |
    return [S(U(a[0], **json.loads(a[1].replace("~", "|")))), S(T("Tool %s called." % a[0]))]

def many(a, c):
    return [S(T("Answer number " + (a[0] if a else "0")))]


def toolsearch(a, c):
    return [S(U("ToolSearch", query="select:WebFetch,NotebookEdit,CronList", max_results=5)), S(U("CronList")), S(T("Searched for tools."))]

def toolsearch2(a, c):      # two searches and another call beside them
    return [S(U("ToolSearch", query="select:WebFetch", max_results=1), U("Bash", command="echo beside", description="beside"), U("ToolSearch", query="select:CronList,CronCreate", max_results=2)),
            S(U("CronCreate", cron="*/5 * * * *", prompt="ping", recurring=True)), S(U("CronList")), S(T("Searched twice, scheduled."))]

def last_agent_id(c):
    import re
    m = re.findall(r"agent(?:Id|_id)[^0-9a-z]{1,6}([a-z0-9-]{6,40})", json.dumps(c["body"].get("messages")))
    return m[-1] if m else "none"

def agent_resume(a, c):
    n = pick(c, "Task", "Agent")
    k = dict(description="Delegated work", prompt="@" + "@sub_plain@" + "@", subagent_type="general-purpose")
    return [S(U(n, **k)), S(U(n, resume=last_agent_id(c), **dict(k, prompt="@" + "@sub_bash@" + "@ go on"))), S(T("Both done."))]

def sendmsg(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="Named agent", prompt="@" + "@sub_plain@" + "@", subagent_type="general-purpose", name="helper")),
            S(U("ToolSearch", query="select:SendMessage", max_results=1)) if "SendMessage" not in c["tools"] else S(T("(has SendMessage)"), U("Bash", command="true", description="nothing")),
            S(U("SendMessage", to=last_agent_id(c), summary="go on", message="@" + "@sub_bash@" + "@ go on")),
            S(U("Bash", command="sleep 4", description="wait")), S(T("Message sent.")), S(T("Noted."))]

def workflow(a, c):
    js = "export const meta = {name: 'mock-flow', description: 'mock'}\nconst a = await agent('@" + "@sub_plain@" + "@')\nreturn a"
    return [S(U("Workflow", script=js)), S(U("Bash", command="sleep 5", description="wait")), S(T("Workflow started.")), S(T("Noted."))]

def agent_iso(a, c):
    n = pick(c, "Task", "Agent")
    return [S(U(n, description="Isolated", prompt="@" + "@sub_bash@" + "@", subagent_type="general-purpose", isolation="worktree")), S(T("Isolated agent back."))]


TABLE = {k: v for k, v in list(globals().items()) if callable(v) and k not in
         ("T", "TH", "U", "S", "pick", "auxiliary", "from_schema", "hit", "last_agent_id")}


def step(name, args, n, ctx):
    if name is None:
        return S(T("Mock default answer."))
    fn = TABLE.get(name)
    if fn is None:
        return S(T("Mock knows no script called " + name))
    steps = fn(args, ctx)
    return steps[n] if n < len(steps) else S(T("Mock: script %s has ended." % name))
