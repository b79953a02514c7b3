#!/usr/bin/env python3
"""Tests of the judge of searches on handmade lines: python3 tools/judge/test_search.py"""

import json
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # before the parts are imported: nothing is left beside them

from drawing import draw
from queries import Index, Parser, QueryError, changes, date_key
from search import answer
from thread import Thread
from units import load
from words import camel_parts, query_tokens, tokens

SESSION = "11111111-1111-4111-8111-111111111111"
AGENT = "a1b2c3"
FOLDER = "projects/-w"
MAIN = FOLDER + "/" + SESSION + ".jsonl"


def line(kind, number, parent, **more):
    """A chained line: uuid uN, parent uP (or none), one minute each."""
    entry = {"type": kind, "uuid": "u%d" % number, "parentUuid": None if parent is None else "u%d" % parent}
    entry["timestamp"] = "2026-01-01T00:%02d:00.000Z" % number
    return {**entry, **more}


def user(number, parent, content, **more):
    return line("user", number, parent, message={"role": "user", "content": content}, **more)


def assistant(number, parent, *blocks, ident=None, **more):
    message = {"role": "assistant", "model": "mock-1", "content": list(blocks), **({"id": ident} if ident else {})}
    return line("assistant", number, parent, message=message, **more)


def text(words):
    return {"type": "text", "text": words}


def use(ident, name, **given):
    return {"type": "tool_use", "id": ident, "name": name, "input": given}


def result(ident, content, **more):
    return {"type": "tool_result", "tool_use_id": ident, "content": content, **more}


class Store:
    """A store in a temporary folder; files are lists of entries, bytes or strings."""

    def __init__(self, files):
        self.folder = tempfile.TemporaryDirectory()
        for path, content in files.items():
            if isinstance(content, list):
                content = "".join(json.dumps(entry) + "\n" for entry in content)
            if isinstance(content, str):
                content = content.encode()
            whole = os.path.join(self.folder.name, path)
            os.makedirs(os.path.dirname(whole), exist_ok=True)
            with open(whole, "wb") as handle:
                handle.write(content)
        self.units = [unit for file in load(self.folder.name) for unit in file.units]
        self.index = Index(self.units)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def find(self, query):
        """The lines and kinds that a query finds, or "error"."""
        found = answer(self.index, query)
        return "error" if "error" in found else [(number, kind) for _, number, kind in found["hits"]]

    def kinds(self):
        return [(unit.line, unit.kind) for unit in self.units]


def session(*entries):
    return Store({MAIN: list(entries)})


class Words(unittest.TestCase):
    def check(self, words, expected):
        self.assertEqual(tokens(words), expected)

    def test_all_but_letters_digits_and_marks_separates(self):
        self.check("foo::bar_baz/x.rs don't", [("foo", 0), ("bar", 1), ("baz", 2), ("x", 3), ("rs", 4), ("don", 5), ("t", 6)])

    def test_runs_are_folded(self):
        self.check("ÉCOLE e\u0301cole Straße ﬁle Ⅳ", [("ecole", 0), ("ecole", 1), ("straße", 2), ("file", 3), ("iv", 4)])

    def test_cjk_characters_are_a_token_each(self):
        self.check("天気x予報", [("天", 0), ("気", 1), ("x", 2), ("予", 3), ("報", 4)])

    def test_cjk_characters_are_cut_before_they_are_folded(self):
        jamo = "\u1112\u1161\u11ab"
        for written in ("\ud55c", jamo):
            self.check(written + "x", [(jamo, 0), ("x", 1)])
        self.check("\uff76\uff85", [("カナ", 0)])

    def test_marks_of_kana_are_folded(self):
        for written in ("ガ", "カ\u3099", "ｶﾞ", "カ"):
            self.check(written, [("カ", 0)])
        self.check("ア\u3099イ", [("ア", 0), ("イ", 1)])
        self.check("\u3099", [])

    def test_each_character_is_lowered_by_itself(self):
        self.check("ΟΔΟΣ İI", [("οδοσ", 0), ("ii", 1)])

    def test_all_marks_belong_to_runs_and_are_removed(self):
        self.check("कि e\u20dde", [("क", 0), ("ee", 1)])

    def test_camel_case_is_whole_and_parts(self):
        self.check("useEffect hook", [("useeffect", 0), ("use", 0), ("effect", 1), ("hook", 2)])

    def test_camel_parts(self):
        for run, parts in {
            "HTTPServer": ["HTTP", "Server"], "utf8": ["utf8"], "utf8Decode": ["utf8", "Decode"], "SHA256Hash": ["SHA256", "Hash"],
            "aB": ["a", "B"], "Word": ["Word"], "ABC": ["ABC"], "2Fast": ["2Fast"], "3DModel": ["3D", "Model"], "x86": ["x86"],
        }.items():  # fmt: skip
            self.assertEqual(camel_parts(run), parts)

    def test_only_ascii_runs_have_parts(self):
        self.check("éuseEffect", [("euseeffect", 0)])

    def test_long_tokens_are_cut_at_a_character(self):
        self.check("y" * 100, [("y" * 64, 0)])
        self.check("a" + "ж" * 40, [("a" + "ж" * 31, 0)])

    def test_a_mark_alone_is_no_token(self):
        self.check("👍\ufe0f x", [("x", 0)])

    def test_queries_take_parts_among_others_and_the_whole_alone(self):
        self.assertEqual(query_tokens("the useEffect hook"), ["the", "use", "effect", "hook"])
        self.assertEqual(query_tokens("<useEffect>"), ["useeffect"])
        self.assertEqual(query_tokens("useEffect \ufe0f"), ["useeffect"])


class Units(unittest.TestCase):
    def test_special_user_lines(self):
        lines = [
            "a prompt", "<command-name>/x</command-name>", "<local-command-stdout>o</local-command-stdout>", "[Request interrupted by user]",
            "<local-command-caveat>c", "<bash-input>ls</bash-input>", "<bash-stdout>o</bash-stdout>", "<task-notification>t",
            "<teammate-message id=1>m", " ",
        ]  # fmt: skip
        with session(*(user(at, None, words) for at, words in enumerate(lines, 1))) as store:
            kinds = ["prompt", "prompt", "output", "prompt", "output", "output", "prompt"]
            self.assertEqual(store.kinds(), list(zip([1, 2, 3, 6, 7, 8, 9], kinds)))

    def test_meta_lines_are_not_searched_but_commands_are(self):
        with session(user(1, None, "x", isMeta=True), user(2, 1, "<command-message>x", isMeta=True)) as store:
            self.assertEqual(store.kinds(), [(2, "prompt")])

    def test_lines_of_one_message_are_one_answer(self):
        think = {"type": "thinking", "thinking": "deep"}
        with session(assistant(1, None, think, ident="m"), assistant(2, 1, text("said"), ident="m"), assistant(3, 2, text("alone"))) as store:
            self.assertEqual(store.find("deep said"), [(1, "answer")])
            self.assertEqual(store.units[0].lines, [1, 2])
            self.assertEqual(store.find("in:thinking said"), [])
            self.assertEqual(store.find("alone"), [(3, "answer")])

    def test_a_message_without_text_is_no_unit(self):
        with session(assistant(1, None, use("t", "Bash", command="ls"), ident="m")) as store:
            self.assertEqual(store.kinds(), [(1, "call")])

    def test_a_call_has_its_later_input_and_its_results(self):
        first, later = use("t", "Bash", command="old"), use("t", "Bash", command="new", deep=[{"key": "inner"}])
        with session(assistant(1, None, first), assistant(2, 1, later), user(3, 2, [result("t", "printed", is_error=True)])) as store:
            self.assertEqual(store.find("new inner printed bash is:error tool:BASH"), [(1, "call")])
            self.assertEqual((store.find("old"), store.find("key"), store.units[0].lines), ([], [], [1, 2, 3]))

    def test_results_without_call_are_outputs(self):
        with session(user(1, None, [result("gone", [text("left")]), text("beside")])) as store:
            self.assertEqual((store.find("left"), store.find("beside")), ([(1, "output")], []))

    def test_results_of_one_id_without_call_are_one_output(self):
        first = user(1, None, [result("gone", "left"), result("lost", "other")], toolUseResult={"stderr": "added", "stdout": "left"})
        nameless = user(3, 2, [{"type": "tool_result", "content": "x"}])
        with session(first, user(2, 1, [result("gone", "again", is_error=True)]), nameless) as store:
            self.assertEqual(store.kinds(), [(1, "output"), (1, "output"), (3, "output")])
            self.assertEqual(store.units[0].texts, {"output": ["left", "again", "added"]})
            self.assertEqual((store.units[0].lines, store.find("is:error")), ([1, 2], [(1, "output")]))

    def test_line_numbers_of_read_are_no_words(self):
        call, back = use("t", "Read", file_path="/a/b.rs"), result("t", "     1→alpha\n2\tbeta 3")
        with session(assistant(1, None, call), user(2, 1, [back])) as store:
            self.assertEqual(store.find('"alpha beta 3"'), [(1, "call")])
            self.assertEqual((store.find("1"), store.find("2")), ([], []))

    def test_the_record_adds_what_stands_nowhere_else(self):
        record = {"stdout": "shown", "stderr": "only here", "again": "only", "type": "hidden", "file": {"base64": "hidden"}}
        shown = user(2, 1, [result("t", "shown"), result("s", "other")], toolUseResult=record)
        with session(assistant(1, None, use("t", "Bash"), use("s", "Bash")), shown) as store:
            self.assertEqual(store.units[0].texts["output"], ["shown", "only here"])
            self.assertEqual(store.units[1].texts["output"], ["other"])

    def test_base64_is_no_text(self):
        with session(assistant(1, None, use("t", "X", a="A" * 513, b="A" * 512, c="A " * 300))) as store:
            self.assertEqual([len(string) for string in store.units[0].texts["input"]], [1, 512, 600])

        data = "A" * 513
        with session(user(1, None, data), user(2, 1, [text(" "), text(data), text("<bash-stdout>")]), user(3, 2, "\u3000\n")) as store:
            self.assertEqual(store.kinds(), [(2, "output")])

    def test_large_results_are_read_from_their_file(self):
        said = "Output too large. Full output saved to: /elsewhere/tool-results/b1.txt\n\nPreview"
        lines = [assistant(1, None, use("t", "Bash")), user(2, 1, [result("t", said)])]
        saved = FOLDER + "/" + SESSION + "/tool-results/b1.txt"
        with Store({MAIN: lines, saved: "far away words"}) as store:
            self.assertEqual(store.find('"far away"'), [(1, "call")])

    def test_results_of_server_tools(self):
        call = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "asked"}}
        found = {"type": "hidden", "title": "found", "encrypted_content": "secret"}
        back = {"type": "web_search_tool_result", "tool_use_id": "s", "content": [found]}
        other = {"type": "code_execution_tool_result", "tool_use_id": "s", "content": "elsewhere"}
        with session(assistant(1, None, call, back, other, ident="m"), assistant(2, 1, text("said"), ident="m")) as store:
            self.assertEqual(store.kinds(), [(1, "answer")])
            self.assertEqual(store.units[0].texts, {"answers": ["said"], "input": ["web_search", "asked"], "output": ["found"]})
            self.assertEqual((store.find("tool:web_search"), store.find("in:input asked -in:output")), ([], [(1, "answer")]))

    def test_queued_prompts(self):
        enqueue = {"type": "queue-operation", "operation": "enqueue", "timestamp": "2026-01-01T00:00:00.000Z"}
        queued = {"type": "queued_command", "prompt": "taken in", "commandMode": "prompt"}
        note = {"type": "queued_command", "prompt": "<task-notification>", "commandMode": "task-notification"}
        with session(
            {**enqueue, "content": "typed"}, {**enqueue, "content": "lost"}, {**enqueue, "content": "taken in"},
            {**enqueue, "content": "<task-notification>"}, user(5, None, [text("typed")]),
            line("attachment", 6, 5, attachment=queued), line("attachment", 7, 6, attachment=note),
        ) as store:  # fmt: skip
            self.assertEqual(store.kinds(), [(2, "prompt"), (5, "prompt"), (6, "prompt"), (7, "output")])
            self.assertEqual(store.find("is:dead-branch"), [])

    def test_queued_prompts_are_dropped_for_later_prompts_alone(self):
        enqueue = {"type": "queue-operation", "operation": "enqueue", "content": "same"}
        with session(user(1, None, "same"), enqueue, enqueue, user(4, 1, "same more")) as store:
            self.assertEqual(store.kinds(), [(1, "prompt"), (2, "prompt"), (3, "prompt"), (4, "prompt")])
        with session(enqueue, user(2, 1, "same", isMeta=True), user(3, 2, [text("same"), text("more")])) as store:
            self.assertEqual(store.kinds(), [(1, "prompt"), (3, "prompt")])
        with session(enqueue, user(2, None, [text("same"), text(" ")])) as store:
            self.assertEqual(store.kinds(), [(2, "prompt")])

    def test_titles(self):
        other = FOLDER + "/22222222-2222-4222-8222-222222222222.jsonl"
        summaries = [{"type": "summary", "summary": "made title", "leafUuid": "u1"}]
        with Store({MAIN: [user(1, None, "x")], other: summaries}) as store:
            self.assertEqual(store.find("in:titles made"), [(0, "title")])
            self.assertEqual(store.units[-1].time, "2026-01-01T00:01:00.000Z")
        notes = [{"type": "custom-title", "customTitle": "given"}, {"type": "ai-title", "aiTitle": "guessed"}]
        with Store({MAIN: [user(1, None, "x"), *notes], other: summaries}) as store:
            self.assertEqual([store.find(word) for word in ("given", "guessed", "made")], [[(0, "title")], [], []])

        sidecar = FOLDER + "/" + SESSION + "/custom-title.json"
        with Store({MAIN: [user(1, None, "x"), *notes], sidecar: '{"customTitle": "beside"}'}) as store:
            self.assertEqual((store.find("given"), store.find("beside")), ([(0, "title")], []))
        with Store({MAIN: [user(1, None, "x"), notes[1]], sidecar: '{"customTitle": " be\\n\\tside\\u00a0"}'}) as store:
            self.assertEqual(store.units[-1].texts, {"titles": ["be side"]})

    def test_damaged_lines(self):
        one, two = json.dumps(user(1, None, "first")), json.dumps(user(2, 1, "second \ud83d half"))
        with Store({MAIN: one + two + '\n{"torn": "li' + json.dumps(user(3, 2, "third")) + "\nnothing\n"}) as store:
            self.assertEqual(store.kinds(), [(1, "prompt"), (1, "prompt"), (2, "prompt")])
            self.assertEqual(store.units[1].texts["prompts"], ["second \ufffd half"])

    def test_files_that_are_not_searched(self):
        aside = FOLDER + "/" + SESSION + ".orphaned-1-x.jsonl"
        journal = FOLDER + "/" + SESSION + "/subagents/workflows/wf_1/journal.jsonl"
        with Store({aside: [user(1, None, "x")], journal: [user(1, None, "x")], "projects/x.jsonl": [user(1, None, "x")]}) as store:
            self.assertEqual(store.units, [])


class Live(unittest.TestCase):
    def thread(self, *entries):
        return Thread(list(entries), sidechains=True)

    def test_the_last_leaf_without_child_is_live(self):
        thread = self.thread(user(1, None, "a"), user(2, 1, "b"), user(3, 1, "c"))
        self.assertEqual(thread.on, {"u1", "u3"})

    def test_last_prompt_names_the_branch_and_is_carried_on(self):
        lines = [user(1, None, "a"), user(2, 1, "b"), user(3, 2, "c"), user(4, 1, "d")]
        note = {"type": "last-prompt", "leafUuid": "u2"}
        self.assertEqual(self.thread(*lines, note).on, {"u1", "u2", "u3"})
        self.assertEqual(self.thread(*lines, {**note, "explicit": True}).on, {"u1", "u2"})
        self.assertEqual(self.thread(*lines, {**note, "leafUuid": "zero"}).on, {"u1", "u4"})

    def test_gaps_and_circles_are_bridged_by_time(self):
        self.assertEqual(self.thread(user(1, None, "a"), user(2, 9, "b")).on, {"u1", "u2"})
        self.assertEqual(self.thread(user(1, None, "a"), user(2, 2, "b")).on, {"u1", "u2"})

    def test_parallel_calls_are_put_back(self):
        calls = [assistant(1, None, use("s", "A"), ident="m"), assistant(2, 1, use("t", "A"), ident="m")]
        back = [user(3, 2, [result("t", "x")]), user(4, 1, [result("s", "x")])]
        thread = self.thread(*calls, *back, assistant(5, 4, text("x"), ident="n"))
        self.assertEqual(thread.on, {"u1", "u2", "u3", "u4", "u5"})

    def test_what_hangs_beside_is_on_it_without_conversation(self):
        beside = [line("system", 2, 1), line("progress", 3, 2), line("system", 4, 1), user(5, 4, "dead")]
        self.assertEqual(self.thread(user(1, None, "a"), *beside, user(6, 1, "b")).on, {"u1", "u2", "u3", "u6"})

    def test_compactions_are_crossed(self):
        boundary = line("system", 3, None, subtype="compact_boundary", logicalParentUuid="u2")
        summary = user(4, 3, "sum up", isCompactSummary=True)
        with session(user(1, None, "old"), assistant(2, 1, text("old")), boundary, summary, user(5, 4, "new")) as store:
            self.assertEqual(store.find("is:compacted"), [(1, "prompt"), (2, "answer")])
            self.assertEqual((store.find("sum"), store.find("is:dead-branch")), ([(4, "summary")], []))

    def test_sidechains_are_dead_in_a_session_only(self):
        agent = FOLDER + "/" + SESSION + "/subagents/agent-" + AGENT + ".jsonl"
        lines = [user(1, None, "x", isSidechain=True)]
        with Store({MAIN: lines + [user(2, None, "y")], agent: lines}) as store:
            self.assertEqual(store.find("is:dead-branch"), [(1, "prompt")])
            self.assertEqual(store.find("agent:* x -is:dead-branch"), [(1, "prompt")])


class Queries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        call = use("t", "mcp__web__get", url="http://x.y/z")
        cls.store = session(
            user(1, None, "red green useEffect hook", cwd="/Work/Place", gitBranch="feat/one"),
            assistant(2, 1, text("red blue"), ident="m"),
            assistant(3, 2, use("r", "Read", file_path="/src/main.rs"), call, ident="m"),
            assistant(4, 3, text("limit reached"), isApiErrorMessage=True),
        )  # fmt: skip

    @classmethod
    def tearDownClass(cls):
        cls.store.folder.cleanup()

    def check(self, expected, *queries):
        for query in queries:
            with self.subTest(query=query):
                found = self.store.find(query)
                self.assertEqual(found if found == "error" else [number for number, _ in found], expected)

    def test_and_or_not(self):
        self.check([1, 2], "red", "green OR blue", "red OR nothing", "(green OR blue) red", "red -(green blue)")
        self.check([1], "red green", "red -blue", "red NOT blue", "red NOT NOT green", "red -(-green)")
        self.check([1, 2, 4], "green OR blue OR limit", "red green OR blue OR limit")
        self.check([1], "red AND green", "AND red green AND", "red AND NOT blue", "red AND (green OR limit)", '"red" "green" AND')

    def test_minuses(self):
        self.check([1], "red --green", "red ---green", "red - green", "red --(green)", 'red --"green"', "red -- green", "red-green")
        self.check([1], "red -blue", 'red -"blue"', "red -(blue)", "red NOT -green", "(red)-blue", "red (green -)")
        self.check([1, 2], "red -", "red --", "(red -)", "red -!", "red -()")

    def test_phrases(self):
        self.check([1], '"red green"', '"use effect hook"', '"useEffect hook"', '"green useEffect hook"', "useeffect")
        self.check([1], "green/useEffect", "UseEFFECT/hook", '"green useeffect"')
        self.check([], '"green red"', '"red hook"', '"red blue limit"', '"useeffect hook"', "hook/useEffect")

    def test_prefixes(self):
        self.check([1, 2], "re* -reached -role:tool")
        self.check([1], "green/useEff*", "gre*", "useEff*")
        self.check([3], "main.r*", "http://x*")
        self.check([1], "gre**", "green-*", "green*hook*! OR green-u*", "green/use*", "green/useE*")
        self.check([], '"gree*"', "*reen", "gree-*", "gre*n", "hook*x")

    def test_errors(self):
        self.check("error", "(red", "red)", '"red', "", "!!!", '""', "()", "AND", "-", "--", "(-)")
        self.check("error", "OR", "NOT", "red OR", "OR red", "red OR OR blue", "(red OR)", "red NOT", "red (NOT)", "NOT OR red", "red -OR")
        self.check("error", "red AND OR", "!!! OR ()", "red OR () OR")
        self.check("error", "role:", "role:none", "role:userss", "in:none", "is:none", 'tool:""', 'file:" "', "project:(x)", "agent:")
        self.check("error", "since:soon", "since:2026-02-30", "since:", "until:2026-1-1")

    def test_exclusions_alone(self):
        self.check("error", "-red", "-red OR -blue", "(-red)", "NOT NOT red", "-(-red)", "red OR -blue", "-blue OR red", "(red OR -blue)")
        self.check("error", "-role:user", "-(in:output)", "red OR (blue OR -green)")
        self.check([1], "(green OR -red) hook", "in:prompts -blue", "role:user -blue", "in:prompts -blue OR nothing")
        self.check([1, 2, 3, 3, 4], "-in:output")
        self.check([2, 3, 3, 4], "-role:user -in:titles")

    def test_what_says_nothing_is_left_out(self):
        self.check([1, 2], "red !!!", 'red ""', "red ()", "- red", "red NOT !!!", "red NOT ()", "red *", "red AND")
        self.check([1, 2], "red OR !!!", "red OR ()", "red OR -", "!!! OR red", "red OR !!! OR nothing")

    def test_colons(self):
        self.check([3], "http://x.y/z", "src:main", "src::main.rs", "file_path:src OR x:y", "mcp__web:get")
        self.check([3], "-x:z main OR x-role:y", "xéy:z OR main")
        self.check([3], "file:/src/main.rs", "FILE:/main.rs")
        self.check([1, 2, 3, 3, 4], "project:/Work", "branch:/one")
        self.check([], "project:/Place/Work", "role::user", "tol::x", "rolle://x", "role1:user", "tol:", 'foo:"red"')
        self.check([2], "blue/red:red OR blue:", 'blue:"red"')

    def test_near_fields(self):
        self.check("error", "tol:x", "tools:x", "toll:x", "otol:x", "TOL:x", "fil:x", 'tol:"x"')
        self.check("error", "prject:x", "porjetc:x", "brnc:x", "sesions:x")
        self.check([], "t:x", "ins:x", "bin:x", "id:x", "moddell:x", "stole:x", "std:x", "tola:x OR xfilx:x", 'tol:""')
        self.assertEqual([changes(*pair) for pair in (("ca", "abc"), ("role", "roel"), ("", "in"), ("branch", "brnahc"))], [2, 1, 2, 2])

    def test_scopes(self):
        self.check([1], "in:prompts red", "red in:prompts", "in:prompts (red OR blue)", "in:prompts", "in:prompts -blue")
        self.check([1, 2], "in:prompts red OR blue", "(in:prompts red) OR blue", "red -in:output", "in:prompts in:answers red")
        self.check([], "in:prompts (blue)", "in:answers (in:prompts red)", "in:prompts role:tool", "in:input -in:input")
        self.check([2], "red -in:prompts", "red -(in:prompts green)", "red NOT in:prompts", "in:prompts in:answers -in:prompts red")
        self.check([2], "red -in:prompts -in:input", "in:prompts -red OR in:answers red")
        self.check([1, 2, 4], "in:prompts in:answers", "in:titles in:prompts OR in:answers")

    def test_groups_with_their_own_scope(self):
        call, back = use("t", "X", a="asked"), result("t", "printed")
        with session(assistant(1, None, call), user(2, 1, [back])) as store:
            for query in ("in:input (in:output printed)", "in:input asked (-in:input printed)", "in:output ((in:input asked) printed)"):
                self.assertEqual(store.find(query), [(1, "call")], query)
            for query in ("in:input (printed)", "in:output ((in:input asked) asked)", "in:titles (in:input asked)", "asked -(in:output)"):
                self.assertEqual(store.find(query), [], query)

    def test_fields(self):
        self.check([3], "file:src/main", "file:MAIN.rs", "tool:read", "tool:re*", 'file:"/src/main.rs"', "FILE:main", "tool:RE**")
        self.check([3], "tool:mcp__*", "tool:MCP__web__get")
        self.check([], "file:rs/main", "tool:mcp", "agent:*", "session:2", "model:opus")
        self.check([1, 2, 3, 3, 4], "project:work/PLACE", "branch:eat/", "branch:FEAT", "session:1111")
        self.check([1, 2, 3, 3, 4], "tool:* OR in:prompts OR in:answers")
        self.check([2, 3, 3, 4], "model:mock", "Model:MOCK")
        self.check([4], "is:error", "is:Errors", "IS:error")

    def test_values_in_other_forms(self):
        self.check([1], "in:prompt", "in:Prompts", "role:users", "Role:USER")
        self.check([3, 3], "in:inputs", "role:tools")
        self.check([], "is:dead_branch", "is:dead-branchs", "is:Dead-Branch", "in:thinkings")

    def test_times(self):
        self.check([3, 3, 4], "since:2026-01-01T00:03:00Z", "since:2026-01-01T01:03:00+01:00")
        self.check([1, 2], "until:2026-01-01T00:03:00Z", "until:2026-01-01T00:02:00.001Z")
        self.check([], "until:2026-01-01")
        self.assertLess(date_key("2026-01-01T00:00:00.1Z"), date_key("2026-01-01T00:00:00.11Z"))

    def test_quoted_values(self):
        self.check([1, 2, 3, 3, 4], 'project:"work/place"')
        self.assertEqual(Parser('file:"a b" c').query()[1][0], ("file", ["a", "b"]))

    def test_drawn_queries_are_read(self):
        drawn = list(draw(self.store.units, 3, 200))
        self.assertEqual((len(drawn), drawn), (200, list(draw(self.store.units, 3, 200))))
        for query in drawn:
            try:
                Parser(query).query()
            except QueryError as problem:
                self.fail("%s: %s" % (query, problem))


class Agents(unittest.TestCase):
    def test_agents_have_type_directory_and_branch_of_their_session(self):
        made = [
            assistant(1, None, use("t", "Task", subagent_type="explorer"), cwd="/top", gitBranch="b1"),
            user(2, 1, [result("t", "done")], toolUseResult={"agentId": "f1a7"}),
        ]
        flat, below = FOLDER + "/agent-f1a7.jsonl", FOLDER + "/" + SESSION + "/subagents/agent-" + AGENT
        words = [user(1, None, "find it", isSidechain=True, sessionId=SESSION, cwd="/own", gitBranch="own")]
        files = {MAIN: made, flat: words, below + ".jsonl": words, below + ".meta.json": '{"agentType": "planner"}'}
        with Store(files) as store:
            for query in ("agent:explor", "agent:f1", "agent:F1", "agent:PLAN", "agent:" + AGENT):
                self.assertEqual(store.find(query), [(1, "prompt")], query)
            self.assertEqual(len(store.find("agent:* project:top branch:b1 session:" + SESSION)), 2)
            self.assertEqual((store.find("project:own"), store.find("branch:own")), ([], []))


if __name__ == "__main__":
    unittest.main()
