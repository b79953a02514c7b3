//! `.claude.json`: what the client keeps about each project, by its directory.

use scrollback_format::json::{Tape, quoted};

use super::{Relocation, Splices, object};

/// What changes in `.claude.json`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConfigChanges {
    /// The file with its changes; none if there are none.
    pub bytes: Option<Vec<u8>>,
    /// Directories whose entries get another name: old and new.
    pub renamed: Vec<(String, String)>,
    /// Directories whose entries keep their names, because the new one has an entry already.
    pub kept: Vec<String>,
}

/// Moves the entries of `projects` at the old directory and below it, the worktrees that they name, and the checkouts
/// in `githubRepoPaths`. An entry whose new name is taken keeps its own.
pub fn config(bytes: &[u8], relocation: &Relocation) -> ConfigChanges {
    let mut found = ConfigChanges::default();
    let mut tape = Tape::new();
    let Some(root) = object(bytes, &mut tape) else { return found };
    let mut splices = Splices::default();
    if let Some(projects) = root.get("projects") {
        for (key, entry) in projects.fields() {
            let old = key.decode().into_owned();
            let Some(new) = relocation.path(&old) else { continue };
            if projects.get(&new).is_some() {
                found.kept.push(old);
                continue;
            }
            for name in ["originalCwd", "preEnterOriginalCwd", "worktreePath"] {
                relocation.field(entry, &["activeWorktreeSession", name], &mut splices);
            }
            // The key's text is a slice of these bytes, so its distance from the start is its offset.
            let start = key.raw().as_ptr() as usize - bytes.as_ptr() as usize - 1;
            splices.put(start..start + key.raw().len() + 2, quoted(&new));
            found.renamed.push((old, new));
        }
    }
    if let Some(repositories) = root.get("githubRepoPaths") {
        for (_, paths) in repositories.fields() {
            paths.items().for_each(|path| relocation.value(path, &mut splices));
        }
    }
    found.bytes = splices.apply(bytes);
    found
}

#[cfg(test)]
mod tests {
    use super::config;
    use crate::relocate::Relocation;

    #[test]
    fn entries_get_another_name_and_keep_their_bytes() {
        let text = r#"{
  "n": 1,
  "projects": {
    "/a": { "x": [1,  2], "activeWorktreeSession": {"originalCwd": "/a", "worktreePath": "/a/w"} },
    "/a/sub": {"allowedTools":["/a"]},
    "/ab": {}
  },
  "githubRepoPaths": {"o/r": ["/a", "/c"]}
}"#;
        let changed = config(text.as_bytes(), &Relocation::new("/a", "/b"));
        let expected = text
            .replace("\"/a\": {", "\"/b\": {")
            .replace("\"/a/sub\":", "\"/b/sub\":")
            .replace("\"originalCwd\": \"/a\"", "\"originalCwd\": \"/b\"")
            .replace("\"/a/w\"", "\"/b/w\"")
            .replace("[\"/a\", \"/c\"]", "[\"/b\", \"/c\"]");
        assert_eq!(String::from_utf8(changed.bytes.unwrap()).unwrap(), expected);
        assert_eq!(changed.renamed.len(), 2);
        let back = config(expected.as_bytes(), &Relocation::new("/b", "/a"));
        assert_eq!(back.bytes.unwrap(), text.as_bytes());
    }

    #[test]
    fn an_entry_whose_new_name_is_taken_stays() {
        let text = br#"{"projects":{"/a":{"x":1},"/b":{"y":2}}}"#;
        let changed = config(text, &Relocation::new("/a", "/b"));
        assert_eq!((changed.bytes, changed.kept), (None, vec!["/a".to_owned()]));
        assert_eq!(config(b"not json", &Relocation::new("/a", "/b")).bytes, None);
    }
}
