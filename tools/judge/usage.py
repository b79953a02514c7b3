#!/usr/bin/env python3
"""Counts the tokens of a store a second time, from FORMAT.md section 8 alone, and compares with what the program says.

    usage.py PROGRAM ROOT...

Prints what differs; exits 1 if anything does. Shares no line with the program.
"""

import json
import os
import subprocess
import sys

COUNTS = ("input", "output", "cache_write", "cache_read")


def lines_of(path):
    with open(path, "rb") as file:
        for line in file.read().split(b"\n"):
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict):
                yield entry


def counts_of(usage):
    split = usage.get("cache_creation") or {}
    parts = (split.get("ephemeral_5m_input_tokens") or 0) + (split.get("ephemeral_1h_input_tokens") or 0)
    return {
        "input": usage.get("input_tokens") or 0,
        "output": usage.get("output_tokens") or 0,
        "cache_write": max(usage.get("cache_creation_input_tokens") or 0, parts),
        "cache_read": usage.get("cache_read_input_tokens") or 0,
    }


def charges_of(path):
    """(key, request, counts, model, time, sidechain, progress) of every line that is charged."""
    agent = os.path.basename(path).startswith("agent-")
    for entry in lines_of(path):
        progress, inner = False, entry
        if entry.get("type") == "progress" and (entry.get("data") or {}).get("type") == "agent_progress":
            progress, inner = True, (entry["data"].get("message") or {})
        elif entry.get("type") != "assistant":
            continue
        message = inner.get("message")
        if not isinstance(message, dict) or not isinstance(message.get("usage"), dict):
            continue
        if progress and not message.get("id"):
            continue
        key = ("id", message["id"]) if message.get("id") else ("uuid", entry.get("uuid"))
        yield (key, inner.get("requestId") or None, counts_of(message["usage"]), message.get("model"), entry.get("timestamp"),
               bool(agent or entry.get("isSidechain") or progress), progress)


def larger(one, other):
    size = lambda counts: (counts["output"], sum(counts.values()))
    return other if size(other) > size(one) else one


def bills_of(root):
    """Messages by key, then what each of their requests is paid with."""
    messages = {}
    for top, _, names in os.walk(os.path.join(root, "projects")):
        for name in names:
            if name.endswith(".jsonl") and name != "journal.jsonl" and ".orphaned-" not in name:
                for charge in charges_of(os.path.join(top, name)):
                    messages.setdefault(charge[0], []).append(charge)
    bills = []
    for charges in messages.values():
        sides = {side for *_, side, _ in charges}
        mixed = len(sides) == 2 or any(progress for *_, progress in charges)
        told = sorted((time or "~", request) for _, request, _, _, time, _, _ in charges if request)
        first = told[0][1] if told else None
        parts = {}
        for charge in charges:
            part = first if mixed or charge[1] is None else charge[1]
            parts.setdefault(part, []).append(charge)
        for part in parts.values():
            best, model = part[0][2], part[0][3]
            for charge in part[1:]:
                if larger(best, charge[2]) is charge[2]:
                    best, model = charge[2], charge[3]
            times = [charge[4] for charge in part if charge[4]]
            bills.append((best, model or part[0][3], min(times) if times else None))
    return bills


def summed(bills, key):
    sums = {}
    for counts, model, time in bills:
        own = sums.setdefault(key(model, time), dict.fromkeys(COUNTS, 0))
        for name in COUNTS:
            own[name] += counts[name]
    return sums


def told(program, root, by):
    out = subprocess.run([program, "--root", root, "--json", "usage", "--by", by, "--limit", "0", "--time-zone", "UTC"],
                         capture_output=True, check=True).stdout
    view = json.loads(out)
    return view, {row["key"]: {name: row["tokens"][name] for name in COUNTS} for row in view["rows"]}


def compare(program, root):
    bills = bills_of(root)
    wrong = 0
    for by, key in (("day", lambda _, time: time and time[:10]), ("model", lambda model, _: model or "(none)")):
        expected = summed([bill for bill in bills if by != "day" or bill[2]], key)
        view, found = told(program, root, by)
        if expected != found:
            wrong += 1
            print(f"{root}: by {by} differ")
            for name in sorted(set(expected) | set(found)):
                if expected.get(name) != found.get(name):
                    print(f"  {name}: {expected.get(name)} here, {found.get(name)} by the program")
    if view["total"]["messages"] != len(bills):
        wrong += 1
        print(f"{root}: {len(bills)} messages here, {view['total']['messages']} by the program")
    print(f"{root}: {len(bills)} messages, {sum(counts['output'] for counts, _, _ in bills)} tokens out")
    return wrong


if __name__ == "__main__":
    sys.exit(1 if sum(compare(sys.argv[1], root) for root in sys.argv[2:]) else 0)
