#!/usr/bin/env python3
"""order.py VERSION OUT [-n N] [-s SEED] [FAMILY...] : which line does a client go on from, where lines stand out of order?

Makes small sessions, asks the client to resume each and writes one JSON line a probe: the lines as (name, kind, parent, time), the pointers, the
line that the new prompt hangs on and the words that were sent. Run inside offline.sh; the same seed gives the same sessions to every client.
"""
import argparse, glob, json, os, random, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from enc import folder

CWD = "/home/dev/work/order"
PROMPT = "@@hello|oracle@@ oracle question"


def uid(name):
    return "%08x-0000-4000-8000-%012x" % (sum(ord(c) << 8 * i for i, c in enumerate(name[:4])), 7)


class Probe:
    """Lines, by name: kind, parent, message; then an order of them."""
    def __init__(self, name):
        self.name, self.lines, self.order, self.stamp, self.lost = name, {}, [], {}, []

    def add(self, name, kind, parent, message=None, call=None):
        self.lines[name] = {"kind": kind, "parent": parent, "message": message or name, "call": call}
        return name

    def turn(self, n, parent):
        self.add("u%d" % n, "user", parent)
        return self.add("a%d" % n, "assistant", "u%d" % n)

    def tools(self, n, parent, count, at=None):
        """An answer with calls, each with its result; what follows hangs on the result `at`."""
        up = parent
        for i in range(count):
            up = self.add("t%d%s" % (n, "abcd"[i]), "call", up, "m%d" % n, "toolu_%d%s" % (n, "abcd"[i]))
        for i in range(count):
            c = "abcd"[i]
            self.add("r%d%s" % (n, c), "result", "t%d%s" % (n, c), None, "toolu_%d%s" % (n, c))
        return "r%d%s" % (n, "abcd"[count - 1 if at is None else at])

    def json(self, name, sid, version):
        l = self.lines[name]
        head = {"parentUuid": uid(l["parent"]) if l["parent"] else None, "isSidechain": False}
        tail = {"uuid": uid(name), "timestamp": "2026-11-15T10:%02d:%02d.000Z" % divmod(self.stamp[name], 60), "userType": "external", "entrypoint": "sdk-cli", "cwd": CWD,
                "sessionId": sid, "version": version, "gitBranch": "main"}
        k = l["kind"]
        if k in ("user", "result"):
            content = "words " + name if k == "user" else [{"tool_use_id": l["call"], "type": "tool_result", "content": "out " + name, "is_error": False}]
            body = {"type": "user", "message": {"role": "user", "content": content}}
        elif k in ("assistant", "call"):
            block = {"type": "text", "text": "words " + name} if k == "assistant" else {"type": "tool_use", "id": l["call"], "name": "Bash", "input": {"command": "echo " + name}}
            body = {"type": "assistant", "message": {"model": "claude-opus-4-8", "id": "msg_" + l["message"], "type": "message", "role": "assistant", "content": [block],
                    "stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 5}}, "requestId": "req_" + l["message"]}
        elif k == "note":
            body = {"attachment": {"type": "date_change", "newDate": "2026-11-16"}, "type": "attachment"}
        else:
            body = {"type": "system", "subtype": "turn_duration", "durationMs": 9, "messageCount": 2, "isMeta": False}
        return dict(head, **body, **tail)

    def words(self):
        """The lines in their order, each with its parent and its second; pointers with what they name."""
        parent = lambda n: "<" + self.lines[n]["parent"] if self.lines[n]["parent"] else ""
        return ["(last-prompt %s%s)" % (x[1], " explicit" if x[2] else "") if isinstance(x, tuple) else "%s%s@%d" % (x, parent(x), self.stamp[x]) for x in self.order]

    def bytes(self, sid, version):
        out = []
        for x in self.order:
            if isinstance(x, tuple):
                d = {"type": "last-prompt", "lastPrompt": "x", "leafUuid": uid(x[1]), "sessionId": sid}
                if x[2]:
                    d["explicit"] = True
            else:
                d = self.json(x, sid, version)
            out.append(json.dumps(d, separators=(",", ":")))
        return ("\n".join(out) + "\n").encode()


def shuffle(p, r, names, how):
    """An order of the lines: all at random, or a few moved."""
    names = list(names)
    if how == "all":
        r.shuffle(names)
    elif how == "few":
        for _ in range(r.randint(1, 2)):
            names.insert(r.randrange(len(names)), names.pop(r.randrange(len(names))))
    elif how == "blocks":
        k = r.randrange(1, len(names))
        names = names[k:] + names[:k]
    p.order = names


def times(p, r, mode):
    names = list(p.lines)
    seq = list(range(len(names)))
    if mode == "random":
        r.shuffle(seq)
    if mode == "ties":
        seq = [r.randrange(3) for _ in names]
    elif mode == "file":
        names = [x for x in p.order if not isinstance(x, tuple)]
    p.stamp = {n: 10 + 3 * s for n, s in zip(names, seq)}


def tree(p, r, notes):
    """A tree of turns with forks; sometimes tools and notes in it."""
    ends, n = [None], 0
    for _ in range(r.randint(2, 4)):
        n += 1
        at = r.choice(ends) if n > 1 and r.random() < .5 else ends[-1]
        if n > 1 and at is None:
            at = ends[-1]
        end = p.turn(n, at)
        ends.append(end)
        if r.random() < .3:
            last = p.tools(n, end, r.randint(1, 3), None)
            end = p.add("z%d" % n, "assistant", r.choice([x for x in p.lines if x.startswith("r%d" % n)])) if r.random() < .6 else last
            ends.append(end)
        if notes and r.random() < .6:
            ends.append(p.add("n%d" % n, r.choice(["note", "system"]), end))
    return p


def family(name, i, r):
    p = Probe("%s-%03d" % (name, i))
    mode = r.choice(["chain", "file", "random"]) if "tie" not in name else "ties"
    how = r.choice(["all", "all", "few", "blocks"])
    if name.startswith("line"):
        e = None
        for n in range(1, r.randint(2, 4)):
            e = p.turn(n, e)
    elif name.startswith(("tree", "tie", "gap")):
        tree(p, r, False)
        how = r.choice(["all", "few", "blocks", "none"])
    elif name.startswith("note"):
        tree(p, r, True)
        how = r.choice(["all", "few", "blocks", "none"])
    elif name.startswith("par"):
        e = p.turn(1, None)
        e = p.tools(1, p.add("u2", "user", e), r.randint(2, 3), None)
        kind = r.random()
        if kind < .6:
            ends = [x for x in p.lines if x.startswith("r1")]
            p.add("z1", "assistant", r.choice(ends))
            if kind < .25:
                p.turn(3, "z1")
        how = r.choice(["all", "few", "few", "tail", "none"])
    if name.startswith("gap"):        # parents that are in no line, second roots
        for x in r.sample(list(p.lines), min(len(p.lines) - 1, r.randint(1, 2))):
            if r.random() < .7:
                p.lost = [x]
            else:
                p.lines[x]["parent"] = None
    names = [x for x in p.lines if x not in p.lost]
    shuffle(p, r, names, how)
    if how == "tail":
        tail = p.order[-4:]
        r.shuffle(tail)
        p.order[-4:] = tail
    if name.endswith("lp"):
        p.order.insert(r.choice([0, len(p.order), len(p.order), r.randrange(len(p.order) + 1)]), ("lp", r.choice(names), r.random() < .15))
        if r.random() < .2:
            p.order.insert(r.randrange(len(p.order)), ("lp", r.choice(names), False))
    times(p, r, mode)
    return p


FAMILIES = ["line", "linelp", "tree", "treelp", "note", "notelp", "par", "parlp", "tie", "tielp", "gap", "gaplp", "gaptie"]


def probes(seed, count, families):
    for f in families:
        r = random.Random("%s %s" % (seed, f))
        for i in range(count):
            yield family(f, i, r)


def ask(rig, v, p, k):
    """One probe, asked in a namespace that all of them share."""
    sid = "%08x-1111-4222-8333-444455556666" % k
    pd = "%s/projects/%s" % (rig.config, folder(CWD, v))
    os.makedirs(pd, exist_ok=True)
    path = "%s/%s.jsonl" % (pd, sid)
    data = p.bytes(sid, v)
    open(path, "wb").write(data)
    for f in glob.glob(rig.logdir + "/*"):
        os.remove(f)
    rc, got, out, err = rig.p(PROMPT, CWD, ["--resume", sid], quiet=True, timeout=12)
    body = None
    for f in sorted(glob.glob(rig.logdir + "/*.json")):
        b = json.load(open(f))
        if PROMPT in json.dumps(b.get("messages")) and b.get("tools"):
            body = b
            break
    sent = []
    for m in (body or {}).get("messages", []):
        c = m["content"]
        for b in [{"type": "text", "text": c}] if isinstance(c, str) else c:
            t = b.get("text") or b.get("thinking") or b.get("content") or b.get("id") or ""
            t = t if isinstance(t, str) else "".join(x.get("text", "") for x in t)
            if t.startswith(("words ", "out ")):
                sent.append(t.split()[1].strip())
            elif b.get("type") == "tool_use":
                sent.append(b["input"].get("command", "?").replace("echo ", ""))
            elif t.startswith(("No resp", "Continue", "[Tool call")):
                sent.append("(" + t[:8] + ")")
    names = {uid(n): n for n in p.lines}
    leaf = None
    for l in open(path, "rb").read()[len(data):].decode().split("\n"):
        try:
            d = json.loads(l)
        except ValueError:
            continue
        if leaf is None and d.get("parentUuid") in names:
            leaf = names[d["parentUuid"]]
    os.remove(path)
    return {"name": p.name, "order": p.order, "lines": p.lines, "stamp": p.stamp, "leaf": leaf, "sent": sent, "rc": rc, "killed": rig.manifest[-1][5], "said": (out + err)[:80] if rc else ""}


def main():
    a = argparse.ArgumentParser()
    a.add_argument("version")
    a.add_argument("out")
    a.add_argument("-n", type=int, default=40)
    a.add_argument("-s", type=int, default=1)
    a.add_argument("families", nargs="*")
    a = a.parse_intermixed_args()
    from rc import Rig
    rig = Rig(a.version, port=8500, first=900000)
    rig.seed(CWD)
    try:
        with open(a.out, "w") as o:
            for k, p in enumerate(probes(a.s, a.n, a.families or FAMILIES)):
                o.write(json.dumps(ask(rig, a.version, p, k)) + "\n")
                o.flush()
    finally:
        rig.close()


if __name__ == "__main__":
    main()
