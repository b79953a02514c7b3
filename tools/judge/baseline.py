#!/usr/bin/env python3
"""An independent judge of scrollback: counts what a store holds, from the raw files alone.

Written from the description of the format, never from the Rust code, so that the two can disagree.
Needs Python 3.9 or later and nothing but its standard library. Reads, never writes.

    baseline.py [--pretty] ROOT...

prints one JSON document: ``{"judge": 1, "roots": [...]}``, a root being described in README.md beside this file.

The definitions that a comparison stands on:

line     The pieces of a file split on the byte 0x0A, an empty last piece not counted. So a file that ends in a
         newline has as many lines as newlines, an unended last line counts, blank lines in between count.
object   A whole JSON object found in a line. A line is read from its left: after blanks (space, tab, CR, NUL,
         BOM) an object is taken as far as it goes, and the next one may follow at once (glued lines). Where
         no object can be taken, the reader looks for a later ``{`` at which a *salvageable* object stands:
         one that decodes, has a string ``type`` and one of uuid, sessionId, messageId, leafUuid, agentId,
         and is followed by the end of the line or another ``{``. So the blocks nested in a torn line do not count.
entry    An object. Its kind is ``type``, with ``/`` and the finer name where the type has one: system (subtype),
         attachment (attachment.type), progress (data.type), queue-operation (operation). Without a
         string ``type`` it is ``(none)``.
message  The assistant lines of one ``message.id`` within one file. Its usage is that of its line with the largest
         output_tokens (the first of equals), counted once.
tool use A ``tool_use`` block of an assistant line, counted once per id within one file.
prompt   A ``user`` line that a person typed: no sidechain, no isMeta, no isCompactSummary, no tool_result block,
         not empty, and its first text does not begin with one of the wrappers below or the interruption note.
time     The least and the greatest top-level ``timestamp`` of a file, where it is RFC 3339 in UTC; the words as written.
"""

import json
import os
import re
import sys

BLANKS = " \t\r\n\0\ufeff"
SALVAGE_KEYS = ("uuid", "sessionId", "messageId", "leafUuid", "agentId")
FINER = {
    "system": lambda entry: entry.get("subtype"),
    "attachment": lambda entry: field(entry, "attachment", "type"),
    "progress": lambda entry: field(entry, "data", "type"),
    "queue-operation": lambda entry: entry.get("operation"),
}
WRAPPERS = ("<command-", "<local-command-", "<bash-", "<task-notification>")
INTERRUPTION = "[Request interrupted by user"
TIME = re.compile(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$")
TOKENS = ("input", "output", "cache_read", "cache_creation", "cache_creation_5m", "cache_creation_1h", "cache_write")


def refuse_constant(name):
    """NaN and Infinity are no JSON, though Python reads them."""
    raise ValueError(name)


DECODER = json.JSONDecoder(parse_constant=refuse_constant)


def field(value, *path):
    """A nested field, or None where anything on the way is no object."""
    for name in path:
        if not isinstance(value, dict):
            return None
        value = value.get(name)
    return value


def split_lines(data):
    """The lines of a file as bytes, by the definition above."""
    pieces = data.split(b"\n")
    if pieces[-1] == b"":
        pieces.pop()
    return pieces


def take_object(text, start):
    """The object that begins at start and its end, or None."""
    try:
        value, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict) else None


def skip_blanks(text, at):
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def salvage(text, start):
    """The first salvageable object at or after start."""
    at = text.find("{", start)
    while at >= 0:
        taken = take_object(text, at)
        if taken:
            value, end = taken
            after = skip_blanks(text, end)
            ends_well = after == len(text) or text[after] == "{"
            known = isinstance(value.get("type"), str) and any(key in value for key in SALVAGE_KEYS)
            if ends_well and known:
                return taken
        at = text.find("{", at + 1)
    return None


def objects_of(line):
    """The objects of one line, and whether anything of it (blanks aside) belongs to none of them."""
    text = line.decode("utf-8", "replace")
    found, broken, at = [], False, skip_blanks(text, 0)
    while at < len(text):
        taken = take_object(text, at) if text[at] == "{" else None
        if taken is None:
            broken = True
            taken = salvage(text, at + 1)
        if taken is None:
            break
        found.append(taken[0])
        at = skip_blanks(text, taken[1])
    return found, broken


def kind_of(entry):
    kind = entry.get("type")
    if not isinstance(kind, str):
        return "(none)"
    finer = FINER[kind](entry) if kind in FINER else None
    return kind + "/" + finer if isinstance(finer, str) else kind


def is_prompt(entry):
    if entry.get("type") != "user" or any(
        entry.get(flag) is True for flag in ("isSidechain", "isMeta", "isCompactSummary")
    ):
        return False
    content = field(entry, "message", "content")
    if isinstance(content, str):
        first, other = content, False
    elif isinstance(content, list):
        blocks = [block for block in content if isinstance(block, dict)]
        if any(block.get("type") == "tool_result" for block in blocks):
            return False
        texts = [block.get("text") for block in blocks if isinstance(block.get("text"), str)]
        first, other = (texts[0] if texts else ""), any(block.get("type") != "text" for block in blocks)
    else:
        return False
    first = first.lstrip()
    if not first:
        return other
    return not first.startswith(WRAPPERS) and not first.startswith(INTERRUPTION)


def number(value):
    """A count, or 0: a bool is no number here, though Python thinks so."""
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def tokens_of(usage):
    aggregate = number(field(usage, "cache_creation_input_tokens"))
    minutes = number(field(usage, "cache_creation", "ephemeral_5m_input_tokens"))
    hour = number(field(usage, "cache_creation", "ephemeral_1h_input_tokens"))
    return {
        "input": number(field(usage, "input_tokens")),
        "output": number(field(usage, "output_tokens")),
        "cache_read": number(field(usage, "cache_read_input_tokens")),
        "cache_creation": aggregate,
        "cache_creation_5m": minutes,
        "cache_creation_1h": hour,
        # Clients before 2.1.152 wrote an aggregate of 0 beside parts that were not: what was written is the larger.
        "cache_write": max(aggregate, minutes + hour),
    }


def time_key(words):
    """What two times are compared by, or None where the words are no RFC 3339 time in UTC."""
    match = TIME.match(words) if isinstance(words, str) else None
    return (match.group(1), (match.group(2) or "").ljust(9, "0")) if match else None


def count(counts, name):
    counts[name] = counts.get(name, 0) + 1


def add_tokens(sums, more):
    for name in TOKENS:
        sums[name] += more[name]


class Folding:
    """The facts of one file, gathered entry by entry."""

    def __init__(self):
        self.kinds, self.tools, self.messages = {}, {}, {}
        self.tool_ids, self.models = set(), set()
        self.prompts = self.anonymous_messages = 0
        self.first = self.last = None

    def entry(self, entry):
        count(self.kinds, kind_of(entry))
        self.time(entry.get("timestamp"))
        if is_prompt(entry):
            self.prompts += 1
        if entry.get("type") == "assistant":
            self.assistant(entry.get("message"))

    def time(self, words):
        key = time_key(words)
        if key is None:
            return
        if self.first is None or key < self.first[0]:
            self.first = (key, words)
        if self.last is None or key > self.last[0]:
            self.last = (key, words)

    def assistant(self, message):
        model, ident = field(message, "model"), field(message, "id")
        if isinstance(model, str):
            self.models.add(model)
        if isinstance(ident, str):
            tokens = tokens_of(field(message, "usage"))
            known = self.messages.get(ident)
            if known is None or tokens["output"] > known["output"]:
                self.messages[ident] = tokens
        else:
            self.anonymous_messages += 1
        content = field(message, "content")
        for block in content if isinstance(content, list) else []:
            if field(block, "type") == "tool_use":
                self.tool_use(block)

    def tool_use(self, block):
        ident, name = block.get("id"), block.get("name")
        if isinstance(ident, str):
            if ident in self.tool_ids:
                return
            self.tool_ids.add(ident)
        count(self.tools, name if isinstance(name, str) else "(none)")

    def tokens(self):
        sums = dict.fromkeys(TOKENS, 0)
        for tokens in self.messages.values():
            add_tokens(sums, tokens)
        return sums


def role_of(path):
    """What a file of projects/ is, by its name."""
    name = path.rsplit("/", 1)[-1]
    if name == "journal.jsonl":
        return "journal"
    return "agent" if name.startswith("agent-") else "session"


def read_file(root, path):
    """The record of one file, and its folding."""
    with open(os.path.join(os.fsencode(root), os.fsencode(path)), "rb") as handle:
        data = handle.read()
    folding, objects, broken_lines, lines = Folding(), 0, 0, split_lines(data)
    for line in lines:
        found, broken = objects_of(line)
        objects += len(found)
        broken_lines += broken
        for entry in found:
            folding.entry(entry)
    record = {
        "path": path,
        "role": role_of(path),
        "session": path.rsplit("/", 1)[-1][: -len(".jsonl")],
        "bytes": len(data),
        "lines": len(lines),
        "objects": objects,
        "broken_lines": broken_lines,
        "entries_by_kind": folding.kinds,
        "first_time": folding.first[1] if folding.first else None,
        "last_time": folding.last[1] if folding.last else None,
        "prompts": folding.prompts,
        "messages": len(folding.messages),
        "anonymous_messages": folding.anonymous_messages,
        "models": sorted(folding.models),
        "tool_uses": folding.tools,
        "tokens": folding.tokens(),
    }
    return record, folding


def session_files(root):
    """Paths of the .jsonl files that hold entries: below projects/, or below a root that has no projects/."""
    top = os.path.join(root, "projects")
    top = top if os.path.isdir(top) else root
    for folder, folders, names in os.walk(top):
        folders.sort()
        for name in names:
            if name.endswith(".jsonl"):
                yield os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/")


def describe(root):
    totals = {
        "files": 0, "bytes": 0, "lines": 0, "objects": 0, "broken_lines": 0, "prompts": 0, "messages": 0,
        "entries_by_kind": {}, "tool_uses": {}, "models": [], "tokens": dict.fromkeys(TOKENS, 0),
        "unique_messages": 0, "unique_tokens": dict.fromkeys(TOKENS, 0),
    }
    files, models, everywhere = [], set(), {}
    for path in sorted(session_files(root)):
        record, folding = read_file(root, path)
        files.append(record)
        totals["files"] += 1
        for name in ("bytes", "lines", "objects", "broken_lines", "prompts", "messages"):
            totals[name] += record[name]
        for name in ("entries_by_kind", "tool_uses"):
            for key, value in record[name].items():
                totals[name][key] = totals[name].get(key, 0) + value
        add_tokens(totals["tokens"], record["tokens"])
        models |= folding.models
        for ident, tokens in folding.messages.items():
            if ident not in everywhere or tokens["output"] > everywhere[ident]["output"]:
                everywhere[ident] = tokens
    for tokens in everywhere.values():
        add_tokens(totals["unique_tokens"], tokens)
    totals["unique_messages"] = len(everywhere)
    totals["models"] = sorted(models)
    return {"root": root, "files": files, "totals": totals}


def main(arguments):
    pretty = "--pretty" in arguments
    roots = [argument for argument in arguments if argument != "--pretty"]
    missing = [root for root in roots if not os.path.isdir(root)]
    if not roots or missing:
        print("usage: baseline.py [--pretty] ROOT..." if not roots else "no such directory: " + missing[0], file=sys.stderr)
        return 2
    document = {"judge": 1, "roots": [describe(root) for root in roots]}
    json.dump(document, sys.stdout, indent=1 if pretty else None, sort_keys=True)
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
