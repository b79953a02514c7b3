//! Another directory for a project: which fields of the client's files name its place, and how they change.
//!
//! A field changes if it is the old directory, or lies below it by whole parts of the path: `/a/b` is `/a/b` and
//! `/a/b/c`, never `/a/bc`. Only the part that changes is written anew; every other byte stays. What was said in a
//! conversation, what tools were asked for and what they answered is never touched: it tells what was.
//!
//! Text is compared as the client writes it (`JSON.stringify`). A path that is spelled with other escapes stays.

mod config;
mod index;

use std::ops::Range;

use scrollback_format::json::{Tape, Text, Type, Value, quoted};

pub use config::{ConfigChanges, config};
pub use index::{Taken, entitled_index, join_index, moved_index, take_from_index};

/// The fields of a line that name a place, outermost name first; `*` is any name. The same fields count in the
/// `state.json` of a background job.
///
/// `realParentDir` is where a checkpoint puts a file back; the file itself is named relative to it.
pub const FIELDS: [&[&str]; 8] = [
    &["cwd"],
    &["relocatedCwd"],
    &["worktreeSession", "originalCwd"],
    &["worktreeSession", "preEnterOriginalCwd"],
    &["worktreeSession", "worktreePath"],
    &["worktreeSession", "extensionRoot"],
    &["backup", "realParentDir"],
    &["snapshot", "trackedFileBackups", "*", "realParentDir"],
];

/// From one directory to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relocation {
    from: String,
    to: String,
    /// Both as they stand between the quotes of a JSON string.
    raw_from: Vec<u8>,
    raw_to: Vec<u8>,
}

impl Relocation {
    /// From one directory to another; a separator at their ends means nothing.
    pub fn new(from: &str, to: &str) -> Self {
        let (from, to) = (trimmed(from), trimmed(to));
        let raw = |text: &str| {
            let quoted = quoted(text);
            quoted[1..quoted.len() - 1].to_vec()
        };
        Self { raw_from: raw(from), raw_to: raw(to), from: from.to_owned(), to: to.to_owned() }
    }

    /// The new path of a path, if it is the old directory or below it.
    pub fn path(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(&self.from)?;
        self.cuts(rest.as_bytes(), b"\\").then(|| self.joined(rest))
    }

    /// Is the path the old directory, or below it?
    pub fn covers(&self, path: &str) -> bool {
        self.path(path).is_some()
    }

    /// What a line must hold if it is to change: looked for before it is taken apart.
    pub fn needle(&self) -> &[u8] {
        &self.raw_from
    }

    /// A line (or any object) with its fields changed; none if none of them does, or it is no whole object.
    pub fn line(&self, line: &[u8]) -> Option<Vec<u8>> {
        self.fields(line, &FIELDS)
    }

    /// A line of the prompt history; of one session alone, if one is given.
    pub fn history_line(&self, line: &[u8], session: Option<&str>) -> Option<Vec<u8>> {
        let mut tape = Tape::new();
        let root = object(line, &mut tape)?;
        if let Some(session) = session
            && !root.get("sessionId").and_then(Value::text).is_some_and(|own| own.is(session))
        {
            return None;
        }
        self.fields(line, &[&["project"]])
    }

    fn fields(&self, object_bytes: &[u8], fields: &[&[&str]]) -> Option<Vec<u8>> {
        find(object_bytes, &self.raw_from)?;
        let mut tape = Tape::new();
        let root = object(object_bytes, &mut tape)?;
        let mut splices = Splices::default();
        fields.iter().for_each(|field| self.field(root, field, &mut splices));
        splices.apply(object_bytes)
    }

    fn field(&self, value: Value<'_>, names: &[&str], splices: &mut Splices) {
        match names {
            [] => self.value(value, splices),
            ["*", rest @ ..] => value.fields().for_each(|(_, inner)| self.field(inner, rest, splices)),
            [name, rest @ ..] => {
                if let Some(inner) = value.get(name) {
                    self.field(inner, rest, splices);
                }
            }
        }
    }

    /// Changes a string in place, if it names a place that moves.
    fn value(&self, value: Value<'_>, splices: &mut Splices) {
        if let Some(text) = value.text()
            && let Some(put) = self.raw(text)
        {
            splices.put(value.span().start + 1..value.span().end - 1, put);
        }
    }

    /// The new bytes between the quotes of a string.
    fn raw(&self, text: Text<'_>) -> Option<Vec<u8>> {
        let rest = text.raw().strip_prefix(self.raw_from.as_slice())?;
        if !self.cuts(rest, b"\\\\") {
            return None;
        }
        let mut put = self.raw_to.clone();
        match (put.is_empty(), rest) {
            (true, []) => put.push(b'/'),
            (_, rest) if self.from.is_empty() && rest == b"/" => {}
            (_, rest) => put.extend_from_slice(rest),
        }
        Some(put)
    }

    fn joined(&self, rest: &str) -> String {
        match (self.to.is_empty(), rest) {
            (true, "") => "/".to_owned(),
            (false, "/") if self.from.is_empty() => self.to.clone(),
            _ => format!("{}{rest}", self.to),
        }
    }

    /// Does the path end here, or go on with a separator? A backslash separates only where there is a drive.
    fn cuts(&self, rest: &[u8], backslash: &[u8]) -> bool {
        let empty_is_whole = !self.from.is_empty();
        rest.is_empty() && empty_is_whole
            || rest.starts_with(b"/")
            || self.from.as_bytes().get(1) == Some(&b':') && rest.starts_with(backslash)
    }
}

/// A directory without separators at its end; the root becomes empty.
fn trimmed(path: &str) -> &str {
    if path.as_bytes().get(1) == Some(&b':') {
        path.trim_end_matches(['/', '\\'])
    } else {
        path.trim_end_matches('/')
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    if needle.is_empty() {
        return Some(0);
    }
    bytes.windows(needle.len()).position(|window| window == needle)
}

/// The outermost object of bytes that are nothing else.
fn object<'a>(bytes: &'a [u8], tape: &'a mut Tape) -> Option<Value<'a>> {
    let end = tape.scan(bytes).ok()?;
    let tape: &'a Tape = tape;
    let root = tape.root(bytes)?;
    let alone = bytes[end..].iter().all(u8::is_ascii_whitespace);
    (alone && root.kind() == Type::Object).then_some(root)
}

/// Stretches of a text that are to be other bytes.
#[derive(Debug, Default)]
struct Splices(Vec<(Range<usize>, Vec<u8>)>);

impl Splices {
    fn put(&mut self, place: Range<usize>, bytes: Vec<u8>) {
        self.0.push((place, bytes));
    }

    /// The text with all of them; none if there is nothing to change.
    fn apply(mut self, text: &[u8]) -> Option<Vec<u8>> {
        self.0.sort_by_key(|(place, _)| place.start);
        let mut out = Vec::with_capacity(text.len() + 64);
        let mut at = 0;
        for (place, bytes) in &self.0 {
            out.extend_from_slice(text.get(at..place.start)?);
            out.extend_from_slice(bytes);
            at = place.end;
        }
        out.extend_from_slice(text.get(at..)?);
        (out != text).then_some(out)
    }
}

#[cfg(test)]
mod tests {
    use super::Relocation;

    fn check(from: &str, to: &str, line: &str, expected: Option<&str>) {
        let moved = Relocation::new(from, to).line(line.as_bytes());
        assert_eq!(moved.map(|line| String::from_utf8(line).unwrap()).as_deref(), expected, "{line}");
    }

    #[test]
    fn paths_move_by_whole_parts() {
        let relocation = Relocation::new("/a/b/", "/x");
        for (path, moved) in [
            ("/a/b", Some("/x")),
            ("/a/b/", Some("/x/")),
            ("/a/b/c", Some("/x/c")),
            ("/a/bc", None),
            ("/a", None),
            ("a/b", None),
            ("/z/a/b", None),
            ("/a/b\\c", None),
        ] {
            assert_eq!(relocation.path(path).as_deref(), moved, "{path}");
        }
        assert_eq!(Relocation::new("/", "/x").path("/").as_deref(), Some("/x"));
        assert_eq!(Relocation::new("/", "/x").path("/a").as_deref(), Some("/x/a"));
        assert_eq!(Relocation::new("/x", "/").path("/x/a").as_deref(), Some("/a"));
        assert_eq!(Relocation::new("/x", "/").path("/x").as_deref(), Some("/"));
        assert_eq!(Relocation::new("C:\\a", "D:\\b").path("C:\\a\\c").as_deref(), Some("D:\\b\\c"));
    }

    #[test]
    fn only_fields_that_name_a_place_change() {
        check(
            "/a",
            "/new",
            r#"{"type":"user", "message":{"content":"/a and \"cwd\":\"/a\""},"cwd" : "/a/sub","toolUseResult":{"filePath":"/a/x"}}"#,
            Some(
                r#"{"type":"user", "message":{"content":"/a and \"cwd\":\"/a\""},"cwd" : "/new/sub","toolUseResult":{"filePath":"/a/x"}}"#,
            ),
        );
        check("/a", "/new", r#"{"cwd":"/ab"}"#, None);
        check("/a", "/new", r#"{"cwd":"/new"}"#, None);
        check("/a", "/new", r#"{"cwd":"/a"} {"cwd":"/a"}"#, None);
        check("/a", "/new", r#"{"cwd":"/a"#, None);
        check("/a", "/new", r#"{"cwd":["/a"]}"#, None);
        check("/", "/new", r#"{"cwd":"/"}"#, Some(r#"{"cwd":"/new"}"#));
        check("/new", "/", r#"{"cwd":"/new"}"#, Some(r#"{"cwd":"/"}"#));
    }

    #[test]
    fn nested_fields_change_together() {
        check(
            "/a",
            "/b",
            r#"{"type":"worktree-state","worktreeSession":{"originalCwd":"/a","worktreePath":"/a/.claude/worktrees/w","worktreeName":"/a"}}"#,
            Some(
                r#"{"type":"worktree-state","worktreeSession":{"originalCwd":"/b","worktreePath":"/b/.claude/worktrees/w","worktreeName":"/a"}}"#,
            ),
        );
        check(
            "/a",
            "/b",
            r#"{"snapshot":{"trackedFileBackups":{"x":{"realParentDir":"/a"},"y":{"realParentDir":"/a/s"}}}}"#,
            Some(
                r#"{"snapshot":{"trackedFileBackups":{"x":{"realParentDir":"/b"},"y":{"realParentDir":"/b/s"}}}}"#,
            ),
        );
    }

    #[test]
    fn odd_names_are_escaped_as_the_client_does() {
        check("/a \"b\"", "/é\\c", r#"{"cwd":"/a \"b\"/d\u0001"}"#, Some(r#"{"cwd":"/é\\c/d\u0001"}"#));
        check("C:\\a", "D:\\b", r#"{"cwd":"C:\\a\\c"}"#, Some(r#"{"cwd":"D:\\b\\c"}"#));
        check("C:\\a", "D:\\b", r#"{"cwd":"C:\\ab"}"#, None);
    }

    #[test]
    fn history_of_one_session_alone() {
        let relocation = Relocation::new("/a", "/b");
        let line = br#"{"display":"/a","project":"/a","sessionId":"s1"}"#;
        let moved = br#"{"display":"/a","project":"/b","sessionId":"s1"}"#.to_vec();
        assert_eq!(relocation.history_line(line, None), Some(moved.clone()));
        assert_eq!(relocation.history_line(line, Some("s1")), Some(moved));
        assert_eq!(relocation.history_line(line, Some("s2")), None);
    }
}
