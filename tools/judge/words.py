"""What a word is, for the judge of searches: text becomes tokens with positions (docs/search.md, "What a word is").

Written from that page, never from the Rust code. The tables are those of Python's ``unicodedata``; what it does not have
of the property ``Alphabetic`` stands below.
"""

import re
import unicodedata

# Spacing marks that are not Alphabetic (all other Mc are), and the symbols that are.
MC_NOT_ALPHABETIC = frozenset(
    [0x0F3E, 0x0F3F, 0x1715, 0x1734, 0x1B44, 0x1BAA, 0x1BF2, 0x1BF3, 0x1CE1, 0x1CF7, 0x302E, 0x302F, 0xA953, 0xA9C0]
    + [0xABEC, 0x111C0, 0x11235, 0x1134D, 0x116B6, 0x1193D, 0x1D165, 0x1D166]
    + list(range(0x1D16D, 0x1D173))
)
SO_ALPHABETIC = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
CJK = (
    (0x1100, 0x11FF), (0x2E80, 0x2FDF), (0x3040, 0x30FF), (0x3130, 0x318F), (0x31F0, 0x31FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xAC00, 0xD7AF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF),
)  # fmt: skip
LONGEST = 64


def char_class(ranges):
    """The inside of a bracket expression that holds these ranges of code points."""
    return "".join("\\U%08x-\\U%08x" % pair for pair in ranges)


def marks_and_symbols():
    """The ranges of what belongs to a run besides letters and digits: Mn, and what is Alphabetic of Mc and So."""
    ranges = list(SO_ALPHABETIC)
    for code in range(0x110000):
        category = unicodedata.category(chr(code))
        if category == "Mn" or (category == "Mc" and code not in MC_NOT_ALPHABETIC):
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
    """NFKD, nonspacing marks removed, lowercase."""
    if run.isascii():
        return run.lower()
    kept = (char for char in unicodedata.normalize("NFKD", run) if unicodedata.category(char) != "Mn")
    return "".join(kept).lower()


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


def run_tokens(run):
    """The tokens of one run as (token, offset, is it a whole), and how many positions the run takes."""
    if run.isascii():
        whole = (cut(run.lower()), 0, True)
        parts = camel_parts(run) if not (run.islower() or run.isupper() or run.isdigit()) else [run]
        if len(parts) == 1:
            return [whole], 1
        return [whole] + [(cut(part.lower()), at, False) for at, part in enumerate(parts)], len(parts)
    found = [(cut(token), at, True) for at, token in enumerate(CJK_OR_REST.findall(fold(run)))]
    return found, len(found)


def tokens(text):
    """All tokens of a text with their positions: ``[(token, position), ...]``."""
    found, position = [], 0
    for match in RUN.finditer(text):
        of_run, length = run_tokens(match.group())
        found.extend((token, position + offset) for token, offset, _ in of_run)
        position += length
    return found


def query_tokens(text):
    """The tokens that a query asks for with their distances: wholes only, where the text's own positions would put them."""
    found, position = [], 0
    for match in RUN.finditer(text):
        of_run, length = run_tokens(match.group())
        found.extend((token, position + offset) for token, offset, whole in of_run if whole)
        position += length
    return found
