//! Claims about the lines of a file together.

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_format::digest;
use scrollback_format::folder;
use scrollback_format::id::EntryId;

use super::scene::{NodeKind, Scene, TranscriptOwner};
use super::sheet::{ClaimCounts, place};

/// Checks a file that was read to its end.
pub fn check(sheet: &mut ClaimCounts, scene: &Scene) {
    let mut audit = Audit { sheet, scene, places: places(scene) };
    audit.whole();
    audit.chain();
    audit.compactions();
    audit.messages();
    audit.tools();
    audit.named();
    audit.backups();
}

/// The nodes that have each id.
fn places(scene: &Scene) -> FxHashMap<EntryId, usize> {
    let mut places = FxHashMap::default();
    for (at, node) in scene.nodes.iter().enumerate() {
        if let Some(id) = node.id {
            places.entry(id).or_insert(at);
        }
    }
    places
}

struct Audit<'s> {
    sheet: &'s mut ClaimCounts,
    scene: &'s Scene,
    places: FxHashMap<EntryId, usize>,
}

impl Audit<'_> {
    fn note(&mut self, claim: &'static str, version: usize, holds: bool, line: u64, detail: &str) {
        let scene = self.scene;
        self.sheet.note(claim, scene.version_name(version), holds, || place(&scene.path, line, detail));
    }

    fn of_node(&mut self, claim: &'static str, at: usize, holds: bool, detail: &str) {
        let node = &self.scene.nodes[at];
        self.note(claim, node.version, holds, node.line, detail);
    }

    /// What is so of the file as a whole.
    fn whole(&mut self) {
        let scene = self.scene;
        if !matches!(scene.owner, TranscriptOwner::Session(_)) || scene.nodes.is_empty() {
            return;
        }
        let roots = scene.nodes.iter().filter(|node| node.parent == Some(None) && !node.sidechain).count();
        self.note("one-root", 0, roots == 1, 0, &format!("{roots} lines without a parent"));
        self.note("one-version", 0, scene.versions.len() <= 1, 0, &scene.versions.join(", "));
        let (came, went) = scene.queue;
        if came + went > 0 {
            self.note("queue-in-pairs", 0, came == went, 0, &format!("{came} came, {went} went"));
        }
        if let Some((line, cwd)) = &scene.first_cwd {
            self.note("first-line-cwd", 0, *line == 1, *line, &format!("first on line {line}"));
            let here = folder::belongs(&scene.folder, cwd);
            self.note("folder-of-cwd", 0, here, *line, &format!("{cwd} is not of {}", scene.folder));
        }
        let parents: FxHashSet<EntryId> = scene.nodes.iter().filter_map(|node| node.parent?).collect();
        if let Some(last) = scene.nodes.len().checked_sub(1)
            && let Some(id) = scene.nodes[last].id
        {
            self.of_node("last-line-is-leaf", last, !parents.contains(&id), "it has a child");
        }
    }

    fn chain(&mut self) {
        let scene = self.scene;
        let mut seen = FxHashSet::default();
        let mut latest = None;
        for (at, node) in scene.nodes.iter().enumerate() {
            if let Some(id) = node.id {
                let fresh = seen.insert(id);
                self.of_node("uuid-once", at, fresh, "it stands before, too");
            }
            if at == 0 {
                self.of_node("first-is-root", at, node.parent == Some(None), "it has a parent");
            }
            if let Some(Some(parent)) = node.parent {
                let found = self.places.get(&parent).copied();
                self.of_node("parent-in-file", at, found.is_some(), &parent.to_string());
                if let Some(found) = found {
                    self.of_node("parent-before", at, found < at, "its parent comes later");
                }
            }
            if let Some(time) = node.time {
                self.of_node(
                    "lines-in-order",
                    at,
                    latest.is_none_or(|latest| time >= latest),
                    "an earlier time",
                );
                latest = latest.max(Some(time));
            }
        }
    }

    fn compactions(&mut self) {
        let scene = self.scene;
        for (at, node) in scene.nodes.iter().enumerate() {
            if node.kind == NodeKind::Boundary {
                self.of_node("boundary-is-root", at, node.parent == Some(None), "it has a parent");
                if let Some(logical) = node.logical {
                    let here = self.places.contains_key(&logical);
                    self.of_node("boundary-goes-on", at, here, &logical.to_string());
                }
            }
            if node.kind == NodeKind::Summary {
                let parent = node.parent.flatten().and_then(|parent| self.places.get(&parent));
                let on = parent.is_some_and(|parent| scene.nodes[*parent].kind == NodeKind::Boundary);
                self.of_node("summary-on-boundary", at, on, "its parent is another line");
            }
        }
    }

    fn messages(&mut self) {
        let scene = self.scene;
        let mut lines: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (at, part) in scene.parts.iter().enumerate() {
            lines.entry(part.message).or_default().push(at);
        }
        let mut messages: Vec<Vec<usize>> = lines.into_values().collect();
        messages.sort();
        for parts in messages {
            let of = |at: usize| &scene.parts[at];
            let (first, last) = (of(parts[0]), of(parts[parts.len() - 1]));
            self.of_node("stop-reason-last", last.node, last.stopped, "it has none");
            let outputs: FxHashSet<_> = parts.iter().map(|at| of(*at).output).collect();
            let requests: FxHashSet<_> = parts.iter().map(|at| of(*at).request).collect();
            if parts.len() > 1 {
                self.of_node(
                    "usage-on-every-line",
                    first.node,
                    outputs.len() == 1,
                    "other counts on other lines",
                );
                self.of_node("one-request", first.node, requests.len() == 1, "several requests");
            }
            for pair in parts.windows(2) {
                let (above, below) = (of(pair[0]).node, of(pair[1]).node);
                let chained = scene.nodes[below].parent.flatten() == scene.nodes[above].id;
                self.of_node("message-chained", below, chained, "it hangs elsewhere");
            }
        }
    }

    fn tools(&mut self) {
        let scene = self.scene;
        let calls: FxHashMap<u32, usize> = scene.calls.iter().map(|tool| (tool.call, tool.node)).collect();
        let answered: FxHashSet<u32> = scene.results.iter().map(|tool| tool.call).collect();
        for tool in &scene.calls {
            self.of_node("call-has-result", tool.node, answered.contains(&tool.call), "nothing came back");
        }
        for tool in &scene.results {
            let call = calls.get(&tool.call);
            self.of_node("result-has-call", tool.node, call.is_some(), "no such call");
            if let Some(call) = call {
                let on = scene.nodes[tool.node].parent.flatten() == scene.nodes[*call].id;
                self.of_node("result-on-call", tool.node, on, "it hangs elsewhere");
            }
        }
    }

    /// Lines that are named by side notes and boundaries.
    fn named(&mut self) {
        let scene = self.scene;
        for (claim, line, version, id) in &scene.named {
            let here = self.places.contains_key(id);
            self.note(claim, *version, here, *line, &id.to_string());
        }
    }

    fn backups(&mut self) {
        let scene = self.scene;
        for backup in &scene.backups {
            // Paths in snapshots are relative to the directory of the session, or absolute. A file without any line of
            // the tree does not tell its directory.
            let absolute = match &scene.first_cwd {
                _ if backup.path.starts_with('/') => backup.path.clone(),
                Some((_, cwd)) => format!("{cwd}/{}", backup.path),
                None => continue,
            };
            let name = digest::backup_name(&absolute, backup.number);
            self.note("backup-name", backup.version, name == backup.name, backup.line, &backup.path);
        }
    }
}
