#!/usr/bin/env python3
"""Adds a store up a second time, from docs/areas.md and FORMAT.md sections 2, 11 and 13 alone, and compares with what the
program says: `du`, `orphans` and `retention`.

    stock.py PROGRAM NOW ROOT...

PROGRAM is the scrollback to ask, NOW the present in whole seconds, told in milliseconds since 1970. Prints what differs; exits 1 if anything does.
Shares no line with the program.
"""

import datetime
import json
import os
import re
import subprocess
import sys

UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
DAY = 86_400_000


def files_of(root):
    """(path relative to the root, lstat) of everything that is no folder; folders apart."""
    files, folders = [], []
    for top, names, plain in os.walk(root):
        for name in names:
            path = os.path.join(top, name)
            (files if os.path.islink(path) else folders).append((os.path.relpath(path, root), os.lstat(path)))
        for name in plain:
            path = os.path.join(top, name)
            files.append((os.path.relpath(path, root), os.lstat(path)))
    return files, folders


AREAS = {"backups": "config", "local": "downloads", "rules": "instructions", "themes": "instructions", "hooks": "instructions",
         ".trash": "leftovers", "feedback": "leftovers", "logs": "leftovers", "dev-mods": "leftovers"}
FOLDERS = {"projects", "memory", "paste-cache", "image-cache", "uploads", "file-history", "todos", "tasks", "plans", "agents",
           "agent-memory", "output-styles", "commands", "skills", "plugins", "shell-snapshots", "session-env", "debug", "sessions",
           "ide", "jobs", "daemon", "usage-data", "statsig", "telemetry", "cache", "downloads"}
FILES = {"history.jsonl": "history", "settings.json": "settings", "settings.local.json": "settings",
         ".credentials.json": "credentials", "CLAUDE.md": "instructions", "keybindings.json": "instructions",
         "stats-cache.json": "stats-cache", ".last-cleanup": "last-cleanup", "daemon.log": "daemon"}


def area_of(path):
    parts = path.split("/")
    if len(parts) == 1:
        if path == ".claude.json" or path.startswith(".claude.json."):
            return "config"
        return FILES.get(path, "leftovers" if path.startswith("feedback") else "unknown")
    if parts[0] == "projects" and len(parts) > 2 and parts[2] == "memory":
        return "memory"
    if parts[0].startswith(".claude.json."):
        return "config"
    return AREAS.get(parts[0], parts[0] if parts[0] in FOLDERS else "unknown")


def first_session(path):
    """The session that the lines of a flat agent name first."""
    with open(path, "rb") as lines:
        for line in lines:
            try:
                return json.loads(line)["sessionId"]
            except (ValueError, KeyError, TypeError):
                continue
    return None


def session_of(root, path):
    """The session that a path belongs to, by its name; jobs have the first eight digits alone."""
    parts = path.split("/")
    if parts[0] == "projects" and len(parts) >= 3:
        name = parts[2]
        if len(parts) == 3:
            if re.fullmatch(r"agent-.+\.jsonl", name):
                return first_session(os.path.join(root, path))
            aside = re.fullmatch(rf"({UUID})\.(orphaned-.*|jsonl\.superseded-.*)", name)
            if aside:
                return aside.group(1)
            return name[:-6] if name.endswith(".jsonl") and not name.startswith(".") else None
        return name if re.fullmatch(UUID, name) else None
    if parts[0] in ("file-history", "session-env", "tasks", "image-cache", "uploads"):
        return parts[1] if re.fullmatch(UUID, parts[1]) else None
    if parts[0] == "debug" or (parts[0] == "usage-data" and len(parts) == 3):
        stem = os.path.splitext(parts[-1])[0]
        return stem if re.fullmatch(UUID, stem) else None
    if parts[0] == "todos":
        found = re.match(rf"({UUID})-agent-", parts[1])
        return found.group(1) if found else None
    if parts[0] == "jobs" and re.fullmatch("[0-9a-f]{8}", parts[1]):
        return parts[1]
    if parts[0] == "telemetry":
        return next((part for part in parts[-1].split(".") if re.fullmatch(UUID, part)), None)
    return None


def lines_of(path):
    try:
        with open(path, "rb") as file:
            for line in file.read().split(b"\n"):
                try:
                    yield json.loads(line)
                except ValueError:
                    continue
    except OSError:
        return


def judge(root, now):
    files, folders = files_of(root)
    sessions = {}
    for path, stat in files:
        parts = path.split("/")
        if parts[0] == "projects" and len(parts) == 3 and parts[2].endswith(".jsonl") and not parts[2].startswith(("agent-", ".")):
            if not re.fullmatch(rf"{UUID}\.orphaned-.*", parts[2]):
                known = sessions.get(parts[2][:-6])
                if known is None or known[1] < stat.st_mtime_ns:
                    sessions[parts[2][:-6]] = (parts[1], stat.st_mtime_ns)
    shorts = {}
    for session in sessions:
        shorts.setdefault(session[:8], []).append(session)

    def whole(session):
        if session and len(session) == 8 and re.fullmatch("[0-9a-f]{8}", session):
            known = shorts.get(session)
            return session if known is None else known[0] if len(known) == 1 else None
        return session

    slugs, pastes = set(), set()
    for path, _ in files:
        if path.startswith("projects/") and path.endswith(".jsonl") and path.count("/") == 2 and not path.split("/")[2].startswith("agent-"):
            slugs |= {line["slug"] for line in lines_of(os.path.join(root, path))
                      if isinstance(line, dict) and isinstance(line.get("slug"), str)}
    for line in lines_of(os.path.join(root, "history.jsonl")):
        pasted = line.get("pastedContents") if isinstance(line, dict) else None
        if isinstance(pasted, dict):
            pastes |= {paste["contentHash"] for paste in pasted.values() if isinstance(paste, dict) and "contentHash" in paste}

    areas, projects, by_session, orphans, due = {}, {}, {}, {}, {}
    days = 30
    try:
        with open(os.path.join(root, "settings.json")) as settings:
            days = json.load(settings).get("cleanupPeriodDays", 30)
    except (OSError, ValueError):
        pass
    swept = {"file-history", "paste-cache", "plans", "session-env", "tasks", "shell-snapshots", "debug", "usage-data", "todos",
             "statsig", "image-cache", "uploads", "leftovers"}
    for path, stat in files:
        area, parts, session = area_of(path), path.split("/"), whole(session_of(root, path))
        count = areas.setdefault(area, [0, 0])
        count[0] += 1
        count[1] += stat.st_size
        folder = parts[1] if parts[0] == "projects" and len(parts) > 1 else None
        folder = folder or (sessions[session][0] if session in sessions else None)
        if folder:
            projects[folder] = projects.get(folder, 0) + stat.st_size
        if session:
            by_session[session] = by_session.get(session, 0) + stat.st_size
        plan = os.path.splitext(parts[-1])[0]
        gone = None
        if session and session not in sessions:
            gone = "session_gone"
        elif area == "plans" and path.endswith(".md") and plan not in slugs and plan.split("-agent-")[0] not in slugs:
            gone = "slug_unknown"
        elif area == "paste-cache" and re.fullmatch(r"[0-9a-f]{16}\.txt", parts[-1]) and plan not in pastes:
            gone = "paste_unused"
        if gone:
            count = orphans.setdefault((area, gone), [0, 0])
            count[0] += 1
            count[1] += stat.st_size
        # By which file's age it goes; None: never by age.
        age = stat.st_mtime_ns if area in swept or path == "daemon.log" else None
        if area == "projects" and len(parts) > 2:
            inside = "/".join(parts[2:])
            if re.search(r"(^|/)agent-[^/]+\.(jsonl|meta\.json)$", inside) and len(parts) > 3 or len(parts) > 3 and (
                    re.match(r"[^/]+/(tool-results/[^/]+|workflows/scripts/[^/]+|workflows/[^/]+\.json|custom-title\.json)$", inside)
                    or inside.endswith("/journal.jsonl")):
                age = sessions[session][1] if session in sessions else stat.st_mtime_ns
            elif len(parts) == 3 and not parts[2].startswith("agent-") and session:
                age = sessions[session][1] if session in sessions else stat.st_mtime_ns
        state = "exempt"
        if age is not None:
            left = age // 1_000_000 + days * DAY - now
            state = "overdue" if left <= 0 else "soon" if left <= 7 * DAY else "later"
        count = due.setdefault((area, state), [0, 0])
        count[0] += 1
        count[1] += stat.st_size
    going = sorted((mtime // 1_000_000 + days * DAY, session) for session, (_, mtime) in sessions.items()
                   if mtime // 1_000_000 + days * DAY <= now + 7 * DAY)
    return areas, projects, by_session, orphans, due, [session for _, session in going]


def ask(program, root, now, *words):
    moment = datetime.datetime.fromtimestamp(now / 1000, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    out = subprocess.run([program, "--root", root, "--json", *words], capture_output=True, check=True,
                         env={**os.environ, "SCROLLBACK_NOW": moment}).stdout
    return json.loads(out)


def compare(program, root, now):
    areas, projects, by_session, orphans, due, going = judge(root, now)
    du = ask(program, root, now, "du", "--limit", "0")
    told = ask(program, root, now, "orphans")
    kept = ask(program, root, now, "retention", "--limit", "0")
    of_orphans = {}
    for orphan in told["orphans"]:
        if orphan["why"] in ("session_gone", "slug_unknown", "paste_unused") and orphan["files"]:
            count = of_orphans.setdefault((orphan["area"], orphan["why"]), [0, 0])
            count[0] += orphan["files"]
            count[1] += orphan["bytes"]
    of_due = {(area["area"], state): [area[state]["files"], area[state]["bytes"]]
              for area in kept["areas"] for state in ("overdue", "soon", "later", "exempt") if area[state]["files"]}
    pairs = [
        ("areas", areas, {area["area"]: [area["files"], area["bytes"]] for area in du["areas"]}),
        ("projects", projects, {project["folder"]: project["bytes"] for project in du["projects"] if project["bytes"]}),
        ("sessions", by_session, {session["session_id"]: session["bytes"] for session in du["sessions"]}),
        ("orphans", orphans, of_orphans),
        ("retention", due, of_due),
        ("sessions that go", going, [session["session_id"] for session in kept["sessions"]]),
    ]
    wrong = 0
    for name, expected, found in pairs:
        if name == "projects":
            expected = {folder: size for folder, size in expected.items() if size}
        if expected != found:
            wrong += 1
            print(f"{root}: {name} differ")
            if isinstance(expected, dict):
                for key in sorted(set(expected) | set(found), key=str):
                    if expected.get(key) != found.get(key):
                        print(f"  {key}: {expected.get(key)} here, {found.get(key)} by the program")
            else:
                print(f"  {expected[:5]} here, {found[:5]} by the program")
    total = sum(count[0] for count in areas.values())
    print(f"{root}: {total} files, {len(by_session)} sessions, {sum(count[0] for count in orphans.values())} orphaned files")
    return wrong


if __name__ == "__main__":
    program, now = sys.argv[1], int(sys.argv[2])
    sys.exit(1 if sum(compare(program, root, now) for root in sys.argv[3:]) else 0)
