//! Paths of recorded files: made absolute by their text alone, compared part by part, mapped from old roots to new ones.
//!
//! A recorded path names a file of some machine, at some time. Nothing here looks at a disk, so `..` is resolved by the
//! text; and nothing here says that a file may be written to such a path: that is for the plan of a restore.

/// Is it an absolute path, of this platform or another?
pub fn is_absolute(text: &str) -> bool {
    text.starts_with('/') || text.starts_with("\\\\") || drive(text).is_some()
}

/// The drive of a Windows path, as `C:`.
fn drive(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let is_drive = bytes.len() > 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes[2], b'\\' | b'/');
    is_drive.then(|| &text[..2])
}

/// The absolute path that a text means in a directory, without `.` and `..`; parts are separated by `/`. None if it is
/// relative and there is no directory, or if it names none at all.
pub fn absolute(text: &str, directory: Option<&str>) -> Option<String> {
    let whole = if is_absolute(text) { text.to_owned() } else { format!("{}/{text}", directory?) };
    let windows = drive(&whole).is_some() || whole.starts_with("\\\\");
    let whole = if windows { whole.replace('\\', "/") } else { whole };
    let (start, rest) = match drive(&whole) {
        Some(drive) => (drive, &whole[drive.len()..]),
        None => ("", whole.as_str()),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    (!parts.is_empty() && is_absolute(&whole)).then(|| format!("{start}/{}", parts.join("/")))
}

/// What follows a directory in a path that is below it.
pub fn below<'p>(path: &'p str, directory: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(directory.trim_end_matches('/'))?;
    rest.strip_prefix('/').filter(|rest| !rest.is_empty())
}

/// The last part of a path.
pub fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Every name that a transcript may have given to this file: itself, and what is left of it relative to any directory
/// above it.
pub fn names(path: &str) -> Vec<String> {
    let mut names = vec![path.to_owned()];
    let mut rest = path.trim_start_matches('/');
    names.push(rest.to_owned());
    while let Some((_, below)) = rest.split_once('/') {
        names.push(below.to_owned());
        rest = below;
    }
    names
}

/// A directory that has another name now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// As it was recorded.
    pub old: String,
    /// As it is called now.
    pub new: String,
}

impl Renamed {
    /// `OLD=NEW`, both absolute.
    pub fn parse(text: &str) -> Option<Self> {
        let (old, new) = text.split_once('=')?;
        Some(Self { old: absolute(old, None)?, new: absolute(new, None)? })
    }

    /// What a recorded path is called now.
    pub fn now(all: &[Self], path: &str) -> String {
        let mapped = all.iter().find_map(|renamed| match below(path, &renamed.old) {
            Some(rest) => Some(format!("{}/{rest}", renamed.new)),
            None => (path == renamed.old).then(|| renamed.new.clone()),
        });
        mapped.unwrap_or_else(|| path.to_owned())
    }

    /// What a path may have been called when it was recorded: itself among them.
    pub fn then(all: &[Self], path: &str) -> Vec<String> {
        let mut names = vec![path.to_owned()];
        for renamed in all {
            if let Some(rest) = below(path, &renamed.new) {
                names.push(format!("{}/{rest}", renamed.old));
            } else if path == renamed.new {
                names.push(renamed.old.clone());
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::{Renamed, absolute, below, names};

    #[test]
    fn paths_are_made_absolute_by_their_text() {
        let check = |text: &str, directory: Option<&str>, expected: Option<&str>| {
            assert_eq!(absolute(text, directory).as_deref(), expected, "{text}");
        };
        check("/a/./b//c", None, Some("/a/b/c"));
        check("b/c", Some("/a"), Some("/a/b/c"));
        check("../../../x", Some("/a/b"), Some("/x"));
        check("b", None, None);
        check("b", Some("not/absolute"), None);
        check("/", None, None);
        check("..", Some("/a"), None);
        check(r"C:\Users\a\x.txt", None, Some("C:/Users/a/x.txt"));
        check(r"sub\x.txt", Some(r"C:\w"), Some("C:/w/sub/x.txt"));
    }

    #[test]
    fn below_goes_by_whole_parts() {
        assert_eq!(below("/a/b/c", "/a/b"), Some("c"));
        assert_eq!(below("/a/bc", "/a/b"), None);
        assert_eq!(below("/a/b", "/a/b"), None);
        assert_eq!(below("/a", "/"), Some("a"));
    }

    #[test]
    fn a_file_may_have_been_named_by_any_end_of_its_path() {
        assert_eq!(names("/a/b/c.txt"), ["/a/b/c.txt", "a/b/c.txt", "b/c.txt", "c.txt"]);
    }

    #[test]
    fn renamed_roots_lead_both_ways() {
        let all = [Renamed::parse("/old/app=/new/app").unwrap()];
        assert_eq!(Renamed::now(&all, "/old/app/x"), "/new/app/x");
        assert_eq!(Renamed::now(&all, "/old/apple/x"), "/old/apple/x");
        assert_eq!(Renamed::then(&all, "/new/app/x"), ["/new/app/x", "/old/app/x"]);
        assert_eq!(Renamed::parse("nothing"), None);
        assert_eq!(Renamed::parse("a=b"), None);
    }
}
