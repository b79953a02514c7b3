#!/usr/bin/env python3
"""scrub.py DIR : take the vendor's texts (system prompt, tool descriptions and schemas, skill and agent listings,
reminders) and what tells of the machine out of a tree, in place.

Every JSON line keeps its shape, key order and compact form; recorded hashes stay as they were; lines without such texts
stay byte for byte.  Returns / prints what was replaced, by entry kind and field.
"""
import collections, glob, json, os, platform, re, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from inventory import kind

FILL = "[vendor text removed]"
LONG = 600
# what comes from our own prompts, mock, tools, hooks and project files
OWN = re.compile(r"@@[a-z]|x{60}|lorem ipsum|pasted line \d|P{60}|y{60}|\n\d+\n\d+\n|^\d+\n\d+\n|line \d+ of a big|[Mm]ock|queued into|^[A-Za-z0-9+/=\s]{200,}$|"
                 r"Reviews code|Greets the user|Say hello politely|say hi|session-start-context|prompt-context|post context|keep going|blocked by hook|Always answer briefly|"
                 r"tui project|ALPHA|changed outside|/home/dev/work")
# single lines that a reader may need
LINE = re.compile(r"^(agentId|output_file|shell_id|task_id|Task ID|Command running in background)\b|^</?[a-z-]+>")
REMINDER = re.compile(r"<system-reminder>(.*?)(</system-reminder>|$)", re.S)
ITEM = re.compile(r"^(- [\w:./-]{1,40}): ")
KERNEL = platform.release().encode()
IDS = re.compile(rb'"(machineID|userID|anonymousId|deviceId|stableID|rvAuth|ptyAuth|nonce)":( ?)"([0-9a-fA-F-]{8,})"')


def host_ids():
    for f in ("/etc/machine-id", "/proc/sys/kernel/random/boot_id", "/var/lib/dbus/machine-id"):
        try:
            x = open(f, "rb").read().strip()
        except OSError:
            continue
        if len(x) >= 16:
            yield x
            yield x.replace(b"-", b"")


HOST_IDS = sorted(set(host_ids()), key=len, reverse=True)
KERNEL_FILL = (b"6.8.0-1-generic" + b"0" * 60)[:len(KERNEL)]


def by_lines(text):
    """Own and short lines stay, of a listing the names, the rest becomes one filler line."""
    out = []
    for l in text.split("\n"):
        m = ITEM.match(l)
        if (OWN.search(l) or LINE.search(l)) and len(l) < 400 or len(l) <= 30:
            out.append(l)
        elif m:
            out.append(m.group(1) + ": " + FILL)
        elif not out or out[-1] != FILL:
            out.append(FILL)
    # runs of filler, blank and short lines between two fillers say nothing
    return re.sub(r"(%s)(\n+\1)+" % re.escape(FILL), r"\1", "\n".join(out))


def reminders(s):
    return REMINDER.sub(lambda m: m.group(0) if len(m.group(1)) <= 100 else "<system-reminder>" + by_lines(task_note(m.group(1))) + m.group(2), s)


def task_note(s):
    head, tag, rest = s.partition("<task-notification>")
    if tag and head.strip():
        s = by_lines(head) + tag + rest
    s = re.sub(r"<note>.{60,}?</note>", "<note>%s</note>" % FILL, s, flags=re.S)
    return "\n".join(FILL if len(l) > 110 and not l.startswith("<") and not OWN.search(l) else l for l in s.split("\n"))


class Scrub:
    def __init__(self):
        self.log = collections.Counter()
        self.kept = {}                  # long strings that were held to be ours (for review)

    def note(self, k, p):
        self.log[(k, re.sub(r"\[\d+\]", "[]", p))] += 1

    def tool(self, t):
        """A tool's definition: only names stay."""
        for k, v in t.items():
            if k == "description" and isinstance(v, str):
                t[k] = FILL
            elif k in ("input_schema", "inputJSONSchema", "parameters") and isinstance(v, dict):
                t[k] = {"type": "object"}
            elif k == "schema" and isinstance(v, dict):
                self.tool(v)
            elif isinstance(v, str) and len(v) > 100:
                t[k] = FILL

    def value(self, x, k, p, role=None):
        if isinstance(x, dict):
            for a in x:
                q = p + "." + (a if len(a) < 50 else "*")
                if k in ("api-request-shape", "attachment/prompt_snapshot", "api-request") and a == "tools" and isinstance(x[a], list) \
                        or k == "attachment/deferred_tools_record" and a == "entries" and isinstance(x[a], list):
                    for t in x[a]:
                        if isinstance(t, dict):
                            self.tool(t)
                    if x[a]:
                        self.note(k, q)
                elif k in ("api-request-shape", "attachment/prompt_snapshot") and a in ("system", "systemPrompt") and x[a]:
                    x[a] = [FILL if isinstance(b, str) else dict(b, text=FILL) if isinstance(b, dict) and "text" in b else b for b in x[a]] if isinstance(x[a], list) else FILL
                    self.note(k, q)
                else:
                    x[a] = self.value(x[a], k, q, x.get("role", role))
            return x
        if isinstance(x, list):
            return [self.value(b, k, p + "[]", role) for b in x]
        if not isinstance(x, str):
            return x
        y = x
        if p.endswith(".cliPrefix") and k == "attachment/prompt_snapshot":
            y = FILL
        elif "<fork-boilerplate>" in x:
            y = by_lines(x)
        elif "<task-notification>" in x and "<system-reminder>" not in x:
            y = task_note(x)
        elif "<system-reminder>" in x:
            y = reminders(x)
        elif k == "attachment/skill_listing" and p == ".attachment.content" or (k == "api-request-blob" and role == "system"):
            y = by_lines(x)
        elif k == "attachment/agent_listing_delta" and len(x) > 60 and not OWN.search(x):
            m = ITEM.match(x)
            y = (m.group(1) + ": " if m else "") + FILL
        elif "gitStatus" in p:
            y = by_lines(x)
        elif len(x) > 120 and not OWN.search(x) and k.startswith("attachment/") and p.startswith(".attachment"):
            y = FILL
        if len(y) > LONG:
            if y.startswith("This session is being continued from a previous conversation") or OWN.search(y):
                self.kept.setdefault((k, p), []).append(y)
            else:
                m = re.match(r"[^.\n]{1,80}\. ", y)           # the first sentence tells what kind of result it is
                y = by_lines(y) if "\n" in y else m.group(0) + FILL if m and "tool_result" in k else FILL
        if y != x:
            self.note(k, p)
        return y

    def line(self, l):
        """l: one line as str without its newline"""
        try:
            d = json.loads(l)
        except ValueError:
            return l
        if not isinstance(d, dict):
            return l
        dump = lambda o: json.dumps(o, separators=(",", ":"), ensure_ascii=False)
        before = dump(d)
        after = dump(self.value(d, kind(d), ""))
        if after == before:
            return l
        if before != l:
            raise ValueError("not in compact form: " + l[:200])
        return after

    def file(self, f):
        raw = open(f, "rb").read()
        data = raw.replace(KERNEL, KERNEL_FILL)
        if data != raw:
            self.log[("(any file)", "kernel release")] += 1
        for x in HOST_IDS:
            if x in data:
                data = data.replace(x, b"0" * len(x))
                self.log[("(any file)", "machine id or boot id")] += 1
        base = os.path.basename(f)
        if not base.endswith(".jsonl"):
            data, n = IDS.subn(lambda m: b'"%s":%s"%s"' % (m.group(1), m.group(2), re.sub(rb"[0-9a-fA-F]", b"0", m.group(3))), data)
            data, n2 = re.subn(rb'("pidDomain": ?"[a-z]+:)[0-9a-f]{32}', rb"\g<1>" + b"0" * 32, data)
            if n + n2:
                self.log[(re.sub(r"[0-9a-f]{6,}[0-9a-f-]*|\d{4,}", "*", base), "ids and tokens zeroed")] += 1
        if base.startswith("snapshot-") and base.endswith(".sh"):
            data = b"# Snapshot file\n# " + FILL.encode() + b"\n"
            self.log[("shell-snapshots/*.sh", "content")] += 1
        elif base.endswith(".key"):
            data = b"0" * len(raw)
            self.log[("*.key", "content zeroed")] += 1
        elif base.endswith(".jsonl"):
            data = "\n".join(self.line(l) for l in data.decode("utf-8", "surrogateescape").split("\n")).encode("utf-8", "surrogateescape")
        elif base.endswith(".json") or ".claude.json" in base:
            try:
                d = json.loads(data)
            except ValueError:
                d = None
            if isinstance(d, dict):
                s = json.dumps(d, ensure_ascii=False)
                new = self.value(d, re.sub(r"[0-9a-f]{6,}[0-9a-f-]*|\d{6,}", "*", base), "")
                if json.dumps(new, ensure_ascii=False) != s:
                    ind = 2 if data.startswith(b"{\n") else None
                    data = json.dumps(new, ensure_ascii=False, indent=ind, separators=(",", ": ") if ind else (",", ":")).encode() + (b"\n" if data.endswith(b"\n") else b"")
        elif base.endswith((".txt", ".log")) and "/debug/" in f or base == "daemon.log":
            ls = data.decode("utf-8", "replace").split("\n")
            for i, l in enumerate(ls):
                if "x-anthropic-billing-header" in l:
                    ls[i] = l[:40] + " " + FILL
                    self.note("debug log", "line with a header of the request")
                elif len(l) > 400:
                    ls[i] = l[:120] + " " + FILL
                    self.note("debug log", "line over 400 characters")
            data = "\n".join(ls).encode()
        if data != raw:
            st = os.stat(f)
            with open(f, "wb") as o:
                o.write(data)
            os.utime(f, ns=(st.st_atime_ns, st.st_mtime_ns))

    def tree(self, d):
        for r, ds, fs in os.walk(d):
            for x in fs:
                f = os.path.join(r, x)
                if os.path.islink(f):
                    continue
                self.file(f)
                m = re.match(r"(\d+)\.([0-9a-f]{32,})\.key$", x)
                if m:
                    os.rename(f, os.path.join(r, "%s.%s.key" % (m.group(1), "0" * len(m.group(2)))))
        return self.log


if __name__ == "__main__":
    s = Scrub()
    for (k, p), n in sorted(s.tree(sys.argv[1]).items()):
        print("%6d  %-34s %s" % (n, k, p))
    if "--kept" in sys.argv:
        for (k, p), xs in sorted(s.kept.items()):
            print("kept long: %-30s %-40s %d, max %d: %r" % (k, p, len(xs), max(map(len, xs)), xs[0][:100]))
