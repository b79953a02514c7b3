"""Queries drawn from the words that stand in a store, for the judge of searches.

Each kind of query is a method of Drawing; they take turns, so that a run of some hundred queries has all of them.
"""

import random
import re
import unicodedata

import baseline
from queries import FIELDS
from units import CLASSES
from words import CJK, RUN, char_class, fold, runs_of

OPERATORS = ("OR", "NOT", "AND")
CAMEL = re.compile(r"\b[A-Za-z]+[a-z][A-Z][A-Za-z0-9]*\b")
SNAKE = re.compile(r"\b[A-Za-z0-9]+(?:_+[A-Za-z0-9]+)+\b")
PATH = re.compile(r"(?<![\w:/.-])/?[A-Za-z0-9_.]+(?:/[A-Za-z0-9_.-]+)+")
CJK_RUN = re.compile("[%s]+" % char_class(CJK))
STATES = ("error", "compacted", "dead-branch")


class Drawing:
    """The words of the units, and a source of chance."""

    def __init__(self, units, seed):
        self.chance = random.Random(seed)
        self.units = units
        self.texts = [text for unit in units for found in unit.texts.values() for text in found if runs_of(text)]
        counts = {}
        for text in self.texts:
            for run in set(map(fold, RUN.findall(text))):
                baseline.count(counts, run)
        words = sorted(word for word in counts if RUN.fullmatch(word))
        self.rare_words = [word for word in words if counts[word] <= 3]
        self.common_words = sorted(words, key=lambda word: (-counts[word], word))[:200]
        self.camel_words = self.every(CAMEL)
        self.snake_words = self.every(SNAKE)
        self.path_words = self.every(PATH)
        self.cjk_words = self.every(CJK_RUN)
        self.accented_words = [run for run in self.every(RUN) if not run.isascii() and not CJK_RUN.search(run) and fold(run)]

    def every(self, pattern):
        return sorted({found for text in self.texts for found in pattern.findall(text) if len(found) < 200})

    def one(self, things):
        """One of these, or a word that stands nowhere if there are none."""
        return self.chance.choice(things) if things else self.nowhere()

    def unit(self):
        return self.chance.choice(self.units)

    def word_of(self, unit):
        """A word of a unit, as it is written there."""
        texts = [text for found in unit.texts.values() for text in found if runs_of(text)]
        if not texts:
            return self.nowhere()
        word = self.one(runs_of(self.one(texts))[:2000])
        return word.lower() if word in OPERATORS else word

    def word(self):
        return self.chance.choice([self.rare, self.common, lambda: self.word_of(self.unit())])()

    def rare(self):
        return self.one(self.rare_words)

    def common(self):
        return self.one(self.common_words)

    def nowhere(self):
        return "".join(self.chance.choice("bcdfghjkvwxz") for _ in range(11))

    def both(self):
        unit = self.unit()
        return self.word_of(unit) + " " + self.word_of(unit)

    def either(self):
        return self.word() + " OR " + self.word()

    def phrase(self):
        runs = runs_of(self.one(self.texts))
        length = self.chance.randint(2, 4)
        start = self.chance.randrange(max(1, len(runs) - length + 1))
        return '"%s"' % " ".join(runs[start : start + length])

    def phrase_as_written(self):
        """A phrase with what really stands between its words."""
        text = self.one(self.texts)
        matches = list(RUN.finditer(text))
        start = self.chance.randrange(len(matches))
        end = min(start + self.chance.randint(1, 3), len(matches) - 1)
        piece = " ".join(text[matches[start].start() : matches[end].end()].split())
        return self.phrase() if '"' in piece or len(piece) > 300 or not runs_of(piece) else '"%s"' % piece

    def reversed_phrase(self):
        return '"%s"' % " ".join(reversed(self.phrase().strip('"').split()))

    def prefix(self):
        word = self.word()
        return word[: self.chance.randint(1, len(word))] + "*"

    def long_prefix(self):
        word = self.one(self.snake_words + self.path_words)
        return word[: self.chance.randint(2, len(word))].lstrip("-") + "*"

    def without(self):
        unit = self.unit()
        return self.word_of(unit) + self.chance.choice([" -", " NOT "]) + self.word()

    def without_phrase(self):
        return self.common() + " -" + self.phrase()

    def camel(self):
        return self.one(self.camel_words)

    def camel_in_other_case(self):
        return self.chance.choice([str.lower, str.upper])(self.camel())

    def camel_parts(self):
        return '"%s"' % " ".join(re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", self.camel()))

    def snake(self):
        return self.one(self.snake_words)

    def path(self):
        return self.one(self.path_words)

    def cjk(self):
        word = self.one(self.cjk_words)
        start = self.chance.randrange(len(word))
        return word[start : start + self.chance.randint(1, 3)]

    def accented(self):
        word = self.one(self.accented_words)
        other = self.chance.choice(["NFC", "NFD", "NFKD", "upper", "plain"])
        if other == "upper":
            return word.upper()
        return (fold(word) or word) if other == "plain" else unicodedata.normalize(other, word)

    def field(self):
        return self.of_field(self.chance.choice(FIELDS))

    def of_field(self, name):
        """A field with a value that stands somewhere, most times."""
        unit = self.unit()
        file = unit.file
        part = {
            "in": lambda: self.one(CLASSES),
            "role": lambda: unit.role,
            "tool": lambda: self.one([one.tool for one in self.units if one.tool]),
            "file": lambda: self.some_path(),
            "project": lambda: self.part_of(file.directory),
            "branch": lambda: self.part_of(self.one(sorted(file.branches))),
            "model": lambda: self.part_of(self.one([one.models[0] for one in self.units if one.models])),
            "agent": lambda: self.some_agent(),
            "session": lambda: (file.session or "")[: self.chance.choice([2, 4, 8, 36])],
            "since": lambda: self.some_date(unit),
            "until": lambda: self.some_date(unit),
            "is": lambda: self.chance.choice(STATES),
        }[name]()
        value = part or self.nowhere()
        return name + ":" + (value if re.fullmatch(r'[^\s()":/][^\s()"]*', value) else '"%s"' % value.replace('"', " "))

    def part_of(self, text):
        """The end of a path or name, or a piece of it."""
        text = text or self.nowhere()
        start = self.chance.randrange(len(text))
        return self.chance.choice([text, re.split(r"[/\\]", text)[-1], text[start : start + 8]]).strip()

    def some_path(self):
        path = self.one([one.path for one in self.units if one.path])
        parts = path.split("/")
        return self.chance.choice([path, parts[-1], "/".join(parts[-2:]), parts[-1].split(".")[0]])

    def some_agent(self):
        agents = [one.file for one in self.units if one.file.agent]
        if not agents:
            return "*"
        file = self.chance.choice(agents)
        return self.chance.choice(["*", file.agent, file.agent[:3], file.agent_type or "*", (file.agent_type or "*")[:5]])

    def some_date(self, unit):
        """A time that stands there, its second, its day, or the day after or before."""
        time = unit.time if baseline.time_key(unit.time) else "2026-11-15T12:00:00.000Z"
        days = ["2026-11-14", "2026-11-16", "2025-01-01"]
        return self.chance.choice([time, time, time[:19] + "Z", time[:10], self.chance.choice(days)])

    def fields_of_one(self):
        return self.word_of(self.unit()) + " " + self.field()

    def two_fields(self):
        return self.field() + " " + self.field()

    def common_with_field(self):
        return self.common() + " " + self.field()

    def without_field(self):
        return self.common() + " -" + self.field()

    def within(self):
        unit = self.unit()
        return "in:" + self.one(list(unit.texts)) + " " + self.word_of(unit)

    def group(self):
        return "(%s) %s" % (self.either(), self.common())

    def scoped_group(self):
        return "(in:%s %s) %s" % (self.one(CLASSES), self.common(), self.common())

    def scoped_alternatives(self):
        return "in:%s (%s OR %s)" % (self.one(CLASSES), self.common(), self.word())

    def denied_group(self):
        return "%s -(%s)" % (self.common(), self.either())

    def nested(self):
        return "(%s (%s OR -%s)) OR %s" % (self.common(), self.prefix(), self.common(), self.phrase())

    def two_scopes(self):
        return "in:%s in:%s %s" % (self.one(CLASSES), self.one(CLASSES), self.common())

    def all_other_scopes(self):
        return "%s -in:%s" % (self.common(), self.one(CLASSES))

    def scope_in_scope(self):
        unit = self.unit()
        outer, inner = self.one(list(unit.texts)), self.one(list(unit.texts))
        return "in:%s %s (%sin:%s %s)" % (outer, self.common(), self.chance.choice(["", "-"]), inner, self.word_of(unit))

    def with_and(self):
        unit = self.unit()
        return self.word_of(unit) + " AND " + self.word_of(unit)

    def two_minuses(self):
        return self.common() + " --" + self.word()

    def camel_among_others(self):
        """A camelCase word with what stands before it."""
        word = self.camel()
        texts = [text for text in self.texts if len(text) < 10000 and word in text]
        before = runs_of(self.one(texts).partition(word)[0])[-1:]
        return '"%s"' % " ".join([*before, word])

    def other_values(self):
        """Values as they may be written too."""
        name = self.one(CLASSES)
        other = name[:-1] if name.endswith("s") else name + "s"
        return self.common() + " " + self.chance.choice(["in:" + other, "role:Users", "is:errors", "is:dead_branch", "IS:Compacted"])

    def combined(self):
        return "%s %s -%s" % (self.of_field("role"), self.prefix(), self.word())

    def queries(self, count):
        kinds = (
            self.rare, self.common, self.both, self.either, self.phrase, self.phrase_as_written, self.reversed_phrase,
            self.prefix, self.long_prefix, self.without, self.without_phrase, self.camel, self.camel_in_other_case,
            self.camel_parts, self.snake, self.path, self.cjk, self.accented, self.field, self.fields_of_one,
            self.two_fields, self.common_with_field, self.without_field, self.within, self.group, self.scoped_group,
            self.scoped_alternatives, self.denied_group, self.nested, self.combined, self.nowhere,
            self.two_scopes, self.all_other_scopes, self.scope_in_scope, self.with_and, self.two_minuses,
            self.camel_among_others, self.other_values,
        )  # fmt: skip
        turn, fields = 0, 0
        while turn < count:
            if turn % 4 == 3:
                # Each field gets its turn, alone and with a word of a unit.
                query = self.of_field(FIELDS[fields % len(FIELDS)])
                query = query if fields // len(FIELDS) % 2 else self.common() + " " + query
                fields += 1
            else:
                query = kinds[turn % len(kinds)]()
            yield query.replace("\n", " ")
            turn += 1


def draw(units, seed, count):
    """That many queries; the same for the same units and seed."""
    return Drawing(units, seed).queries(count) if units else iter(())
