#!/usr/bin/env python3
"""An independent judge of `scrollback grep`: decodes every line and searches every text, by brute force.

Written from docs/grep.md, never from the Rust code. Needs Python 3.9 or later and nothing but its standard library.

    grep.py QUERIES FILE...

QUERIES is a JSON file: a list of ``{"pattern", "regex", "ignore_case", "words"}``. Prints one JSON document: a list with,
for each query, the sorted list of ``[number of the file, line]`` that match. Files are numbered as they were given.

How a line is taken apart into entries and what is left of damaged ones is told in baseline.py, from which it is taken.
What this judge does not know: filters, and nesting deeper than Python goes.
"""

import json
import re
import sys

from baseline import salvage, skip_blanks, split_lines, take_object

IDS = ("Id", "ID", "_id", "Uuid", "UUID", "_uuid", "Uuids")
PLUMBING = {"id", "uuid", "uuids", "type", "timestamp", "signature", "base64"}
ENVELOPE = {"cwd", "version", "gitBranch", "userType", "entrypoint", "slug", "sessionKind", "subtype", "operation"}
REQUESTS = {"api-request", "api-request-blob", "api-request-shape"}
BASE64 = re.compile(r"[A-Za-z0-9+/=_-]*\Z")
LONE = re.compile("[\ud800-\udfff]")


def texts(value, top=False, all_of_it=False):
    """The texts in a value, by the five rules."""
    if isinstance(value, str):
        # Python keeps half a surrogate pair where docs/grep.md reads U+FFFD.
        text = LONE.sub("\ufffd", value)
        if not (len(text.encode()) > 512 and BASE64.match(text)):
            yield text
    elif isinstance(value, list):
        for item in value:
            yield from texts(item, all_of_it=all_of_it)
    elif isinstance(value, dict):
        for key, inside in value.items():
            if all_of_it:
                yield from texts(inside, all_of_it=True)
                continue
            kind = value.get("type") if isinstance(value.get("type"), str) else ""
            if key in PLUMBING or key.endswith(IDS) or key.startswith("encrypted"):
                continue
            if key == "data" and kind in ("base64", "redacted_thinking"):
                continue
            if top and key in ENVELOPE:
                continue
            if key == "message" and isinstance(inside, dict) and "content" in inside:
                yield from texts(inside["content"])
            else:
                yield from texts(inside, all_of_it=key == "input" and kind.endswith("tool_use"))


def pieces(line):
    """The texts of a line, entry by entry, and its damaged bytes as they stand."""
    text = line.decode("utf-8", "replace")
    at = skip_blanks(text, 0)
    while at < len(text):
        taken = take_object(text, at) if text[at] == "{" else None
        if taken is None:
            # What is damaged goes as far as the next whole entry.
            found = salvage(text, at + 1)
            if found is None:
                yield [text[at:]]
                return
            value, end = found
            start = text.rindex("{", at, end)
            while take_object(text, start) != (value, end):
                start = text.rindex("{", at, start)
            yield [text[at:start]]
            taken = found
        value, end = taken
        if value.get("type") not in REQUESTS:
            yield list(texts(value, top=True))
        at = skip_blanks(text, end)


def expression(query):
    pattern = query["pattern"] if query["regex"] else re.escape(query["pattern"])
    if query["words"]:
        pattern = rf"(?<!\w)(?:{pattern})(?!\w)"
    flags = re.MULTILINE | (re.IGNORECASE if query["ignore_case"] else 0)
    return re.compile(pattern, flags)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        queries = [expression(query) for query in json.load(file)]
    found = [[] for _ in queries]
    # Many a text stands in many lines: each is searched once.
    known = {}
    for number, path in enumerate(sys.argv[2:]):
        with open(path, "rb") as file:
            lines = split_lines(file.read())
        for at, line in enumerate(lines, 1):
            # The same text in one line matches the same.
            words = {text for piece in pieces(line.rstrip(b"\r")) for text in piece}
            hits = set()
            for text in words:
                if text not in known:
                    known[text] = [which for which, query in enumerate(queries) if query.search(text)]
                hits.update(known[text])
            for which in hits:
                found[which].append([number, at])
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
