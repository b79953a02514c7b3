#!/usr/bin/env python3
"""An independent judge of searches: a brute-force implementation of docs/search.md.

Written from that page and FORMAT.md, never from the Rust code, so that the two can disagree.
Needs Python 3.11 or later and nothing but its standard library. Reads, never writes.

    search.py units ROOT...                       one JSON line per unit
    search.py query ROOT... < queries             one JSON line per line of input: {"query", "hits"} or {"query", "error": true}
    search.py make ROOT... --seed N --count M     queries drawn from the words that stand in these stores

A hit is ``[file, line, kind]``: the path below its root, the number of the unit's first line (0 for a title), its kind. Every unit
that matches is a hit: two calls on one line are two equal ones, and copies in several files are not put together.

The parts: words.py (tokens), thread.py (the live thread), units.py (units), queries.py (queries), drawing.py (make). What the
page leaves open is decided in their docstrings.
"""

import json
import os
import sys

sys.dont_write_bytecode = True  # before the parts are imported: nothing is left beside them

from drawing import draw
from queries import Index, QueryError
from units import load


def answer(index, query):
    """What `query` prints for one query."""
    try:
        found = index.search(query)
    except QueryError:
        return {"query": query, "error": True}
    units = (index.units[number] for number in found)
    return {"query": query, "hits": sorted([unit.file.path, unit.line, unit.kind] for unit in units)}


def options_of(arguments):
    """The roots, the seed and the count."""
    roots, numbers, rest = [], {"--seed": 1, "--count": 100}, iter(arguments)
    for argument in rest:
        if argument in numbers:
            numbers[argument] = int(next(rest))
        else:
            roots.append(argument)
    return roots, numbers["--seed"], numbers["--count"]


def lines_of_input():
    """The queries of the standard input, one a line; the words as UTF-8 whatever the locale is."""
    data = sys.stdin.buffer.read().decode("utf-8", "replace")
    lines = data.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def main(arguments):
    verbs = ("units", "query", "make")
    try:
        roots, seed, count = options_of(arguments[1:])
    except (ValueError, StopIteration):
        roots = []
    if not arguments or arguments[0] not in verbs or not roots:
        print("usage: search.py units|query|make ROOT... [--seed N] [--count M]", file=sys.stderr)
        return 2
    missing = [root for root in roots if not os.path.isdir(root)]
    if missing:
        print("no such directory: " + missing[0], file=sys.stderr)
        return 2
    units = [unit for root in roots for file in load(root) for unit in file.units]
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    if arguments[0] == "units":
        for unit in units:
            print(json.dumps(unit.record()))
    elif arguments[0] == "make":
        for query in draw(units, seed, count):
            print(query)
    else:
        index = Index(units)
        for query in lines_of_input():
            print(json.dumps(answer(index, query)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
