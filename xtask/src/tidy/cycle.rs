//! Cycles between the modules of a crate. Siblings must not use each other in a circle, at any level; a parent and its
//! children may, since a module is told from above and works from within.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::Finding;
use super::source::{self, Token};
use super::tracked::TextFile;

/// The path of a module: `[]` is the crate itself.
type Module = Vec<String>;

/// Which siblings use which, below one module.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Looks at every crate.
pub fn check(files: &[TextFile]) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<(Module, &TextFile)>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_source()) {
        if let Some((folder, rest)) = file.path.split_once("/src/") {
            crates.entry(folder).or_default().push((module(rest), file));
        }
    }
    crates.values().flat_map(|modules| of_crate(modules)).collect()
}

fn of_crate(modules: &[(Module, &TextFile)]) -> Vec<Finding> {
    let known: BTreeSet<&Module> = modules.iter().map(|(module, _)| module).collect();
    let mut levels: BTreeMap<Module, Uses> = BTreeMap::new();
    for (module, file) in
        modules.iter().filter(|(module, _)| module.last().is_none_or(|name| name != "tests"))
    {
        let tokens = source::tokens(&file.text);
        let tests = source::tests_begin(&tokens).unwrap_or(usize::MAX);
        let code: Vec<Token<'_>> = tokens.into_iter().filter(|token| token.line < tests).collect();
        for mut used in paths(&code, module) {
            while !used.is_empty() && !known.contains(&used) {
                used.pop();
            }
            let common = module.iter().zip(&used).take_while(|(own, other)| own == other).count();
            if let (Some(own), Some(other)) = (module.get(common), used.get(common)) {
                let level = levels.entry(module[..common].to_vec()).or_default();
                level.entry(own.clone()).or_default().insert(other.clone());
            }
        }
    }
    let file_of = |level: &Module, name: &str| {
        let module: Module = level.iter().cloned().chain([name.to_owned()]).collect();
        let found = modules.iter().find(|(own, _)| own.starts_with(&module));
        found.map(|(_, file)| file.path.clone()).unwrap_or_default()
    };
    let mut findings = Vec::new();
    for (level, uses) in &levels {
        if let Some(cycle) = cycle(uses) {
            let message = format!("modules use each other in a circle: {}", cycle.join(" -> "));
            findings.push(Finding::error(&file_of(level, &cycle[0]), 1, message));
        }
    }
    findings
}

/// The module that a file below `src/` is.
fn module(path: &str) -> Module {
    let mut parts: Module = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|name| matches!(name.as_str(), "mod" | "lib" | "main")) {
        parts.pop();
    }
    parts
}

/// Every path that begins with `crate`, `self` or `super`, made absolute; lists in braces are taken apart.
fn paths(tokens: &[Token<'_>], module: &[String]) -> Vec<Module> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let before = at.checked_sub(1).map(|before| tokens[before].text);
        let begins =
            matches!(tokens[at].text, "crate" | "self" | "super") && !matches!(before, Some(":" | "$"));
        if begins {
            at = path(tokens, at, module.to_vec(), &mut found).max(at + 1);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads a path, or a list of them, and gives the place after it.
fn path(tokens: &[Token<'_>], mut at: usize, mut base: Module, found: &mut Vec<Module>) -> usize {
    while let Some(token) = tokens.get(at) {
        match token.text {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                base.pop();
            }
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token.text != "}") {
                    at = path(tokens, at, base.clone(), found).max(at + 1);
                    if tokens.get(at).is_some_and(|token| token.text == ",") {
                        at += 1;
                    }
                }
                return at + 1;
            }
            word if word.chars().all(|letter| letter.is_alphanumeric() || letter == '_') => {
                base.push(word.to_owned());
            }
            _ => break,
        }
        let colons = [tokens.get(at + 1), tokens.get(at + 2)];
        if colons.iter().all(|token| token.is_some_and(|token| token.text == ":")) {
            at += 3;
        } else {
            at += 1;
            break;
        }
    }
    found.push(base);
    at
}

/// A circle, if there is one: its first module stands again at its end.
fn cycle(uses: &Uses) -> Option<Vec<String>> {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    uses.keys().find_map(|first| walk(uses, first, &mut Vec::new(), &mut done))
}

fn walk<'u>(
    uses: &'u Uses,
    at: &'u str,
    way: &mut Vec<&'u str>,
    done: &mut BTreeSet<&'u str>,
) -> Option<Vec<String>> {
    if let Some(from) = way.iter().position(|name| *name == at) {
        return Some(way[from..].iter().chain([&at]).map(|name| (*name).to_owned()).collect());
    }
    if !done.insert(at) {
        return None;
    }
    way.push(at);
    let found = uses.get(at).into_iter().flatten().find_map(|next| walk(uses, next, way, done));
    way.pop();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<TextFile> = files
            .iter()
            .map(|(path, text)| TextFile { path: format!("crates/x/src/{path}"), text: (*text).to_owned() })
            .collect();
        check(&files).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn siblings_that_use_each_other_are_found() {
        let circle = found(&[("a.rs", "use crate::b::X;"), ("b.rs", "fn f() { super::a::g() }")]);
        assert_eq!(circle, ["modules use each other in a circle: a -> b -> a"]);
        assert_eq!(
            found(&[("a.rs", "use crate::{b, c::{self, D}};"), ("b.rs", ""), ("c.rs", "use crate::a;")])
                .len(),
            1
        );
        assert_eq!(
            found(&[("m.rs", ""), ("m/a.rs", "use super::b;"), ("m/b.rs", "use crate::m::a;")]).len(),
            1
        );
    }

    #[test]
    fn parents_and_children_may_use_each_other_and_so_may_tests() {
        assert!(found(&[("m.rs", "use self::a::X;"), ("m/a.rs", "use super::Y;")]).is_empty());
        assert!(
            found(&[
                ("a.rs", "use crate::b;"),
                ("b.rs", "// crate::a\n\"crate::a\"\n#[cfg(test)]\nmod tests { use crate::a; }")
            ])
            .is_empty()
        );
        assert!(found(&[("a.rs", "use crate::b;"), ("b.rs", "use std::a;")]).is_empty());
    }
}
