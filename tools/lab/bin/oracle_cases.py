#!/usr/bin/env python3
"""oracle_cases.py VERSION [-j N] [case...] : what the real client sends on --resume of genuine and of mutated sessions.

Takes the sessions from trees/VERSION (scrubbed), writes oracle/VERSION/<case>/{session.jsonl,case.json,sent.json}.
Cases `order-*` are made up (order.py); for them alone (`order`) no run of the scenarios is needed, only trees/VERSION.
Run from outside; each case gets its own namespaces and its own home.
"""
import concurrent.futures, copy, json, os, random, shutil, subprocess, sys, tempfile, uuid
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import order
from enc import folder
ROOT = os.environ.get("LAB_ROOT") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
dump = lambda d: json.dumps(d, separators=(",", ":"), ensure_ascii=False)

# case -> (start of the manifest's scenario, what has to be in the file)
GENUINE = [
    ("plain", "plain question, one turn", ""), ("multi-turn", "plain question, resumed, forked", ""), ("base", "oracle base: think", ""),
    ("tools", "Write, Read, Edit, Edit (git repo)", ""), ("parallel", "parallel tool calls, one turn", ""), ("thinking", "thinking, one turn", ""),
    ("redacted-thinking", "redacted thinking", ""), ("subagent-parent", "subagent general-purpose", ""), ("subagents-parallel", "two subagents in parallel", ""),
    ("subagent-background", "subagent in background", ""), ("subagent-killed", "SIGKILL while a subagent works", ""),
    ("compacted-manual", "compacted by hand, once", ""), ("compacted-twice", "fork after compaction", ""), ("compacted-auto", "automatic compaction: first turn", ""),
    ("compacted-too-long", "prompt too long: first turn", ""), ("summarized-from-here", "TUI: summarize from here", ""),
    ("rewound", "TUI: rewind: restore", ""), ("forked", "--fork-session of", ""), ("branched", "TUI: branch: /branch", '"forkedFrom"'),
    ("interrupted-stream", "SIGINT in mid-stream", ""), ("interrupted-tool", "SIGINT while a tool runs", ""), ("killed-stream", "SIGKILL in mid-stream", ""),
    ("killed-after-result", "SIGKILL after a tool result", ""), ("killed-in-tool", "SIGKILL while a tool runs", ""), ("killed-tui-resumed", "TUI: TUI SIGKILLed", ""),
    ("api-error", "API error in the second turn", ""), ("images", "stream-json input: image", ""), ("image-read", "Read a PNG", ""),
    ("queued", "control_request interrupt in a tool", ""), ("tui-many-features", "TUI: main: many features", ""), ("renamed", "TUI: misc commands", "@@hello@@ first"),
    ("named", "--name", ""), ("hooks-in-chain", "hooks: all good", ""), ("mentions", "@-mentions of files", ""), ("max-tokens", "stop_reason max_tokens", ""), ("refusal", "stop_reason refusal", ""),
    ("tui-background", "TUI: background bash and agent", ""), ("plan-approved", "TUI: plan mode, plan approved", ""), ("cleared", "TUI: clear: /clear", "/clear"),
    ("asked", "TUI: AskUserQuestion answered", ""), ("permission-denied", "TUI: permission prompts", ""), ("mcp", "MCP tool", ""), ("cd", "cd to a subdirectory", ""),
    # recorded from 2.1.327 on
    ("command", "custom slash command /hi", ""), ("agent-defined", "custom agent from", ""), ("agents-nested", "nested subagents", ""), ("agent-failed", "subagent with an API error", ""),
    ("agent-resumed-with", "subagent, then resume with", ""), ("forked-with-agents", "fork of a session with subagents", ""), ("hooks-agent", "hooks: subagent", ""),
    ("hooks-block", "hooks: PreToolUse blocks", ""), ("plan-headless", "plan mode in -p", ""), ("grep-glob", "Grep + Glob", ""), ("todo", "TodoWrite", ""), ("web-search", "WebSearch", ""),
    ("notebook", "Read + NotebookEdit", ""), ("pdf", "Read a PDF", ""), ("bad-tools", "unknown tool, bad input", ""), ("skill", "Skill tool", ""), ("bash-background", "Bash run_in_background", ""),
    ("pull-request", "gh pr create", ""), ("long-line", "Bash one line of", ""), ("denied-headless", "permission denied in -p", ""), ("branch-switched", "git checkout -b", ""),
    ("tool-search", "ToolSearch, then", ""), ("workflow", "Workflow tool", ""),
    ("agent-messaged", "subagent, then SendMessage", ""), ("error-529", "API error 529", ""), ("error-then-good", "529 once", ""), ("stream-cut", "connection cut", ""),
    ("tui-forked", "TUI: fork: /fork", ""), ("plan-rejected", "TUI: plan mode, plan rejected", ""),
    ("tools-searched-twice", "two ToolSearch calls", ""), ("tool-search-then-prompt", "ToolSearch, then a second", ""), ("goal-headless", "goal in -p", ""), ("agents-messaged", "messages between agents", ""),
    ("plan-cleared", "TUI: plan mode, context cleared", "before the plan"), ("two-clients", "TUI: two clients in one directory, the second", "of the second"),
    ("open-twice", "TUI: two clients in one directory", "which does not know"),
]


def manifest(v):
    return [json.loads(l) for l in open("%s/home-%s/manifest.jsonl" % (ROOT, v))]


def find(v, start, needle=""):
    for m in manifest(v):
        if str(m[1]).startswith(start):
            p = "%s/trees/%s/projects/%s/%s.jsonl" % (ROOT, v, folder(m[2], v), m[0])
            if os.path.exists(p):
                data = open(p, "rb").read()
                if needle.encode() in data:
                    return m[0], m[2], data, m[1]
    return None


def content(d):
    c = (d.get("message") or {}).get("content") if isinstance(d.get("message"), dict) else None
    return c if isinstance(c, list) else [{"type": "text", "text": c}] if isinstance(c, str) else []


class Base:
    """The genuine session that the mutations start from."""
    def __init__(self, data):
        self.raw = data.decode().split("\n")[:-1]
        self.d = [json.loads(l) for l in self.raw]
        self.msgs = [i for i, d in enumerate(self.d) if d.get("type") in ("user", "assistant")]

    def where(self, f):
        return next(i for i in self.msgs if f(self.d[i]))

    def prompt(self, text):
        return self.where(lambda d: d["type"] == "user" and any(text in str(b.get("text")) for b in content(d)))

    def said(self, text):
        return self.where(lambda d: d["type"] == "assistant" and any(b.get("text") == text for b in content(d)))

    def use(self, name, n=0):
        return [i for i in self.msgs if any(b.get("type") == "tool_use" and b.get("name") == name for b in content(self.d[i]))][n]

    def result_of(self, i):
        ids = {b.get("id") for b in content(self.d[i])}
        return self.where(lambda d: d["type"] == "user" and any(b.get("tool_use_id") in ids for b in content(d)))

    def edit(self, changes):
        """{line: function on the parsed object} -> lines"""
        out = list(self.raw)
        for i, f in changes.items():
            d = copy.deepcopy(self.d[i])
            f(d)
            out[i] = dump(d)
        return out


def mutations(b, sid, v, compacted):
    """(case, what was done, bytes, session id of the file)"""
    R, D, M = b.raw, b.d, b.msgs
    J = lambda lines: ("\n".join(lines) + "\n").encode()
    without = lambda *idx: J([l for i, l in enumerate(R) if i not in idx])
    other = "0a0b0c0d-1111-4222-8333-444455556666"
    ghost = "99999999-9999-4999-8999-999999999999"
    mid = M[len(M) // 2]
    p2, p3, p4 = b.prompt("second, write"), b.prompt("third, in parallel"), b.prompt("fourth")
    t1, t2, t3, t4 = b.said("It is four."), b.said("Done with notes.txt."), b.said("All three are back."), b.said("Answer number 4")
    read, rread = b.use("Read", 0), b.result_of(b.use("Read", 0))
    bash1, bash2 = b.use("Bash", 0), b.use("Bash", 1)
    U = lambda i: D[i]["uuid"]
    S = lambda k, x: (lambda d: d.__setitem__(k, x))
    yield "mut-middle-line-deleted", "message line %d (%s) deleted" % (mid + 1, D[mid]["type"]), without(mid), sid
    yield "mut-assistant-deleted", "line %d, the assistant text that ends turn 2, deleted" % (t2 + 1), without(t2), sid
    yield "mut-prompt-deleted", "line %d, the user prompt of turn 3, deleted" % (p3 + 1), without(p3), sid
    yield "mut-first-prompt-deleted", "line %d, the first user prompt, deleted" % (M[0] + 1), without(M[0]), sid
    yield "mut-tool-result-deleted", "line %d, the result of Read in turn 2, deleted (orphan tool_use)" % (rread + 1), without(rread), sid
    yield "mut-parallel-result-deleted", "line %d, the result of the first of three parallel calls, deleted" % (b.result_of(bash1) + 1), without(b.result_of(bash1)), sid
    yield "mut-parallel-use-deleted", "line %d, the second of three parallel tool_use lines, deleted" % (bash2 + 1), without(bash2), sid
    yield "mut-tool-use-deleted", "line %d, the tool_use of Read in turn 2, deleted (orphan tool_result)" % (read + 1), without(read), sid
    yield "mut-last-assistant-deleted", "line %d, the last answer, deleted (the last prompt has no answer)" % (t4 + 1), without(t4), sid
    last = R[-1]
    yield "mut-torn-last-line", "last line cut in half, no newline (type %s)" % D[-1].get("type"), (J(R[:-1]) if len(R) > 1 else b"") + last[:len(last) // 2].encode(), sid
    yield "mut-torn-last-message", "file cut in the middle of line %d, the last answer, no newline" % (t4 + 1), J(R[:t4]) + R[t4][:len(R[t4]) // 2].encode(), sid
    yield "mut-torn-middle-line", "line %d (assistant text that ends turn 2) cut in half, its newline kept" % (t2 + 1), J(R[:t2] + [R[t2][:len(R[t2]) // 2]] + R[t2 + 1:]), sid
    yield "mut-glued", "newline between lines %d and %d removed: two objects on one line" % (t2, t2 + 1), (J(R[:t2])[:-1] + J(R[t2:])), sid
    yield "mut-glued-next", "newline between lines %d (the answer that ends turn 2) and %d removed" % (t2 + 1, t2 + 2), (J(R[:t2 + 1])[:-1] + J(R[t2 + 1:])), sid
    m1 = b.result_of(read)
    yield "mut-glued-messages", "lines %d (Read, tool_use) and %d (its result) put on one line, nothing between" % (read + 1, m1 + 1), J(R[:read] + [R[read] + R[m1]] + [l for i, l in enumerate(R) if i > read and i != m1]), sid
    yield "mut-fused-tail", "line %d torn in half and the following line glued to it" % (t2 + 1), J(R[:t2] + [R[t2][:len(R[t2]) // 2] + R[t2 + 1]] + R[t2 + 2:]), sid
    yield "mut-nul-run", "a line of 512 NUL bytes put in before line %d" % (p3 + 1), J(R[:p3]) + b"\0" * 512 + b"\n" + J(R[p3:]), sid
    yield "mut-nul-hole", "line %d (assistant text that ends turn 2) overwritten by NUL bytes, newline included" % (t2 + 1), J(R[:t2]) + b"\0" * (len(R[t2].encode()) + 1) + J(R[t2 + 1:]), sid
    seg = [i for i in range(p2, p3)]
    yield "mut-duplicate-lines", "lines %d to %d (turn 2) written twice in a row" % (p2 + 1, p3), J(R[:p3] + [R[i] for i in seg] + R[p3:]), sid
    alt = copy.deepcopy(D[t1])
    alt["message"]["content"] = [{"type": "text", "text": "It is five (second line with the same uuid)."}]
    yield "mut-duplicate-uuid", "a second line with the uuid of the first answer but another text put at the end", J(R + [dump(alt)]), sid
    yield "mut-cycle", "parentUuid of the first prompt set to the answer that ends turn 2 (a cycle)", J(b.edit({M[0]: S("parentUuid", U(t2))})), sid
    yield "mut-self-parent", "parentUuid of turn 3's prompt set to its own uuid", J(b.edit({p3: S("parentUuid", U(p3))})), sid
    yield "mut-dangling-parent", "parentUuid of turn 3's prompt set to a uuid that is in no line", J(b.edit({p3: S("parentUuid", ghost)})), sid
    dm = b.edit({p3: S("parentUuid", ghost)})
    keepm = lambda lo, hi: [dm[i] for i in range(lo, hi) if "uuid" in D[i]]
    yield "mut-dangling-moved", "side notes taken out; parentUuid of turn 3's prompt dangles, and turns 3 and 4 stand right after the first answer (before turn 2); a last-prompt line with leafUuid = the last answer at the end", \
        J(keepm(0, t1 + 1) + keepm(p3, len(R)) + keepm(t1 + 1, p3) + [dump({"type": "last-prompt", "lastPrompt": "fourth", "leafUuid": U(t4), "sessionId": sid})]), sid
    late = {i: (lambda d, n=i: d.__setitem__("timestamp", "2027-01-01T00:00:%02d.000Z" % (n - p2))) for i in range(p2, p3) if "timestamp" in D[i] and i - p2 < 60}
    late[p3] = S("parentUuid", ghost)
    yield "mut-dangling-times", "parentUuid of turn 3's prompt dangles, and the lines of turn 2 have later timestamps than all others (order of lines kept)", J(b.edit(late)), sid
    yield "mut-null-parent", "parentUuid of turn 3's prompt set to null (a second root)", J(b.edit({p3: S("parentUuid", None)})), sid
    sh = list(R)
    random.Random(7).shuffle(sh)
    yield "mut-shuffled", "all lines shuffled (random.Random(7))", J(sh), sid
    yield "mut-reversed", "all lines in reverse order", J(R[::-1]), sid
    yield "mut-crlf", "CRLF line ends", ("\r\n".join(R) + "\r\n").encode(), sid
    yield "mut-bom", "a UTF-8 byte order mark at the start", b"\xef\xbb\xbf" + J(R), sid
    yield "mut-blank-lines", "an empty line after each line", J([x for l in R for x in (l, "")]), sid
    half = len(R) // 2
    yield "mut-half-other-session", "sessionId of another session on the lines from %d on" % (half + 1), J(b.edit({i: S("sessionId", other) for i in range(half, len(R)) if "sessionId" in D[i]})), sid
    yield "mut-renamed-file", "file name (session id asked for) differs from the sessionId on every line", J(R), other
    yield "mut-no-sessionid", "sessionId taken out of every line", J(b.edit({i: (lambda d: d.pop("sessionId")) for i in range(len(R)) if "sessionId" in D[i]})), sid
    ts = [i for i in range(len(R)) if "timestamp" in D[i]]
    yield "mut-timestamps-equal", "all timestamps equal", J(b.edit({i: S("timestamp", "2026-01-01T00:00:00.000Z") for i in ts})), sid
    yield "mut-timestamps-missing", "timestamp taken out of every line", J(b.edit({i: (lambda d: d.pop("timestamp")) for i in ts})), sid
    rev = sorted((D[i]["timestamp"] for i in ts), reverse=True)
    yield "mut-timestamps-reversed", "timestamps in descending order (the first line has the latest)", J(b.edit({i: S("timestamp", rev[n]) for n, i in enumerate(ts)})), sid
    unk = [dump({"type": "my-own-note", "sessionId": sid, "x": 1})]
    u = str(uuid.UUID(int=0x1234, version=4))
    chain = dump({"parentUuid": U(t2), "isSidechain": False, "type": "my-own-kind", "uuid": u, "timestamp": D[t2]["timestamp"], "sessionId": sid, "content": "x"})
    yield "mut-unknown-types", "two lines of unknown types without uuid put in before line %d" % (p3 + 1), J(R[:p3] + unk * 2 + R[p3:]), sid
    lines = b.edit({p3: S("parentUuid", u)})
    yield "mut-unknown-type-in-chain", "a line of an unknown type with uuid put between turn 2 and turn 3, turn 3's prompt hangs on it", J(lines[:p3] + [chain] + lines[p3:]), sid
    def settext(x):
        return lambda d: d["message"].__setitem__("content", [dict(c, text=x) if c.get("type") == "text" else c for c in d["message"]["content"]])
    yield "mut-empty-text", "the text of the first answer set to the empty string", J(b.edit({t1: settext("")})), sid
    yield "mut-blank-text", "the text of the first answer set to one newline", J(b.edit({t1: settext("\n")})), sid
    yield "mut-empty-content", "content of turn 2's last answer set to an empty list", J(b.edit({t2: lambda d: d["message"].__setitem__("content", [])})), sid
    th = [i for i in M if any(c.get("type") == "thinking" for c in content(D[i]))]
    def setthink(d):
        for c in d["message"]["content"]:
            if c.get("type") == "thinking":
                c["thinking"] = ""
    yield "mut-empty-thinking", "the thinking of each thinking block set to the empty string, signatures kept", J(b.edit({i: setthink for i in th})), sid
    yield "mut-thinking-last", "everything after the thinking line of turn 3 deleted (the session ends in a thinking block)", J(R[:[i for i in th if i > p3][0] + 1]), sid
    yield "mut-summary-dangling", "a summary line whose leafUuid is in no line put at the start", J([dump({"type": "summary", "summary": "Dangling summary", "leafUuid": ghost})] + R), sid
    yield "mut-summary-midleaf", "a summary line whose leafUuid is the answer that ends turn 2 put at the end", J(R + [dump({"type": "summary", "summary": "Summary of the middle", "leafUuid": U(t2)})]), sid
    yield "mut-last-prompt-midleaf", "a last-prompt line with leafUuid = the answer that ends turn 2 put at the end", J(R + [dump({"type": "last-prompt", "lastPrompt": "second", "leafUuid": U(t2), "sessionId": sid})]), sid
    # second branches
    def branch(stamp):
        q, a = copy.deepcopy(D[p4]), copy.deepcopy(D[t4])
        q.update(uuid="aaaaaaaa-0000-4000-8000-000000000001", parentUuid=U(t1), timestamp=stamp + "1.000Z")
        q["message"]["content"] = "branch question" if isinstance(q["message"]["content"], str) else [{"type": "text", "text": "branch question"}]
        a.update(uuid="aaaaaaaa-0000-4000-8000-000000000002", parentUuid=q["uuid"], timestamp=stamp + "2.000Z")
        a["message"].update(id="msg_branch01", content=[{"type": "text", "text": "branch answer"}])
        return [dump(q), dump(a)]
    yield "mut-branch-late-at-end", "a second branch (hangs on the first answer) with the latest timestamps at the end", J(R + branch("2027-01-01T00:00:0")), sid
    yield "mut-branch-early-at-end", "a second branch (hangs on the first answer) with the earliest timestamps at the end", J(R + branch("2020-01-01T00:00:0")), sid
    yield "mut-branch-late-in-middle", "a second branch (hangs on the first answer) with the latest timestamps put in after the first answer", J(R[:t1 + 1] + branch("2027-01-01T00:00:0") + R[t1 + 1:]), sid
    only = [i for i in range(len(R)) if "uuid" in D[i]]          # without side notes: no last-prompt, no summary
    k1 = only.index(t1) + 1
    O = [R[i] for i in only]
    yield "mut-notes-gone-branch-late-at-end", "all lines without uuid taken out; a second branch with the latest timestamps at the end", J(O + branch("2027-01-01T00:00:0")), sid
    yield "mut-notes-gone-branch-early-at-end", "all lines without uuid taken out; a second branch with the earliest timestamps at the end", J(O + branch("2020-01-01T00:00:0")), sid
    yield "mut-notes-gone-branch-late-in-middle", "all lines without uuid taken out; a second branch with the latest timestamps put in after the first answer", J(O[:k1] + branch("2027-01-01T00:00:0") + O[k1:]), sid
    yield "mut-notes-gone-reversed", "all lines without uuid taken out; the others in reverse order", J(O[::-1]), sid
    yield "mut-notes-gone-bom", "all lines without uuid taken out; a byte order mark before the first prompt's line", b"\xef\xbb\xbf" + J(O), sid
    yield "mut-notes-gone-sidechain-tail", "all lines without uuid taken out; isSidechain:true on the lines of turn 4", J([l for i, l in enumerate(b.edit({i: S("isSidechain", True) for i in (p4, t4)})) if i in only]), sid
    yield "mut-last-prompt-branch", "a second branch (hangs on the first answer) at the end, then a last-prompt line with leafUuid = its answer", \
        J(R + branch("2027-01-01T00:00:0") + [dump({"type": "last-prompt", "lastPrompt": "branch question", "leafUuid": "aaaaaaaa-0000-4000-8000-000000000002", "sessionId": sid})]), sid
    lp = lambda leaf, **k: dump(dict({"type": "last-prompt", "lastPrompt": "x", "leafUuid": leaf, "sessionId": sid}, **k))
    yield "mut-last-prompt-above-fork", "a second branch at the end, then a last-prompt line with leafUuid = the first answer (above the fork)", J(R + branch("2027-01-01T00:00:0") + [lp(U(t1))]), sid
    yield "mut-last-prompt-dangling", "a second branch at the end, then a last-prompt line whose leafUuid is in no line", J(R + branch("2027-01-01T00:00:0") + [lp(ghost)]), sid
    yield "mut-last-prompt-zero", "a second branch at the end, then a last-prompt line with leafUuid 00000000-0000-0000-0000-000000000000, explicit:true", \
        J(R + branch("2027-01-01T00:00:0") + [lp("00000000-0000-0000-0000-000000000000", explicit=True)]), sid
    yield "mut-last-prompt-explicit", "a last-prompt line with leafUuid = the answer that ends turn 2 and explicit:true at the end", J(R + [lp(U(t2), explicit=True)]), sid
    yield "mut-other-model", "message.model of each assistant line set to another model", J(b.edit({i: (lambda d: d["message"].__setitem__("model", "claude-other-1-0")) for i in M if D[i]["type"] == "assistant"})), sid
    yield "mut-sidechain-tail", "isSidechain:true on the lines of turn 4", J(b.edit({i: S("isSidechain", True) for i in (p4, t4)})), sid
    yield "mut-only-messages", "only user and assistant lines kept", J([R[i] for i in M]), sid
    yield "mut-spaces-key-order", "JSON with spaces, non-ASCII escaped, keys in reverse order", J([json.dumps(dict(reversed(list(d.items())))) for d in D]), sid
    yield "mut-no-model", "message.model taken out of each assistant line", J(b.edit({i: (lambda d: d["message"].pop("model", None)) for i in M if D[i]["type"] == "assistant"})), sid
    yield "mut-garbage-line", "a line `{not json` put in before line %d" % (p3 + 1), J(R[:p3] + ["{not json"] + R[p3:]), sid
    yield "mut-zero-bytes", "the file is empty", b"", sid
    notes = [l for i, l in enumerate(R) if "uuid" not in D[i]]
    notes = notes or [dump({"type": "summary", "summary": "Only a note", "leafUuid": ghost})]
    yield "mut-only-side-notes", "only the lines without uuid kept (a summary line where there was none)", J(notes), sid
    yield "mut-newlines-only", "three newlines", b"\n\n\n", sid
    if compacted:
        csid, ccwd, cdata, _ = compacted
        c = Base(cdata)
        bd = [i for i, d in enumerate(c.d) if d.get("subtype") == "compact_boundary"]
        sm = [i for i, d in enumerate(c.d) if d.get("isCompactSummary")]
        if bd and sm:
            yield "mut-boundary-no-metadata", "compacted-manual with compactMetadata taken out of the boundary", J(c.edit({i: (lambda d: d.pop("compactMetadata", None)) for i in bd})), (csid, ccwd)
            yield "mut-boundary-deleted", "compacted-manual with the compact_boundary line deleted", J([l for i, l in enumerate(c.raw) if i not in bd]), (csid, ccwd)
            yield "mut-summary-deleted", "compacted-manual with the summary message deleted", J([l for i, l in enumerate(c.raw) if i not in sm]), (csid, ccwd)
            yield "mut-boundary-no-logical-parent", "compacted-manual with logicalParentUuid taken out of the boundary", J(c.edit({i: (lambda d: d.pop("logicalParentUuid", None)) for i in bd})), (csid, ccwd)
            yield "mut-boundary-last", "compacted-manual cut right after the compact_boundary line", J(c.raw[:bd[0] + 1]), (csid, ccwd)


def before_compaction(v):
    """The TUI session with many features, cut before its compaction (queued prompts, interruptions, bash mode, paste, rename)."""
    g = find(v, "TUI: main: many features", "compact_boundary")
    if g:
        lines = g[2].decode().split("\n")
        cut = next(i for i, l in enumerate(lines) if '"subtype":"compact_boundary"' in l)
        yield "mut-tui-cut-before-compaction", "tui-many-features cut before its compact_boundary (queued prompts, interruptions, bash mode, paste, rename)", \
            ("\n".join(lines[:cut]) + "\n").encode(), (g[0], g[1])


def orders(v):
    """Small made-up sessions with lines out of order, a few of each family."""
    for k, p in enumerate(order.probes(7, 5, order.FAMILIES)):
        sid = "%08x-1111-4222-8333-444455556666" % k
        if p.name.startswith("note") and tuple(map(int, v.split("."))) < (2, 1, 91):       # no attachments in the chain before
            continue
        yield "order-" + p.name, "made up (order.py): " + " ".join(p.words()), p.bytes(sid, v), sid


def run(v, case, what, data, sid, cwd, origin, genuine):
    out = "%s/oracle/%s/%s" % (ROOT, v, case)
    os.makedirs(out, exist_ok=True)
    os.makedirs(ROOT + "/otmp", exist_ok=True)
    H = tempfile.mkdtemp(prefix="o-", dir=ROOT + "/otmp")
    tree = "%s/trees/%s" % (ROOT, v)
    pd = "%s/.claude/projects/%s" % (H, folder(cwd, v))
    os.makedirs(pd)
    for f in (".claude.json", "settings.json"):
        if os.path.exists(tree + "/" + f):
            shutil.copy(tree + "/" + f, H + "/.claude")
    side = "%s/projects/%s/%s" % (tree, folder(cwd, v), origin)
    if os.path.isdir(side):
        shutil.copytree(side, pd + "/" + sid, symlinks=True)
    open("%s/%s.jsonl" % (pd, sid), "wb").write(data)
    open(out + "/session.jsonl", "wb").write(data)
    err = ""
    try:
        r = subprocess.run([ROOT + "/bin/offline.sh", v, H, "timeout", "70", "python3", "/opt/lab/bin/oracle.py", v, cwd, sid], capture_output=True, text=True,
                           timeout=100, env=dict(os.environ, ORACLE_TIMEOUT="25", PYTHONDONTWRITEBYTECODE="1"))
        err = r.stderr
    except subprocess.TimeoutExpired:
        err = "harness timeout"
    res = {}
    if os.path.exists(H + "/sent.json"):
        shutil.copy(H + "/sent.json", out)
        res = json.load(open(H + "/sent.json"))
    json.dump({"case": case, "done": what, "genuine": genuine, "session_id": sid, "origin_session_id": origin, "cwd": cwd, "client_version": v,
               "sidecar_folder_present": os.path.isdir(side), "outcome": res.get("outcome", "failed")}, open(out + "/case.json", "w"), indent=1, ensure_ascii=False)
    shutil.rmtree(H, ignore_errors=True)
    ms = res.get("messages", [])
    return "%-8s %-28s %-8s %2d messages, %2d assistant, %s%s" % (v, case, res.get("outcome", "FAILED " + err[-200:]), len(ms), sum(m["role"] == "assistant" for m in ms),
                                                            "+".join(str(len(a["lines"])) for a in res.get("appended", [])) or "0", " REWRITTEN" if res.get("old_bytes_rewritten") else "")


def main():
    args = sys.argv[1:]
    j = 2
    if "-j" in args:
        k = args.index("-j")
        j = int(args[k + 1])
        del args[k:k + 2]
    v, only = args[0], args[1:]
    todo = [(v, case, what, data, sid, order.CWD, sid, False) for case, what, data, sid in orders(v)]
    if only == ["order"]:
        only = [t[1] for t in todo]
    for case, start, needle in GENUINE if set(only) - {t[1] for t in todo} or not only else ():
        g = find(v, start, needle)
        if g:
            what = "as the client wrote it (manifest: %s)" % g[3]
            if case.startswith("compacted") and b"compact_boundary" not in g[2]:
                what += "; NO compaction took place in this version"
            todo.append((v, case, what, g[2], g[0], g[1], g[0], True))
        else:
            print("%s: no session for %s (%s)" % (v, case, start))
    if not only or set(only) - {t[1] for t in todo}:
        g = find(v, "oracle base: think")
        b = Base(g[2])
        for case, what, data, sid in list(mutations(b, g[0], v, find(v, "compacted by hand, once"))) + list(before_compaction(v)):
            sid, cwd, origin = (sid[0], sid[1], sid[0]) if isinstance(sid, tuple) else (sid, g[1], g[0])
            todo.append((v, case, what, data, sid, cwd, origin, False))
    if only:
        todo = [t for t in todo if t[1] in only]
    else:
        shutil.rmtree("%s/oracle/%s" % (ROOT, v), ignore_errors=True)
    with concurrent.futures.ThreadPoolExecutor(j) as ex:
        for line in ex.map(lambda t: run(*t), todo):
            print(line, flush=True)
    print(v, len(todo), "cases")


if __name__ == "__main__":
    main()
