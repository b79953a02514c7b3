"""The units of a store, for the judge of searches: what docs/search.md calls prompt, answer, call, output, summary and title.

Written from that page and FORMAT.md, never from the Rust code. What the page leaves open, and what is done here:

- The first text of a line, by which it is special, is the first one that is a text: neither blank nor base64.
- Results without call have all that those of a call have, with the files that too large ones were saved in.
- "The very same text" is the same row of texts. A title that is blank is none, wherever it stands; of several summaries
  the last one in path order counts.
"""

import json
import os
import re

import baseline
from thread import Thread, blocks_of
from words import NOT_WHITE, WHITE

CLASSES = ("prompts", "answers", "thinking", "input", "output", "titles")
ROLES = {"prompt": "user", "answer": "assistant", "call": "tool", "output": "tool", "summary": "assistant", "title": "user"}
COMMAND = ("<command-name>", "<command-message>")
# What a first text begins with, and the kind of its line; None is not searched. The order is that of the page.
BEGINNINGS = (
    (("[Request interrupted by user",), None),
    (COMMAND, "prompt"),
    (("<local-command-stdout>", "<local-command-stderr>"), "output"),
    (("<local-command-caveat>",), None),
    (("<bash-input>",), "prompt"),
    (("<bash-stdout>", "<bash-stderr>"), "output"),
    (("<task-notification>",), "output"),
    (("<teammate-message", "<cross-session-message"), "prompt"),
)
RECORD_KEYS_ASIDE = frozenset(["structuredPatch", "base64", "data", "signature", "agentId", "type", "mode"])
PATH_TOOLS = ("Read", "Write", "Edit", "MultiEdit", "NotebookEdit")
SERVER_RESULTS = ("web_search_tool_result", "web_fetch_tool_result", "advisor_tool_result")
CLASS_OF = {"prompt": "prompts", "output": "output", "summary": "answers"}
LINE_NUMBER = re.compile(r"^(?:(?!\n)[%s])*\d+(?:→|\t)" % WHITE, re.MULTILINE)
BLANKS = re.compile("[%s]+" % WHITE)
SAVED_TO = re.compile(r"Full output saved to: ([^\r\n]+)")
BASE64 = re.compile(r"[A-Za-z0-9+/=_-]{513,}")
PERSISTED_LIMIT = 16 * 1024 * 1024
SURROGATE = re.compile("[\ud800-\udfff]")
SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


def without_surrogates(value):
    """The same value with every half of a surrogate pair replaced."""
    if isinstance(value, str):
        return SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    return value


def read_entries(path):
    """The entries of a file as [(line number, entry)]."""
    with open(path, "rb") as handle:
        lines = baseline.split_lines(handle.read())
    found = []
    for number, line in enumerate(lines, 1):
        entries = baseline.objects_of(line)[0]
        if SURROGATE_ESCAPE.search(line):
            entries = [without_surrogates(entry) for entry in entries]
        found.extend((number, entry) for entry in entries)
    return found


def read_object(path):
    """A small JSON file that holds an object, else an empty one."""
    try:
        with open(path, "rb") as handle:
            value = json.loads(handle.read().decode("utf-8", "replace"))
    except (OSError, ValueError, RecursionError):
        return {}
    return without_surrogates(value) if isinstance(value, dict) else {}


def is_text(string):
    """Strings of nothing but white space are no texts, nor are those that look like base64."""
    return isinstance(string, str) and bool(NOT_WHITE.search(string)) and not BASE64.fullmatch(string)


def texts_of(content):
    """The texts of a content: a string, or a list of blocks of which `text` blocks count."""
    blocks = content if isinstance(content, list) else []
    strings = [block.get("text") for block in blocks if baseline.field(block, "type") == "text"]
    return list(filter(is_text, [content] if isinstance(content, str) else strings))


def strings_of(value, aside=lambda key: False):
    """Every string in a value at any depth, in the order written, except under keys that are set aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item, aside)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not aside(key):
                yield from strings_of(item, aside)


def is_server_key(key):
    """The keys of a server tool's result under which there is nothing to read."""
    return key == "type" or key.startswith("encrypted")


def words_or_none(value):
    return value if isinstance(value, str) else None


class Unit:
    """One unit. ``entries`` are its (line number, place in the file, entry); its first line is the least of them."""

    def __init__(self, file, kind, entries, texts):
        self.file, self.kind, self.role = file, kind, ROLES[kind]
        entries = sorted(entries, key=lambda one: one[:2])
        self.lines = sorted({line for line, _, _ in entries})
        self.place = entries[0][1] if entries else 0
        self.line = self.lines[0] if self.lines else 0
        first = entries[0][2] if entries else {}
        self.uuid = words_or_none(first.get("uuid"))
        self.time = words_or_none(first.get("timestamp"))
        self.texts = {name: list(filter(is_text, found)) for name, found in texts.items()}
        self.texts = {name: found for name, found in self.texts.items() if found}
        self.tool = self.path = None
        self.models, self.is_error = [], False

    def is_dead(self):
        return self.uuid is not None and self.uuid not in self.file.thread.on

    def is_compacted(self):
        return self.uuid is not None and self.uuid in self.file.thread.compacted

    def record(self):
        """What `units` prints."""
        return {
            "file": self.file.path, "line": self.line, "lines": self.lines, "kind": self.kind, "role": self.role,
            "time": self.time, "texts": self.texts, "tool": self.tool, "path": self.path, "model": self.models,
            "is_error": self.is_error, "is_compacted": self.is_compacted(), "is_dead_branch": self.is_dead(),
            "session": self.file.session, "agent": self.file.agent, "agent_type": self.file.agent_type,
            "project": self.file.directory, "branches": sorted(self.file.branches),
        }  # fmt: skip


class Call:
    """What is known of one tool_use id within a file: a call, or results without one."""

    def __init__(self):
        self.entries, self.results, self.records = [], [], []
        self.name = self.input = None
        self.models, self.is_error, self.is_called = [], False, False

    def use(self, where, block):
        """A line with the call: the later one's name and input count."""
        self.entries.append(where)
        self.name, self.input = words_or_none(block.get("name")), block.get("input")
        self.is_called = True
        add_new(self.models, words_or_none(baseline.field(where[2], "message", "model")))

    def result(self, where, block, record):
        """A tool_result block for it, and the line's toolUseResult where it belongs to this block."""
        self.entries.append(where)
        self.results.append(block)
        self.is_error |= block.get("is_error") is True
        if record is not None:
            self.records.append(record)

    def path(self):
        if self.name not in PATH_TOOLS:
            return None
        paths = (baseline.field(self.input, key) for key in ("file_path", "notebook_path"))
        return next((path for path in paths if isinstance(path, str)), None)

    def texts(self, file):
        said = list(filter(is_text, strings_of(self.input)))
        results = [text for block in self.results for text in texts_of(block.get("content"))]
        if self.name == "Read":
            results = list(filter(is_text, (LINE_NUMBER.sub("", text) for text in results)))
        known = said + results
        for record in self.records:
            for string in strings_of(record, RECORD_KEYS_ASIDE.__contains__):
                if is_text(string) and not any(string in text for text in known):
                    known.append(string)
        output = known[len(said) :] + list(file.persisted(self.saved_names()))
        return {"input": [self.name or ""] + said, "output": output}

    def saved_names(self):
        """The file names under which too large results were saved."""
        paths = [baseline.field(record, "persistedOutputPath") for record in self.records]
        for block in self.results:
            for text in texts_of(block.get("content")):
                paths.extend(SAVED_TO.findall(text))
        names = []
        for path in paths:
            if isinstance(path, str):
                add_new(names, re.split(r"[/\\]", path.strip())[-1])
        return names


def add_new(found, value):
    if value is not None and value not in found:
        found.append(value)


class File:
    """One session's or agent's file with its units."""

    def __init__(self, root, folder, path, session, agent):
        """``path`` below the root; ``folder``: the project's folder below the root; ``agent``: its id, or None."""
        self.root, self.folder, self.path, self.agent = root, folder, path, agent
        read = read_entries(os.path.join(root, path))
        self.entries = [(line, place, entry) for place, (line, entry) in enumerate(read)]
        self.session = session or self.first_string("sessionId")
        self.uuids = {entry["uuid"] for _, _, entry in self.entries if isinstance(entry.get("uuid"), str)}
        self.thread = Thread([entry for _, _, entry in self.entries], sidechains=agent is None)
        self.directory, self.agent_type = self.first_string("cwd"), None
        branches = (entry.get("gitBranch") for _, _, entry in self.entries)
        self.branches = {branch for branch in branches if isinstance(branch, str)}
        self.made_agents, self.units = {}, []

    def first_string(self, key):
        return next((entry[key] for _, _, entry in self.entries if isinstance(entry.get(key), str)), None)

    def last_time(self):
        times = [entry.get("timestamp") for _, _, entry in self.entries]
        return max(filter(baseline.time_key, times), key=baseline.time_key, default=None)

    def persisted(self, names):
        """The texts of these files of the session's tool-results folder, as far as they are there."""
        for name in names:
            path = os.path.join(self.root, self.folder, self.session or "", "tool-results", name)
            if self.session and name not in ("", ".", "..") and os.path.isfile(path):
                with open(path, "rb") as handle:
                    yield handle.read(PERSISTED_LIMIT).decode("utf-8", "replace")

    def add(self, kind, entries, texts):
        """A unit, if it has any text."""
        unit = Unit(self, kind, entries, texts)
        if unit.texts:
            self.units.append(unit)
        return unit

    def find_units(self):
        self.find_answers()
        self.find_calls()
        for where in self.entries:
            entry = where[2]
            if entry.get("type") == "user":
                self.user(where)
            elif baseline.kind_of(entry) == "attachment/queued_command":
                notifies = entry["attachment"].get("commandMode") == "task-notification"
                self.said_or_printed("output" if notifies else "prompt", where, texts_of(entry["attachment"].get("prompt")))
            elif baseline.kind_of(entry) == "system/local_command":
                texts = texts_of(entry.get("content"))
                command = bool(texts) and texts[0].startswith(COMMAND)
                self.said_or_printed("prompt" if command else "output", where, texts)
        self.find_queued()
        self.units.sort(key=lambda unit: unit.line)

    def said_or_printed(self, kind, where, texts):
        self.add(kind, [where], {CLASS_OF[kind]: texts})

    def user(self, where):
        """A user line that holds no result: a prompt, an output, a summary, or nothing that is searched."""
        entry = where[2]
        if any(block.get("type") == "tool_result" for block in blocks_of(entry)):
            return
        texts = texts_of(baseline.field(entry, "message", "content"))
        if entry.get("isCompactSummary") is True:
            return self.said_or_printed("summary", where, texts)
        kind = None if entry.get("isMeta") is True else "prompt"
        for beginnings, its_kind in BEGINNINGS:
            if texts and texts[0].startswith(beginnings):
                kind = its_kind
                break
        if kind is not None:
            self.said_or_printed(kind, where, texts)

    def find_answers(self):
        """One unit per message.id; a line without one is alone."""
        groups = {}
        for where in self.entries:
            if where[2].get("type") == "assistant":
                ident = baseline.field(where[2], "message", "id")
                groups.setdefault(ident if isinstance(ident, str) else where[1], []).append(where)
        for group in groups.values():
            texts, models = {"answers": [], "thinking": [], "input": [], "output": []}, []
            for _, _, entry in group:
                texts["answers"].extend(texts_of(baseline.field(entry, "message", "content")))
                for block in blocks_of(entry):
                    if block.get("type") == "thinking":
                        texts["thinking"].append(block.get("thinking"))
                    elif block.get("type") == "server_tool_use":
                        texts["input"].extend([block.get("name"), *strings_of(block.get("input"))])
                    elif block.get("type") in SERVER_RESULTS:
                        texts["output"].extend(strings_of(block.get("content"), is_server_key))
                add_new(models, words_or_none(baseline.field(entry, "message", "model")))
            unit = self.add("answer", group, texts)
            unit.models = models
            unit.is_error = any(entry.get("isApiErrorMessage") is True for _, _, entry in group)

    def find_calls(self):
        """The calls with what came back, and the results that have no call here."""
        calls = {}
        for where in self.entries:
            if where[2].get("type") == "assistant":
                for number, block in enumerate(blocks_of(where[2])):
                    if block.get("type") == "tool_use":
                        ident = block.get("id") if isinstance(block.get("id"), str) else (where[1], number)
                        calls.setdefault(ident, Call()).use(where, block)
        for where in self.entries:
            if where[2].get("type") == "user":
                self.results(where, calls)
        for call in calls.values():
            unit = self.add("call" if call.is_called else "output", call.entries, call.texts(self))
            unit.tool, unit.path, unit.models, unit.is_error = call.name, call.path(), call.models, call.is_error

    def results(self, where, calls):
        """The tool_result blocks of a user line; its toolUseResult belongs to the first of them."""
        record = where[2].get("toolUseResult")
        for number, block in enumerate(blocks_of(where[2])):
            if block.get("type") != "tool_result":
                continue
            ident = block.get("tool_use_id") if isinstance(block.get("tool_use_id"), str) else (where[1], number)
            call = calls.setdefault(ident, Call())
            call.result(where, block, record)
            agent, kind = baseline.field(record, "agentId"), baseline.field(call.input, "subagent_type")
            if isinstance(agent, str) and isinstance(kind, str):
                self.made_agents.setdefault(agent, kind)
            record = None

    def find_queued(self):
        """Queued prompts that stand in a queue-operation line, unless a prompt that stands further down says the same."""
        prompts = [unit for unit in self.units if unit.kind == "prompt"]
        for where in self.entries:
            if baseline.kind_of(where[2]) != "queue-operation/enqueue":
                continue
            texts = texts_of(where[2].get("content"))
            if not texts or texts[0].startswith("<task-notification>"):
                continue
            if not any(unit.place > where[1] and unit.texts["prompts"] == texts for unit in prompts):
                self.add("prompt", [where], {"prompts": texts})


def session_files(root):
    """The files that are searched: (path, project folder, session or None, agent or None), in path order."""
    found, top = [], os.path.join(root, "projects")
    for folder in sorted(os.listdir(top)) if os.path.isdir(top) else []:
        place = os.path.join(top, folder)
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else []:
            path = os.path.join(place, name)
            if os.path.isdir(path):
                for inner, _, names in os.walk(os.path.join(path, "subagents")):
                    agents = (one for one in names if one.startswith("agent-") and one.endswith(".jsonl"))
                    found.extend((os.path.join(inner, one), folder, name, one[len("agent-") : -len(".jsonl")]) for one in agents)
            elif name.startswith("agent-") and name.endswith(".jsonl"):
                found.append((path, folder, None, name[len("agent-") : -len(".jsonl")]))
            elif name.endswith(".jsonl") and ".orphaned-" not in name:
                found.append((path, folder, name[: -len(".jsonl")], None))
    below = ((os.path.relpath(path, root).replace(os.sep, "/"), "projects/" + folder, *rest) for path, folder, *rest in found)
    return sorted(below, key=lambda one: os.fsencode(one[0]))


def one_line(title):
    """A title with its white space folded."""
    return BLANKS.sub(" ", title).strip(" ")


def title_of(file, siblings):
    """The title of a session, the first prompt aside: the last custom one, the sidecar's, the last of a model, a summary."""
    last = {"custom-title": None, "ai-title": None, "summary": None}
    for _, _, entry in file.entries:
        for kind, key in (("custom-title", "customTitle"), ("ai-title", "aiTitle")):
            if entry.get("type") == kind and is_text(entry.get(key)):
                last[kind] = entry[key]
    for sibling in siblings:
        for _, _, entry in sibling.entries:
            leaf = words_or_none(entry.get("leafUuid"))
            if entry.get("type") == "summary" and leaf in file.uuids and is_text(entry.get("summary")):
                last["summary"] = entry["summary"]
    sidecar = read_object(os.path.join(file.root, file.folder, file.session, "custom-title.json")).get("customTitle")
    found = (last["custom-title"], sidecar, last["ai-title"], last["summary"])
    return next((one_line(title) for title in found if is_text(title)), None)


def load(root):
    """All files of a store with their units, in path order."""
    files = [File(root, folder, path, session, agent) for path, folder, session, agent in session_files(root)]
    sessions = {(file.folder, file.session): file for file in files if file.agent is None}
    made = {}
    for file in files:
        file.find_units()
        for agent, kind in file.made_agents.items():
            made.setdefault((file.folder, file.session, agent), kind)
    for file in files:
        if file.agent is not None:
            adopt(file, sessions.get((file.folder, file.session)), made)
            continue
        title = title_of(file, [one for one in files if one.folder == file.folder])
        if title:
            unit = file.add("title", [], {"titles": [title]})
            unit.time = file.last_time()
    return files


def adopt(file, session, made):
    """What an agent's file has from its session."""
    file.directory = (session and session.directory) or file.directory
    file.branches = session.branches if session else set()
    meta = read_object(os.path.join(file.root, file.path[: -len(".jsonl")] + ".meta.json"))
    file.agent_type = words_or_none(meta.get("agentType")) or made.get((file.folder, file.session, file.agent))
