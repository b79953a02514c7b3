"""inside.py JOB : one edit and its judgement, inside the lab's namespaces; started by edits.py.

Makes the edits of the job in the client's own home, keeps the session file that they leave, and lets the client resume it. Writes
`made.json` (what our program said), `session.jsonl` and, by the lab's oracle, `sent.json` into the home.
"""
import glob, json, os, re, shlex, subprocess, sys
sys.path.insert(0, "/opt/lab/bin")
import oracle
from rc import Rig, assert_offline
from scrub import Scrub

HOME = "/home/dev"
CONFIG = HOME + "/.claude"
BETWEEN = "@@hello|between@@ asked in between"
# These take no question and so no --yes.
UNASKED = ("undo", "trash")


class Refused(Exception):
    """Our program did not make the edit."""


def session_file(session):
    found = glob.glob("%s/projects/*/%s.jsonl" % (CONFIG, session))
    if len(found) != 1:
        raise Refused("%d files of session %s" % (len(found), session))
    return found[0]


def blocks(entry):
    content = (entry.get("message") or {}).get("content")
    return content if isinstance(content, list) else [{"type": "text", "text": content}] if isinstance(content, str) else []


def named(session, what, which):
    """The id of an entry, message or call of a session."""
    entries = []
    for line in open(session_file(session), encoding="utf-8", errors="replace"):
        try:
            entries.append(json.loads(line))
        except ValueError:
            pass
    if what == "call":
        ids = (b["id"] for e in entries for b in blocks(e) if b.get("type") == "tool_use" and b.get("name") == which)
        return next(ids)
    if what == "prompt":
        said = [e for e in entries if e.get("type") == "user" and not e.get("isMeta") and all(b.get("type") != "tool_result" for b in blocks(e))]
        return said[int(which) - 1]["uuid"]
    answers = list(dict.fromkeys(e["message"]["id"] for e in entries if e.get("type") == "assistant"))
    return answers[int(which) - 1]


def authored(job, session):
    """Writes a session by the library, or goes on with one."""
    return run(["/opt/lab/author", CONFIG, HOME + "/data", job["tree"], job["cwd"]] + session, {})


def ours(job, words, seed):
    """Runs our program; what it says as JSON. Ids are drawn from a seed, so that a test can make the same edit again."""
    more = [] if words[0] in UNASKED else ["--yes", "--client", job["client"]]
    return run(["/opt/lab/scrollback", "--json"] + words + more, {"SCROLLBACK_SEED": str(seed)})


def run(command, env):
    """Runs a program of ours on the client's store; what it says as JSON."""
    env = {"PATH": "/usr/bin:/bin", "HOME": HOME, "CLAUDE_CONFIG_DIR": CONFIG, "SCROLLBACK_DATA_DIR": HOME + "/data", "SCROLLBACK_CACHE_DIR": HOME + "/cache", **env}
    # Clients of other cases work in directories of the same name: they are not to be seen.
    alone = ["unshare", "--pid", "--fork", "--mount-proc"]
    done = subprocess.run(alone + command, capture_output=True, text=True, env=env, cwd=HOME, timeout=60)
    if done.returncode:
        raise Refused(" ".join(command) + ": " + done.stderr.strip())
    return json.loads(done.stdout)


def client(job, session, cwd):
    """The client goes on with the session once; what it wrote is scrubbed as all that is recorded."""
    rig = Rig(job["client"], port=8300, logdir=HOME + "/mocklog-between", first=800000)
    rig.seed()
    try:
        rc, got, out, err = rig.p(BETWEEN, cwd, ["--resume", session], quiet=True, timeout=40)
    finally:
        rig.close()
    if rc:
        raise Refused("the client did not go on: " + (out + err)[:300])
    Scrub().tree(CONFIG + "/projects")


def tidy():
    """A reminder that quotes another one is cut at the wrong end by the oracle, and what is left of it is the client's own."""
    sent = json.load(open(HOME + "/sent.json"))
    for message in sent["messages"]:
        message["content"] = [{"type": "text", "injected": True} if b.get("reminder_cut") and b.get("text", "").endswith("</system-reminder>") else b for b in message["content"]]
    with open(HOME + "/sent.json", "w") as file:
        file.write(oracle.pretty(sent))


def main():
    assert_offline()
    job = json.load(open(sys.argv[1]))
    session, cwd, after, typed = job["session"], job["cwd"], None, []
    first = session
    for folder in (job["cwd"], job["resume_in"]):
        os.makedirs(folder, exist_ok=True)
    try:
        for seed, step in enumerate(job["steps"]):
            if step == "client":
                client(job, session, job["resume_in"])
                after = None
                typed.append(step)
                continue
            step = re.sub(r"\{(prompt|call|answer):([^}]+)\}", lambda m: named(job["session"], m.group(1), m.group(2)), step)
            words = [w.format(id=job["session"], new=session, first=first, cwd=cwd) for w in shlex.split(step)]
            told = authored(job, words[1:]) if words[0] == "author" else ours(job, words, seed)
            typed.append(words)
            made = (told.get("preview") or {}).get("after") or []
            after = made[job["ask"]] if made else None
            session = after["session_id"] if after else session
            first = made[0]["session_id"] if made else session
        path = session_file(session)
    except (Refused, StopIteration, IndexError) as why:
        json.dump({"refused": str(why) or "there is no such entry"}, open(HOME + "/made.json", "w"))
        return 3
    promised = after and {k: after[k] for k in ("client", "outcome", "messages", "lines", "tokens")}
    json.dump({"typed": typed, "session": session, "folder": os.path.basename(os.path.dirname(path)), "promised": promised}, open(HOME + "/made.json", "w"))
    with open(HOME + "/session.jsonl", "wb") as kept:
        kept.write(open(path, "rb").read())
    sys.argv = ["oracle.py", job["client"], job["resume_in"], session]
    done = oracle.main()
    tidy()
    return done


if __name__ == "__main__":
    sys.exit(main())
