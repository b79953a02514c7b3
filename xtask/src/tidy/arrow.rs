//! The arrows between our crates, as ARCHITECTURE.md draws them.

use super::finding::Finding;
use super::manifest::Package;

/// What a crate may depend on among ours.
enum Allowed {
    /// These alone.
    Only(&'static [&'static str]),
    /// All but these.
    AllBut(&'static [&'static str]),
}

/// The map. A crate that is not on it is an error, so that drawing it here comes first.
const MAP: [(&str, Allowed); 22] = [
    ("format", Allowed::Only(&[])),
    ("store", Allowed::Only(&["format"])),
    ("model", Allowed::Only(&["format"])),
    ("pricing", Allowed::Only(&["format"])),
    ("compose", Allowed::Only(&["format", "model"])),
    ("index", Allowed::Only(&["format", "model"])),
    // The rooms: each knows what lies below it, and of the others only what is drawn here.
    ("session", Allowed::Only(&["format", "store", "model", "index"])),
    ("edit", Allowed::Only(&["format", "store", "model", "compose", "session"])),
    ("search", Allowed::Only(&["format", "store", "model", "index", "session"])),
    ("files", Allowed::Only(&["format", "store", "model", "index", "session", "edit"])),
    ("usage", Allowed::Only(&["format", "store", "model", "index", "pricing", "session"])),
    ("inspect", Allowed::Only(&["format", "store", "model", "index", "session"])),
    // The desk knows every room.
    ("app", Allowed::AllBut(&["cli", "tui", "serve", "mcp", "core", "testkit"])),
    // For those who build on the library: names for what is below, and nothing of its own.
    ("core", Allowed::AllBut(&["cli", "tui", "serve", "mcp", "testkit"])),
    // The fronts: `format` for ids and words only.
    ("cli", Allowed::Only(&["app", "format"])),
    ("tui", Allowed::Only(&["app", "format"])),
    ("serve", Allowed::Only(&["app", "format"])),
    ("mcp", Allowed::Only(&["app", "format"])),
    ("testkit", Allowed::AllBut(&["cli"])),
    ("chores", Allowed::AllBut(&[])),
    // None, so that it is built at once.
    ("xtask", Allowed::Only(&[])),
    ("fuzz", Allowed::AllBut(&["cli"])),
];

/// Is the arrow on the map? None where the crate itself is not.
fn is_allowed(from: &str, to: &str, for_development: bool) -> Option<bool> {
    let (_, allowed) = MAP.iter().find(|(name, _)| *name == from)?;
    // `testkit` is built on `format`, whose own tests would then see two copies of every type.
    if for_development && to == "testkit" {
        return Some(from != "format");
    }
    // A second front, which is one of the facade's examples, is compared with the first in the tests of that one.
    if for_development && (from, to) == ("cli", "core") {
        return Some(true);
    }
    Some(match allowed {
        Allowed::Only(names) => names.contains(&to),
        Allowed::AllBut(names) => !names.contains(&to),
    })
}

/// Every arrow of every member.
pub fn check(packages: &[Package]) -> Vec<Finding> {
    packages
        .iter()
        .flat_map(|package| package.arrows.iter().filter_map(|arrow| judge(package, arrow)))
        .collect()
}

fn judge(package: &Package, (to, for_development): &(String, bool)) -> Option<Finding> {
    let from = &package.name;
    let message = match is_allowed(from, to, *for_development) {
        Some(true) => return None,
        Some(false) => format!(
            "`{from}` may not depend on `{to}`{}",
            if *for_development { ", not even in tests" } else { "" }
        ),
        None => format!(
            "`{from}` is not on the map of crates: draw its arrows in ARCHITECTURE.md and in tidy's arrow.rs"
        ),
    };
    Some(Finding::error(&package.path, line_of(&package.text, to), message))
}

/// The line that names a dependency; where two sections name it, the first one will do.
fn line_of(manifest: &str, name: &str) -> usize {
    let package = if name == "cli" { "scrollback".to_owned() } else { format!("scrollback-{name}") };
    let begins =
        |line: &str| line.strip_prefix(&package).is_some_and(|rest| rest.starts_with(['.', ' ', '=']));
    manifest.lines().position(begins).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_arrow(from: &str, to: &str, for_development: bool, allowed: bool) {
        assert_eq!(
            is_allowed(from, to, for_development),
            Some(allowed),
            "{from} -> {to} ({for_development})"
        );
    }

    #[test]
    fn arrows_point_down_the_map() {
        check_arrow("store", "format", false, true);
        check_arrow("compose", "model", false, true);
        check_arrow("app", "pricing", false, true);
        check_arrow("cli", "app", false, true);
        check_arrow("testkit", "compose", false, true);
        check_arrow("chores", "cli", false, true);
        check_arrow("xtask", "format", false, false);
        check_arrow("format", "store", false, false);
        check_arrow("model", "store", false, false);
        check_arrow("index", "store", false, false);
        check_arrow("cli", "store", false, false);
        check_arrow("app", "cli", false, false);
        check_arrow("session", "edit", false, false);
        check_arrow("search", "inspect", false, false);
        check_arrow("testkit", "cli", false, false);
    }

    #[test]
    fn tests_may_use_the_testkit_except_in_format() {
        check_arrow("model", "testkit", true, true);
        check_arrow("model", "testkit", false, false);
        check_arrow("format", "testkit", true, false);
        check_arrow("model", "store", true, false);
    }

    #[test]
    fn the_fronts_are_compared_in_tests_alone() {
        check_arrow("cli", "core", true, true);
        check_arrow("cli", "core", false, false);
        check_arrow("app", "core", true, false);
    }

    #[test]
    fn wrong_arrow_is_reported_at_its_line() {
        let package = |name: &str| Package {
            name: name.to_owned(),
            path: "crates/x/Cargo.toml".to_owned(),
            text: "[dependencies]\nserde.workspace = true\nscrollback-store.workspace = true\n".to_owned(),
            arrows: vec![("store".to_owned(), false)],
        };
        assert_eq!(check(&[package("model")])[0].line, 3);
        assert!(check(&[package("app")]).is_empty());
        assert!(check(&[package("nowhere")])[0].message.contains("not on the map"));
    }
}
