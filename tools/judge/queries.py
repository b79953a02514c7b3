"""Queries over units, for the judge of searches (docs/search.md, "Queries"): read, then answered from an index in memory.

Written from that page, never from the Rust code. What the page leaves open, and what is done here:

- ``"`` begins a phrase and ``(`` ``)`` are parentheses wherever they stand outside of a phrase; one without its
  partner is an error. ``OR``, ``NOT`` and ``AND`` are in capitals; ``AND`` is as if it were not written.
- A minus denies where a term begins (also right after a quote or a parenthesis) if what follows it directly is neither white space, nor
  another minus, nor ``)``, nor the end; else it belongs to a word. ``NOT`` with nothing to deny is an error, and so is ``-OR``.
- A word, phrase or group without any token is left out, with its ``NOT``. So is a side of an ``OR``; one with nothing written on it is an error.
- A query looks for something if one of its terms does, each side of its ``OR`` does; a denied term never does, but ``-in:`` does: it stands for all the other classes.
- ``in:`` rules over what stands beside it, between two ``OR`` or parentheses, and the groups in there that have none of their own,
  a denied one being one too: ``in:input (-in:output x)`` looks for x in all but outputs. ``-(in:x)`` rules over nothing.
- A field's value may be quoted, and only then begin with ``:``. It may begin with ``/``, which a word before a colon may not. A near name with a quoted value is an error; any other name
  before a quote is a word. How many changes are near goes by the length of the field's name, not of what is written.
- The values of ``in``, ``role`` and ``is`` may have one ``s`` more or less at their end, and ``_`` for ``-``.
- A ``file:`` without any token is an error. A star in it says nothing.
- A star after a mark is one after a letter. A date is ``YYYY-MM-DD``, or that with a time; without an offset it is UTC.
"""

import bisect
import datetime
import re

import baseline
from units import CLASSES, ROLES
from words import NOT_WHITE, RUN, WHITE, query_tokens, runs_of, tokens

FIELDS = ("in", "role", "tool", "file", "project", "branch", "model", "agent", "session", "since", "until", "is")
STATES = ("error", "compacted", "dead-branch")
# A name before a colon that may make a field.
NAMED = re.compile(r"([A-Za-z]+):(?!:)(.*)", re.DOTALL)
KNOWN = {"in": CLASSES, "role": tuple(sorted(set(ROLES.values()))), "is": STATES}
PIECE = re.compile(
    r'(?P<blank>[WHITE]+)|[()]|"[^"]*"|(?P<minus>-)(?=[^WHITE)-])|(?P<name>[A-Za-z]+):"[^"]*"|[^WHITE()"]+'.replace("WHITE", WHITE)
)
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?)?")


class QueryError(Exception):
    """A query that has no meaning."""


def changes(left, right):
    """How many letters must be added, left out, replaced or swapped with their neighbour (Damerau-Levenshtein)."""
    most = len(left) + len(right)
    table = {(-1, -1): most}
    for at in range(len(left) + 1):
        table[at, -1], table[at, 0] = most, at
    for at in range(len(right) + 1):
        table[-1, at], table[0, at] = most, at
    last_row = {}
    for row, letter in enumerate(left, 1):
        last_column = 0
        for column, other in enumerate(right, 1):
            swap_row, swap_column = last_row.get(other, 0), last_column
            if letter == other:
                last_column = column
            table[row, column] = min(
                table[row - 1, column - 1] + (letter != other),
                table[row, column - 1] + 1,
                table[row - 1, column] + 1,
                table[swap_row - 1, swap_column - 1] + (row - swap_row - 1) + 1 + (column - swap_column - 1),
            )
        last_row[letter] = row
    return table[len(left), len(right)]


def near_field(name):
    """Whether a name that is no field is near one."""
    allowed = {field: 0 if len(field) <= 2 else 1 if len(field) <= 5 else 2 for field in FIELDS}
    return any(changes(name.lower(), field) <= most for field, most in allowed.items())


def date_key(words):
    """What a date is compared by, like the times of units."""
    if not DATE.fullmatch(words):
        raise QueryError("no date: " + words)
    whole, fraction = words.upper().replace(" ", "T"), ""
    found = re.search(r"\.(\d+)", whole)
    if found:
        fraction, whole = found.group(1), whole[: found.start()] + whole[found.end() :]
    try:
        time = datetime.datetime.fromisoformat(whole)
        if time.tzinfo is not None:
            time = time.astimezone(datetime.timezone.utc)
    except (ValueError, OverflowError) as problem:
        raise QueryError("no date: " + words) from problem
    return (time.strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0"), fraction.ljust(9, "0"))


def pieces_of(text):
    """The pieces of a query without the blanks. A quote without its partner is an error."""
    found, at = [], 0
    while at < len(text):
        match = PIECE.match(text, at)
        if match is None:
            raise QueryError("a quote is not closed")
        piece, at = match.group(), match.end()
        name = match["name"]
        if name and name.lower() not in FIELDS and not near_field(name):
            # A word before a quote, not a field with its value.
            piece, at = name + ":", match.end("name") + 1
        if not match["blank"] and piece != "AND":
            found.append("NOT" if match["minus"] else piece)
    return found


class Parser:
    """Makes a tree of a query: ("and" | "or", nodes), ("not", node), ("words", tokens, is prefix), (field, value)."""

    def __init__(self, text):
        self.pieces, self.at = pieces_of(text), 0

    def peek(self):
        return self.pieces[self.at] if self.at < len(self.pieces) else None

    def query(self):
        node = self.alternatives()
        if self.peek() is not None:
            raise QueryError("a parenthesis is not opened")
        if node is None:
            raise QueryError("nothing is asked for")
        if not is_positive(node):
            raise QueryError("nothing but exclusions")
        return node

    def alternatives(self):
        begun, nodes, written = self.at, [self.together()], []
        while self.peek() == "OR":
            written.append(self.at > begun)
            self.at += 1
            begun = self.at
            nodes.append(self.together())
        written.append(self.at > begun)
        if len(nodes) > 1 and not all(written):
            raise QueryError("nothing on one side of OR")
        return joined("or", nodes)

    def together(self):
        nodes = []
        while self.peek() not in (None, "OR", ")"):
            nodes.append(self.term())
        return joined("and", nodes)

    def term(self):
        piece = self.peek()
        self.at += 1
        if piece == "NOT":
            if self.peek() in (None, "OR", ")"):
                raise QueryError("nothing to deny")
            node = self.term()
            return ("not", node) if node is not None else None
        if piece == "(":
            node = self.alternatives()
            if self.peek() != ")":
                raise QueryError("a parenthesis is not closed")
            self.at += 1
            return ("group", node) if node is not None else None
        if piece.startswith('"'):
            return words_node(piece[1:-1], False)
        return self.word(piece)

    @staticmethod
    def word(piece):
        named = NAMED.fullmatch(piece)
        if named and named[1].lower() in FIELDS:
            return field_node(named[1].lower(), named[2])
        if named and named[2].strip('"') and not named[2].startswith("/") and near_field(named[1]):
            raise QueryError("unknown field " + named[1])
        bare = piece.rstrip("*")
        runs = RUN.findall(bare)
        ends_in_run = bool(runs) and bare.endswith(runs[-1]) and bool(runs_of(runs[-1]))
        return words_node(bare, bare != piece and ends_in_run)


def joined(how, nodes):
    """The nodes that say something as one node, or None. One alone stands for itself."""
    nodes = [node for node in nodes if node is not None]
    if not nodes:
        return None
    return nodes[0] if len(nodes) == 1 else (how, nodes)


def is_positive(node):
    """Whether a node looks for something, whichever of its sides matches."""
    if node[0] == "and":
        return any(map(is_positive, node[1]))
    if node[0] == "or":
        return all(map(is_positive, node[1]))
    if node[0] == "not":
        return node[1][0] == "in"
    return is_positive(node[1]) if node[0] == "group" else True


def words_node(text, prefix):
    wanted = query_tokens(text)
    return ("words", wanted, prefix) if wanted else None


def plain_value(value):
    """A value of `in`, `role` or `is` as it is compared: one `s` at its end does not matter."""
    return value.lower().replace("_", "-").removesuffix("s")


def field_node(name, value):
    if value.startswith('"'):
        value = value[1:-1]
    if not NOT_WHITE.search(value):
        raise QueryError("no value for " + name)
    if name in KNOWN:
        known = [one for one in KNOWN[name] if plain_value(one) == plain_value(value)]
        if not known:
            raise QueryError("unknown value " + value)
        return (name, known[0])
    if name in ("since", "until"):
        return (name, date_key(value))
    if name == "file":
        if not query_tokens(value):
            raise QueryError("no words in " + value)
        return (name, query_tokens(value))
    return (name, value.lower())


def scope_of(terms):
    """The classes that the `in:` of a row leave, or None if it has none."""
    named = {term[1] for term in terms if term[0] == "in"}
    denied = {term[1][1] for term in terms if term[0] == "not" and term[1][0] == "in"}
    return frozenset((named or set(CLASSES)) - denied) if named or denied else None


class Index:
    """The tokens of all texts, and the units they belong to."""

    def __init__(self, units):
        self.units, self.all = units, frozenset(range(len(units)))
        self.texts, self.places = [], {}
        self.paths, self.has_class = {}, {name: set() for name in CLASSES}
        for number, unit in enumerate(units):
            for name, found in unit.texts.items():
                self.has_class[name].add(number)
                for text in found:
                    self.add(number, name, text)
            if unit.path is not None:
                self.paths[number] = set(tokens(unit.path))
        self.vocabulary = sorted(self.places)

    def add(self, number, name, text):
        at = len(self.texts)
        self.texts.append((number, name))
        for token, position in tokens(text):
            self.places.setdefault(token, {}).setdefault(at, set()).add(position)

    def search(self, query):
        """The numbers of the units that match."""
        return self.answer(Parser(query).query(), frozenset(CLASSES))

    def answer(self, node, classes):
        kind = node[0]
        if kind == "or":
            return set().union(*(self.answer(one, classes) for one in node[1]))
        if kind == "group":
            return self.answer(node[1], classes)
        if kind == "words":
            return self.with_words(node[1], node[2], classes)
        if kind == "and" or scope_of([node]) is not None:
            return self.together(node[1] if kind == "and" else [node], classes)
        if kind == "not":
            return self.all - self.answer(node[1], classes)
        return {number for number in self.all if FIELD_TESTS[kind](self, number, node[1])}

    def together(self, terms, classes):
        """A row of terms: what `in:` says in it holds for all of it."""
        scope, found = scope_of(terms), self.all
        if scope is not None:
            found = found.intersection(set().union(*(self.has_class[name] for name in scope)))
            classes = scope
        for term in terms:
            if scope_of([term]) is None:
                found = found & self.answer(term, classes)
        return set(found)

    def with_words(self, wanted, prefix, classes):
        """The units of which one text of these classes has the tokens side by side."""
        *others, last = wanted
        distance = len(others)
        found = set()
        for token in self.beginning_with(last) if prefix else [last]:
            for at, positions in self.places.get(token, {}).items():
                number, name = self.texts[at]
                if number in found or name not in classes:
                    continue
                rows = [(self.places.get(other, {}).get(at, ()), where) for where, other in enumerate(others)]
                if any(all(end - distance + where in row for row, where in rows) for end in positions):
                    found.add(number)
        return found

    def beginning_with(self, start):
        at = bisect.bisect_left(self.vocabulary, start)
        while at < len(self.vocabulary) and self.vocabulary[at].startswith(start):
            yield self.vocabulary[at]
            at += 1

    def has_tool(self, number, name):
        tool = self.units[number].tool
        if self.units[number].kind != "call" or tool is None:
            return False
        tool, start = tool.lower(), name.rstrip("*")
        return tool.startswith(start) if start != name else tool == name

    def has_path(self, number, wanted):
        path = self.paths.get(number)
        if path is None:
            return False
        starts = [position for token, position in path if not wanted or token == wanted[0]]
        return any(all((token, start + at) in path for at, token in enumerate(wanted)) for start in starts)

    def in_project(self, number, part):
        return part in (self.units[number].file.directory or "").lower()

    def on_branch(self, number, part):
        return any(part in branch.lower() for branch in self.units[number].file.branches)

    def of_model(self, number, part):
        return any(part in model.lower() for model in self.units[number].models)

    def of_agent(self, number, part):
        file = self.units[number].file
        if file.agent is None:
            return False
        return part == "*" or file.agent.lower().startswith(part) or part in (file.agent_type or "").lower()

    def of_session(self, number, part):
        return (self.units[number].file.session or "").lower().startswith(part)

    def at_or_after(self, number, key):
        time = baseline.time_key(self.units[number].time)
        return time is not None and time >= key

    def before(self, number, key):
        time = baseline.time_key(self.units[number].time)
        return time is not None and time < key

    def is_in_state(self, number, state):
        unit = self.units[number]
        return {"error": lambda: unit.is_error, "compacted": unit.is_compacted, "dead-branch": unit.is_dead}[state]()


FIELD_TESTS = {
    "role": lambda index, number, role: index.units[number].role == role,
    "tool": Index.has_tool,
    "file": Index.has_path,
    "project": Index.in_project,
    "branch": Index.on_branch,
    "model": Index.of_model,
    "agent": Index.of_agent,
    "session": Index.of_session,
    "since": Index.at_or_after,
    "until": Index.before,
    "is": Index.is_in_state,
}
