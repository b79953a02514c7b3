#!/usr/bin/env python3
"""edits.py LAB PROGRAM [-j N] [-c CLIENT] [NAME...] : lets real clients resume what our edits leave.

LAB is a copy of the lab (its README says what that is) with the clients installed; PROGRAM is our program. For every row of rows.py and every
recorded store a fresh copy of the store is edited by PROGRAM and resumed by the client, each in namespaces of its own. What
comes of it is a case of the same layout as those of `corpus/oracle.tar.gz`, in LAB/edits/CLIENT/edit-ROW-SESSION/. NAMEs are
starts of case names, to record some of them again. LAB/home-CLIENT/ keeps the requests, in which the lab's check_scrub.py finds the vendor's texts.

Needs the recorded stores as LAB/trees and the recorded cases as LAB/oracle (both unpacked from corpus/).
"""
import argparse, concurrent.futures, json, os, re, shutil, subprocess, sys, tempfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rows import ROWS

PROMPT = "@@hello|oracle@@ oracle question"
VERSIONS = ["2.0.29", "2.1.9", "2.1.200", "2.1.325"]


def origin(lab, tree, subject):
    """The recorded case of a session as its own client wrote it."""
    path = "%s/oracle/%s/%s/case.json" % (lab, tree, subject)
    return json.load(open(path)) if os.path.exists(path) else None


def clients(row, tree, subject):
    """The clients that are asked about a row: its own, and others where the row says so."""
    at = VERSIONS.index(tree)
    own = [tree] if subject in row.subjects.split() else []
    later = VERSIONS[at + 1:] if subject in row.later.split() else []
    earlier = VERSIONS[:at] if subject in row.earlier.split() else []
    return own + later + earlier


def jobs(lab):
    for tree in VERSIONS:
        for row in ROWS:
            for subject in dict.fromkeys((row.subjects + " " + row.later + " " + row.earlier).split()):
                was = origin(lab, tree, subject)
                for client in clients(row, tree, subject) if was else ():
                    name = "edit-%s-%s%s" % (row.edit, subject, "" if client == tree else "-of-" + tree)
                    steps = [re.sub(r"\{of:([^}]+)\}", lambda m: origin(lab, tree, m.group(1))["session_id"], step) for step in row.steps]
                    yield {"case": name, "client": client, "tree": tree, "subject": subject, "of": row.of, "ask": row.ask, "steps": steps,
                           "session": was["session_id"], "cwd": was["cwd"], "resume_in": row.cwd or was["cwd"]}


def record(lab, job):
    """One case; what is said of it in a line."""
    home = tempfile.mkdtemp(prefix="e-", dir=lab + "/otmp")
    out = "%s/edits/%s/%s" % (lab, job["client"], job["case"])
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree("%s/trees/%s" % (lab, job["tree"]), home + "/.claude", symlinks=True)
    json.dump(job, open(home + "/job.json", "w"))
    try:
        done = subprocess.run([lab + "/bin/offline.sh", job["client"], home, "timeout", "100", "python3", "/opt/lab/edits/inside.py", "/home/dev/job.json"],
                              capture_output=True, text=True, timeout=130, env=dict(os.environ, LAB_ROOT=lab, ORACLE_TIMEOUT="25", PYTHONDONTWRITEBYTECODE="1"))
        err = done.stderr
    except subprocess.TimeoutExpired:
        err = "no end"
    try:
        return keep(lab, job, home, out, err)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def model(log):
    """The model that the client went on with: the one of the session, where it knows that."""
    for name in sorted(os.listdir(log)):
        body = json.load(open("%s/%s" % (log, name))) if name[:1].isdigit() else {}
        if body.get("tools") and PROMPT in json.dumps(body.get("messages"), ensure_ascii=False):
            return body["model"]
    return None


def keep(lab, job, home, out, err):
    told = "%-8s %-52s " % (job["client"], job["case"])
    if not os.path.exists(home + "/made.json"):
        return told + "FAILED " + err[-300:]
    made = json.load(open(home + "/made.json"))
    if "refused" in made:
        return told + "NO EDIT " + made["refused"].replace("\n", " ")[:200]
    if not os.path.exists(home + "/sent.json"):
        return told + "FAILED " + err[-300:]
    os.makedirs(out)
    for name in ("session.jsonl", "sent.json"):
        shutil.copy("%s/%s" % (home, name), out)
    sent = json.load(open(out + "/sent.json"))
    case = {"case": job["case"], "edits": made["typed"], "of": job["of"], "tree": job["tree"], "subject": job["subject"], "genuine": False, "session_id": made["session"],
            "origin_session_id": job["session"], "cwd": job["resume_in"], "folder": made["folder"], "client_version": job["client"], "model": model(home + "/mocklog"),
            "promised": made["promised"], "outcome": sent["outcome"]}
    with open(out + "/case.json", "w") as file:
        json.dump(case, file, indent=1, ensure_ascii=False)
        file.write("\n")
    for log in ("mocklog", "mocklog-between"):
        if os.path.isdir("%s/%s" % (home, log)):
            shutil.copytree("%s/%s" % (home, log), "%s/home-%s/%s-%s" % (lab, job["client"], log, job["case"]), dirs_exist_ok=True)
    return told + "%-8s %2d messages" % (sent["outcome"], len(sent["messages"]))


def main():
    args = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    args.add_argument("lab")
    args.add_argument("program")
    args.add_argument("-j", type=int, default=2)
    args.add_argument("-c", "--client")
    args.add_argument("names", nargs="*")
    args = args.parse_intermixed_args()
    lab = os.path.abspath(args.lab)
    for folder in ("edits", "otmp"):
        os.makedirs("%s/%s" % (lab, folder), exist_ok=True)
    # Inside the namespaces only the lab is to be seen.
    shutil.copy(args.program, lab + "/scrollback")
    author = os.path.join(os.path.dirname(os.path.abspath(args.program)), "examples", "author")
    if os.path.exists(author):
        shutil.copy(author, lab + "/author")
    shutil.copy(os.path.join(os.path.dirname(os.path.abspath(__file__)), "inside.py"), lab + "/edits")
    todo = [j for j in jobs(lab) if args.client in (None, j["client"]) and (not args.names or any(j["case"].startswith(n) for n in args.names))]
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for line in pool.map(lambda job: record(lab, job), todo):
            print(line, flush=True)
    print(len(todo), "cases")


if __name__ == "__main__":
    main()
