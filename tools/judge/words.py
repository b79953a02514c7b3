"""What a word is, for the judge of searches: text becomes tokens with positions (docs/search.md, "What a word is").

Written from that page, never from the Rust code. The tables are those of Python's ``unicodedata``; what it does not have
of the property ``Alphabetic`` stands below. What the page leaves open: whether a run is ASCII is asked before it is composed
(the kelvin sign), and a run of which no token is left is none "among others".
"""

import re
import unicodedata

# The symbols that are Alphabetic (a letter, `[^\W_]`, or a mark is all else that is).
SO_ALPHABETIC = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
CJK = (
    (0x1100, 0x11FF), (0x2E80, 0x2FDF), (0x3040, 0x30FF), (0x3130, 0x318F), (0x31F0, 0x31FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
LONGEST = 64
# The property White_Space; what Python takes for a blank has U+001C to U+001F besides.
WHITE = r"\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
NOT_WHITE = re.compile("[^%s]" % WHITE)


def char_class(ranges):
    """The inside of a bracket expression that holds these ranges of code points."""
    return "".join("\\U%08x-\\U%08x" % pair for pair in ranges)


def is_mark(char):
    return unicodedata.category(char)[0] == "M"


def marks_and_symbols():
    """The ranges of what belongs to a run besides letters and digits: marks, and what is Alphabetic of the symbols."""
    ranges = list(SO_ALPHABETIC)
    for code in range(0x110000):
        if is_mark(chr(code)):
            if ranges[-1][1] == code - 1:
                ranges[-1] = (ranges[-1][0], code)
            else:
                ranges.append((code, code))
    return ranges


# `[^\W_]` is exactly the categories L* and N*.
RUN = re.compile(r"(?:[^\W_]+|[%s]+)+" % char_class(marks_and_symbols()))
CJK_OR_REST = re.compile("[%s]|[^%s]+" % (char_class(CJK), char_class(CJK)))


def cut(token):
    """The token without what goes beyond 64 bytes, cut at a character."""
    if len(token) * 4 <= LONGEST:
        return token
    return token.encode("utf-8", "replace")[:LONGEST].decode("utf-8", "ignore")


def fold(run):
    """NFKD, marks removed, each character in lower case."""
    if run.isascii():
        return run.lower()
    return "".join(char.lower() for char in unicodedata.normalize("NFKD", run) if not is_mark(char))


def camel_parts(run):
    """The parts of a run of ASCII letters and digits. Digits are looked over: they belong to the part before them."""
    letters = [at for at, char in enumerate(run) if char.isalpha()]
    cuts = [0]
    for number in range(1, len(letters)):
        before, here = run[letters[number - 1]], run[letters[number]]
        after = run[letters[number + 1]] if number + 1 < len(letters) else ""
        if here.isupper() and (before.islower() or after.islower()):
            cuts.append(letters[number])
    return [run[start:end] for start, end in zip(cuts, cuts[1:] + [len(run)])]


def plain_tokens(run):
    """The tokens of one run without camelCase parts, one a position."""
    if run.isascii():
        return [cut(run.lower())]
    pieces = CJK_OR_REST.findall(unicodedata.normalize("NFC", run))
    return [cut(token) for token in map(fold, pieces) if token]


def part_tokens(run):
    """The tokens of the camelCase parts of a run, one a position; of a run that has none its plain tokens."""
    if not run.isascii() or run.islower() or run.isupper():
        return plain_tokens(run)
    return [cut(part.lower()) for part in camel_parts(run)]


def tokens(text):
    """All tokens of a text with their positions: ``[(token, position), ...]``."""
    found, position = [], 0
    for run in RUN.findall(text):
        parts = part_tokens(run)
        if len(parts) > 1 and run.isascii():
            found.append((cut(run.lower()), position))
        found.extend((token, position + at) for at, token in enumerate(parts))
        position += len(parts)
    return found


def runs_of(text):
    """The runs of a text of which something is left as a token."""
    return [run for run in RUN.findall(text) if plain_tokens(run)]


def query_tokens(text):
    """The tokens that a query asks for, side by side: a run alone is its whole, among others its parts."""
    runs = runs_of(text)
    return plain_tokens(runs[0]) if len(runs) == 1 else [token for run in runs for token in part_tokens(run)]
