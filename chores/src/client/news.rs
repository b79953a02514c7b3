//! News of a store: kinds, fields and files that FORMAT.md does not know, and those that the version before did not write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scrollback_app::census::{self, Census};
use scrollback_app::verify;
use scrollback_format::area::Area;
use scrollback_format::version::ClientVersion;
use scrollback_testkit::corpus;

use super::lab::Lab;

/// What a store holds, by name; whether we know it.
type Names = BTreeMap<String, bool>;

/// Prints what is new; how many things that FORMAT.md does not know.
pub fn tell(lab: &Lab, version: &str) -> Result<usize, String> {
    let tree = lab.tree(version);
    if !tree.is_dir() {
        return Err(format!("{}: nothing is recorded", tree.display()));
    }
    let found = names(&tree);
    let before = before(version).map(|before| (before, names(&corpus::tree(before))));
    let mut unknown = 0;
    for (name, is_known) in &found {
        let was = before.as_ref().is_none_or(|(_, names)| names.contains_key(name));
        if !is_known {
            unknown += 1;
            println!("unknown    {name}");
        } else if let (false, Some((before, _))) = (was, &before) {
            println!("not in {before}: {name}");
        }
    }
    Ok(unknown)
}

/// The newest recorded version that is older.
fn before(version: &str) -> Option<&'static str> {
    let decode = ClientVersion::decode;
    corpus::VERSIONS.into_iter().rev().find(|recorded| decode(recorded) < decode(version))
}

fn names(tree: &Path) -> Names {
    let (targets, _) = verify::targets_below(tree);
    let mut names = of_entries(&census::census(&targets, &|_| {}));
    let (files, _) = scrollback_store::walk::files_below(tree);
    let paths = files.iter().filter_map(|file| file.strip_prefix(tree).ok()?.to_str());
    names.extend(paths.filter(|path| *path != "MANIFEST.md").map(|path| {
        let area = Area::of(path).area;
        (format!("file  {}", shape(path)), area != Area::Unknown)
    }));
    names
}

fn of_entries(census: &Census) -> Names {
    let mut names = Names::new();
    for kind in &census.kinds {
        names.insert(format!("kind  {}", kind.kind), kind.known);
        let fields = kind.fields.iter();
        names.extend(fields.map(|field| (format!("field {} {}", kind.kind, field.field), field.known)));
    }
    names
}

/// A path with what differs from run to run taken out of it: ids, numbers, folders of projects.
fn shape(path: &str) -> String {
    let parts: Vec<String> = path.split('/').map(part).collect();
    let is_project = parts.first().is_some_and(|first| first == "projects");
    let names = parts.into_iter().enumerate();
    names
        .map(|(at, part)| if is_project && at == 1 { "<cwd>".to_owned() } else { part })
        .collect::<Vec<_>>()
        .join("/")
}

/// A name with every word that has a digit in it, or is drawn at random, as `#`.
fn part(name: &str) -> String {
    let words: BTreeSet<char> = ['.', '-', '_', '@'].into();
    let mut shape = String::new();
    for word in name.split_inclusive(|letter| words.contains(&letter)) {
        let bare = word.trim_end_matches(|letter| words.contains(&letter));
        if bare.chars().any(|letter| letter.is_ascii_digit()) {
            shape.push('#');
            shape.push_str(&word[bare.len()..]);
        } else {
            shape.push_str(word);
        }
    }
    while shape.contains("#-#") {
        shape = shape.replace("#-#", "#");
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn ids_numbers_and_projects_make_no_difference() {
        let path =
            "projects/-home-dev-work/4a0902b9-4269-4247-89ec-f90e6a57c963/subagents/agent-a1b2.meta.json";
        assert_eq!(shape(path), "projects/<cwd>/#/subagents/agent-#.meta.json");
        assert_eq!(shape("sessions/4711.json"), "sessions/#.json");
        assert_eq!(shape("history.jsonl"), "history.jsonl");
    }
}
