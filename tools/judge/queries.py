"""Queries over units, for the judge of searches (docs/search.md, "Queries"): read, then answered from an index in memory.

Written from that page, never from the Rust code. What the page leaves open, and what is done here:

- ``"`` begins a phrase and ``(`` ``)`` are parentheses wherever they stand outside of a phrase; one without its
  partner is an error. ``OR`` and ``NOT`` are in capitals; ``AND`` is a word.
- A word, phrase or group without any token says nothing, and neither does an ``OR`` or ``NOT`` with nothing to join or deny.
  A query that says nothing is an error.
- ``x`` of ``-x`` may itself begin with ``-``. A denied term is an exclusion, and so is a group of nothing but exclusions.
- ``in:`` rules over what stands beside it, between two ``OR`` or parentheses, with the groups in there; where several rule,
  all of them do. Denied, it rules over nothing.
- What stands before a colon is near a field of three letters or more at one edit (a swap of neighbours is one), or in other case.
- A wrong or empty value is an error. A date is ``YYYY-MM-DD``, or that with a time; without an offset it is UTC.
- Tokens are side by side if they stand as far from each other as in the query, where a camelCase word
  takes as many positions as it has parts.
"""

import bisect
import datetime
import re

import baseline
from units import CLASSES, ROLES
from words import query_tokens, tokens

FIELDS = ("in", "role", "tool", "file", "project", "branch", "model", "agent", "session", "since", "until", "is")
STATES = ("error", "compacted", "dead-branch")
NAMED = re.compile(r"([A-Za-z][A-Za-z_-]*):(.*)", re.DOTALL)
KNOWN = {"in": CLASSES, "role": frozenset(ROLES.values()), "is": STATES}
PIECE = re.compile(r'\s+|[()]|"[^"]*"|-|(?:%s):"[^"]*"|[^\s()"]+' % "|".join(FIELDS))
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:\d\d)?)?")


class QueryError(Exception):
    """A query that has no meaning."""


def edits_at_most_one(left, right):
    """Whether one insertion, removal, change or swap of neighbours makes one of the other."""
    if left == right:
        return True
    if len(left) == len(right):
        differing = [at for at in range(len(left)) if left[at] != right[at]]
        if len(differing) == 1:
            return True
        swapped = len(differing) == 2 and differing[1] == differing[0] + 1
        return swapped and left[differing[0]] == right[differing[1]] and left[differing[1]] == right[differing[0]]
    short, long = sorted((left, right), key=len)
    return len(long) - len(short) == 1 and any(long[:at] + long[at + 1 :] == short for at in range(len(long)))


def near_field(name):
    lower = name.lower()
    return any(lower == field or (len(field) > 2 and edits_at_most_one(lower, field)) for field in FIELDS)


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
        # A dash denies only where a term begins, for a word is taken as far as it goes; alone it is a word without tokens.
        match = PIECE.match(text, at)
        if match is None:
            raise QueryError("a quote is not closed")
        piece, at = match.group(), match.end()
        alone = piece == "-" and (at == len(text) or text[at].isspace() or text[at] == ")")
        if not piece.isspace() and not alone:
            found.append("NOT" if piece == "-" else piece)
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
        if is_exclusion(node):
            raise QueryError("nothing but exclusions")
        return node

    def alternatives(self):
        nodes = [self.together()]
        while self.peek() == "OR":
            self.at += 1
            nodes.append(self.together())
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
                return None
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
        if named and named.group(1) in FIELDS:
            return field_node(named.group(1), named.group(2))
        if named and near_field(named.group(1)):
            raise QueryError("unknown field " + named.group(1))
        return words_node(piece, piece.endswith("*"))


def joined(how, nodes):
    """The nodes that say something as one node, or None. One alone stands for itself."""
    nodes = [node for node in nodes if node is not None]
    if not nodes:
        return None
    return nodes[0] if len(nodes) == 1 else (how, nodes)


def is_exclusion(node):
    if node[0] in ("and", "or"):
        return all(is_exclusion(one) for one in node[1])
    return is_exclusion(node[1]) if node[0] == "group" else node[0] == "not"


def words_node(text, prefix):
    wanted = query_tokens(text)
    return ("words", wanted, prefix) if wanted else None


def field_node(name, value):
    if value.startswith('"') and value.endswith('"') and len(value) > 1:
        value = value[1:-1]
    if not value.strip():
        raise QueryError("no value for " + name)
    if name in KNOWN and value not in KNOWN[name]:
        raise QueryError("unknown value " + value)
    if name in ("since", "until"):
        return (name, date_key(value))
    return (name, query_tokens(value) if name == "file" else value)


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
        if kind in ("and", "or", "group", "in"):
            return self.together(node, classes)
        if kind == "not":
            inner = node[1]
            denied = self.has(inner[1], classes) if inner[0] == "in" else self.answer(inner, classes)
            return self.all - denied
        if kind == "words":
            return self.with_words(node[1], node[2], classes)
        return {number for number in self.all if FIELD_TESTS[kind](self, number, node[1])}

    def together(self, node, classes):
        """A row of terms: what `in:` says in it holds for all of it."""
        if node[0] == "group":
            return self.answer(node[1], classes)
        if node[0] == "or":
            return set().union(*(self.answer(one, classes) for one in node[1]))
        terms = node[1] if node[0] == "and" else [node]
        classes = classes.intersection(*({one[1]} for one in terms if one[0] == "in"))
        found = self.all
        for term in terms:
            found = found & (self.has(term[1], classes) if term[0] == "in" else self.answer(term, classes))
        return set(found)

    def has(self, name, classes):
        return self.has_class[name] if name in classes else set()

    def with_words(self, wanted, prefix, classes):
        """The units of which one text of these classes has the tokens side by side."""
        *others, (last, distance) = wanted
        found = set()
        for token in self.beginning_with(last) if prefix else [last]:
            for at, positions in self.places.get(token, {}).items():
                number, name = self.texts[at]
                if number in found or name not in classes:
                    continue
                rows = [(self.places.get(other, {}).get(at, ()), where) for other, where in others]
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
        tool, name = tool.lower(), name.lower()
        return tool.startswith(name[:-1]) if name.endswith("*") else tool == name

    def has_path(self, number, wanted):
        path = self.paths.get(number)
        if path is None:
            return False
        starts = [position for token, position in path if not wanted or token == wanted[0][0]]
        return any(all((token, start + where) in path for token, where in wanted) for start in starts)

    def in_project(self, number, part):
        return part.lower() in (self.units[number].file.directory or "").lower()

    def on_branch(self, number, part):
        return any(part in branch for branch in self.units[number].file.branches)

    def of_model(self, number, part):
        return any(part in model for model in self.units[number].models)

    def of_agent(self, number, part):
        file = self.units[number].file
        if file.agent is None:
            return False
        return part == "*" or file.agent.startswith(part) or part in (file.agent_type or "")

    def of_session(self, number, part):
        return (self.units[number].file.session or "").startswith(part)

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
