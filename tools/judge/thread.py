"""The live thread of one file, for the judge of searches: what the newest recorded client (2.1.325) would walk.

Written from FORMAT.md section 9, never from the Rust code.

chained  A line of a message kind with a ``uuid``. Of two lines with one uuid the later one counts. Sidechain lines of a
         session's own file are left out (in an agent's file the flag means nothing).
leaf     ``leafUuid`` of the last ``last-prompt`` line, if it names a chained line: as it is with ``explicit``, else carried on
         to its descendant that stands last in the file (and after it). Without one: the last chained line without child, where
         a message with the results of its calls is one: a parallel result is no leaf if the answer hangs on another.
walk     Up ``parentUuid`` to null; from a compact_boundary on to its ``logicalParentUuid``. A parent that is in no
         line, or was walked already, is a gap: it goes on at the latest line before, in time.
put back The other lines of each ``message.id`` on the walk, and the results of the calls in them.
beside   What hangs on any of these with no ``user`` or ``assistant`` line in it or below it.
"""

import baseline

KINDS = ("user", "assistant", "system", "progress", "attachment")


def is_boundary(entry):
    return entry.get("type") == "system" and entry.get("subtype") == "compact_boundary"


def blocks_of(entry):
    """The content blocks of a message line that are objects."""
    content = baseline.field(entry, "message", "content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


class Thread:
    """``on``: the uuids on the live thread; ``compacted``: those of them before its last boundary."""

    def __init__(self, entries, sidechains):
        """``entries`` in the order of the file; ``sidechains`` tells whether the flag isSidechain leaves a line out."""
        self.nodes, self.place, self.children = {}, {}, {}
        for place, entry in enumerate(entries):
            if entry.get("type") not in KINDS or not isinstance(entry.get("uuid"), str):
                continue
            if sidechains and entry.get("isSidechain") is True:
                continue
            self.nodes[entry["uuid"]], self.place[entry["uuid"]] = entry, place
        for uuid, entry in self.nodes.items():
            parent = entry.get("parentUuid")
            if isinstance(parent, str) and parent != uuid:
                self.children.setdefault(parent, []).append(uuid)
        self.by_time = sorted((key, self.place[uuid], uuid) for uuid, key in self.times())
        self.on, self.compacted = set(), set()
        leaf = self.leaf(entries)
        if leaf is not None:
            self.walk(leaf)
            self.put_back()
            self.beside()

    def times(self):
        for uuid, entry in self.nodes.items():
            key = baseline.time_key(entry.get("timestamp"))
            if key is not None:
                yield uuid, key

    def leaf(self, entries):
        notes = [entry for entry in entries if entry.get("type") == "last-prompt"]
        named = notes[-1].get("leafUuid") if notes else None
        if isinstance(named, str) and named in self.nodes:
            if notes[-1].get("explicit") is True:
                return named
            later = [uuid for uuid in self.below(named) if self.place[uuid] > self.place[named]]
            return max(later, key=self.place.get, default=named)
        return max(self.ends() or self.nodes, key=self.place.get, default=None)

    def ends(self):
        """The lines without child whose message has none either."""
        calls = {}
        for entry in self.nodes.values():
            for block in blocks_of(entry):
                if self.message_id(entry) is not None and isinstance(block.get("id"), str):
                    calls[block["id"]] = self.message_id(entry)
        message_of = {}
        for uuid, entry in self.nodes.items():
            results = [block.get("tool_use_id") for block in blocks_of(entry) if entry.get("type") == "user"]
            messages = [calls[call] for call in results if isinstance(call, str) and call in calls]
            message_of[uuid] = self.message_id(entry) or (messages[0] if messages else uuid)
        going_on = {
            message_of[uuid]
            for uuid in self.nodes
            if any(message_of[child] != message_of[uuid] for child in self.children.get(uuid, ()))
        }
        return [uuid for uuid in self.nodes if not self.children.get(uuid) and message_of[uuid] not in going_on]

    def below(self, uuid):
        """All descendants of a line."""
        found, waiting = set(), list(self.children.get(uuid, ()))
        while waiting:
            child = waiting.pop()
            if child not in found:
                found.add(child)
                waiting.extend(self.children.get(child, ()))
        return found

    def walk(self, leaf):
        uuid, behind = leaf, False
        while uuid is not None:
            self.mark(uuid, behind)
            entry = self.nodes[uuid]
            parent = entry.get("parentUuid")
            if is_boundary(entry):
                behind = True
                parent = parent if isinstance(parent, str) else entry.get("logicalParentUuid")
            if not isinstance(parent, str):
                return
            uuid = parent if parent in self.nodes and parent not in self.on else self.before(uuid)

    def before(self, uuid):
        """The latest line before this one in time that was not walked yet."""
        key = baseline.time_key(self.nodes[uuid].get("timestamp"))
        if key is None:
            return None
        here = (key, self.place[uuid])
        for time, place, other in reversed(self.by_time):
            if (time, place) < here and other not in self.on:
                return other
        return None

    def mark(self, uuid, behind):
        self.on.add(uuid)
        if behind:
            self.compacted.add(uuid)

    def put_back(self):
        """The other lines of each message on the walk, and the results of their calls."""
        behind_by_message = {}
        for uuid in self.on:
            message = self.message_id(self.nodes[uuid])
            if message is not None:
                behind_by_message[message] = uuid in self.compacted
        behind_by_call = {}
        for uuid, entry in self.nodes.items():
            message = self.message_id(entry)
            if message in behind_by_message and message is not None:
                behind = behind_by_message[message]
                if uuid not in self.on:
                    self.mark(uuid, behind)
                for block in blocks_of(entry):
                    if isinstance(block.get("id"), str):
                        behind_by_call[block["id"]] = behind
        for uuid, entry in self.nodes.items():
            if uuid in self.on or entry.get("type") != "user":
                continue
            for block in blocks_of(entry):
                call = block.get("tool_use_id")
                if block.get("type") == "tool_result" and isinstance(call, str) and call in behind_by_call:
                    self.mark(uuid, behind_by_call[call])
                    break

    @staticmethod
    def message_id(entry):
        ident = baseline.field(entry, "message", "id") if entry.get("type") == "assistant" else None
        return ident if isinstance(ident, str) else None

    def beside(self):
        """What hangs on the thread without any conversation in it."""
        for uuid in list(self.on):
            for child in self.children.get(uuid, ()):
                if child in self.on:
                    continue
                hanging = self.below(child) | {child}
                if not any(self.nodes[one].get("type") in ("user", "assistant") for one in hanging):
                    for one in hanging:
                        self.mark(one, uuid in self.compacted)
