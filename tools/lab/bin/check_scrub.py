#!/usr/bin/env python3
"""check_scrub.py VERSION... : is a sentence of the vendor's prompts left in trees/VERSION or oracle/VERSION?

Takes them from what was recorded (home-VERSION: the sessions and the request bodies that the mock logged): every line of over
50 characters of the system prompts, tool descriptions and schemas; looks for its first 50 characters in every file delivered.
Also looks for paths of the machine, host name, kernel and ids.  Exit 1 if anything is found.
"""
import glob, json, os, platform, re, socket, sys
ROOT = os.environ.get("LAB_ROOT") or os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def strings(x):
    if isinstance(x, str):
        yield x
    elif isinstance(x, dict):
        for v in x.values():
            yield from strings(v)
    elif isinstance(x, list):
        for v in x:
            yield from strings(v)


def main(v):
    want = set()
    for f in glob.glob("%s/home-%s/mocklog*/[0-9]*.json" % (ROOT, v)):
        b = json.load(open(f))
        for s in list(strings(b.get("system"))) + list(strings(b.get("tools"))):
            for l in s.split("\n"):
                if len(l.strip()) > 50:
                    want.add(l.strip()[:50])
        for m in b.get("messages", []):                # reminders: listings of skills and agents
            for s in strings(m.get("content")):
                for r in re.findall(r"<system-reminder>(.*?)</system-reminder>", s, re.S) + ([s] if m.get("role") == "system" else []):
                    for l in r.split("\n"):
                        # (what an agent used and how it ended is its own, however long)
                        if len(l.strip()) > 110 and "/home/dev" not in l and not l.startswith(("<usage>", "<summary>")):
                            want.add(l.strip()[:50])
    left, n, size = {}, 0, 0
    need = [ROOT, "/opt/lab", platform.release()] + os.environ.get("LAB_FORBID", "").split()    # more words that must not be there
    for base in ("trees", "oracle"):
        for r, _, fs in os.walk("%s/%s/%s" % (ROOT, base, v)):
            for x in fs:
                f = os.path.join(r, x)
                if os.path.islink(f):
                    continue
                t = open(f, "rb").read().decode("utf-8", "replace")
                n, size = n + 1, size + len(t)
                flat = t.replace('\\"', '"').replace("\\\\", "\\")
                for p in need:
                    if p in t:
                        left.setdefault("MACHINE " + p, f)
                for w in want:
                    if w in flat:
                        left.setdefault(w, f)
    print("%s: %d vendor lines looked for in %d files (%.1f MB); found: %d" % (v, len(want), n, size / 1e6, len(left)))
    for w, f in left.items():
        print("   %r in %s" % (w, os.path.relpath(f, ROOT)))
    return len(left)


sys.exit(1 if sum(main(v) for v in sys.argv[1:]) else 0)
