//! Definitions: agents, commands, skills and output styles that the user and the projects bring, with the heads of their
//! files taken apart, and what is wrong with these.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scrollback_format::front_matter::{Field, FrontMatter};
use serde::Serialize;

use crate::area;
use crate::library::Library;
use crate::listing::TroubleView;

/// The kinds of definitions, by the folder that they are in.
pub const KINDS: [(&str, &str); 4] =
    [("agent", "agents"), ("command", "commands"), ("skill", "skills"), ("output-style", "output-styles")];

/// The definitions that are there.
#[derive(Debug, Serialize)]
pub struct DefinitionsView {
    /// The definitions, by kind and name.
    pub definitions: Vec<DefinitionView>,
    /// Files that cannot be read.
    pub troubles: Vec<TroubleView>,
}

/// One definition.
#[derive(Debug, Clone, Serialize)]
pub struct DefinitionView {
    /// `agent`, `command`, `skill`, `output-style`.
    pub kind: &'static str,
    /// What it is called: by its head, else by its file.
    pub name: String,
    /// `user` or `project`.
    pub level: &'static str,
    /// The project that brings it.
    pub project: Option<String>,
    /// What its head says that it is for.
    pub description: Option<String>,
    /// Everything in its head.
    pub fields: BTreeMap<String, String>,
    /// What follows the head.
    pub text: String,
    /// Its file.
    #[serde(serialize_with = "crate::view::path")]
    pub path: PathBuf,
    /// Is there one of the same name that counts instead: a project's before the user's?
    pub is_shadowed: bool,
    /// What is wrong with its head.
    pub problems: Vec<String>,
}

/// The definitions of the user and of some projects.
pub fn definitions(library: &Library, projects: &[PathBuf]) -> DefinitionsView {
    let mut view = DefinitionsView { definitions: Vec::new(), troubles: Vec::new() };
    for (kind, folder) in KINDS {
        for root in &library.roots {
            read(&mut view, kind, "user", None, &root.path().join(folder));
        }
        for project in projects {
            // In the directory that the root lies in, the project's own are the user's.
            if library.roots.iter().any(|root| root.path() == project.join(".claude")) {
                continue;
            }
            read(&mut view, kind, "project", Some(project), &project.join(".claude").join(folder));
        }
    }
    let shadows: Vec<(&'static str, String)> = view
        .definitions
        .iter()
        .filter(|one| one.level == "project")
        .map(|one| (one.kind, one.name.clone()))
        .collect();
    // With several projects it depends on which of them a client runs in.
    if projects.len() == 1 {
        for one in view.definitions.iter_mut().filter(|one| one.level == "user") {
            one.is_shadowed = shadows.iter().any(|(kind, name)| *kind == one.kind && *name == one.name);
        }
    }
    view
}

fn read(
    view: &mut DefinitionsView,
    kind: &'static str,
    level: &'static str,
    project: Option<&PathBuf>,
    folder: &Path,
) {
    for path in area::files(folder, ".md", &mut view.troubles) {
        let relative = path.strip_prefix(folder).unwrap_or(&path).to_owned();
        // Of a skill only its own page is one; the rest are files that it brings.
        if kind == "skill"
            && (relative.file_name().is_none_or(|name| name != "SKILL.md")
                || relative.components().count() < 2)
        {
            continue;
        }
        let Some(text) = area::note(area::text(&path), &mut view.troubles) else { continue };
        let project = project.map(|path| path.to_string_lossy().into_owned());
        view.definitions.push(definition(kind, level, project, path, &relative, &text));
    }
}

fn definition(
    kind: &'static str,
    level: &'static str,
    project: Option<String>,
    path: PathBuf,
    relative: &Path,
    text: &str,
) -> DefinitionView {
    let head = FrontMatter::parse(text);
    let mut problems: Vec<String> =
        head.odd.iter().map(|(line, odd)| format!("line {line}: {odd}")).collect();
    let own = by_file(kind, relative);
    let said = head.text("name").filter(|name| !name.is_empty());
    // Without these the client does not know an agent or a skill by what it is for.
    for field in ["name", "description"] {
        let needed = kind == "agent" || (kind == "skill" && field == "description");
        if needed && head.text(field).is_none_or(|value| value.is_empty()) && head.odd.is_empty() {
            let what = if head.exists { "its head has no" } else { "it has no head, and so no" };
            problems.push(format!("{what} {field}"));
        }
    }
    let fields = head.fields.iter().map(|(name, field)| {
        let value = match field {
            Field::Text(text) => text.clone(),
            Field::List(items) => items.join(", "),
        };
        (name.clone(), value)
    });
    DefinitionView {
        kind,
        name: if kind == "command" { own } else { said.unwrap_or(own) },
        level,
        project,
        description: head.text("description").filter(|text| !text.is_empty()),
        fields: fields.collect(),
        text: head.body.to_owned(),
        path,
        is_shadowed: false,
        problems,
    }
}

/// What a file's name says: of a command with its folders, of a skill that of its folder.
fn by_file(kind: &str, relative: &Path) -> String {
    let stem =
        |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folders = relative.parent().unwrap_or(Path::new(""));
    match kind {
        "skill" => folders.to_string_lossy().into_owned(),
        "command" => {
            let mut parts: Vec<String> =
                folders.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            parts.push(stem(relative));
            parts.join(":")
        }
        _ => stem(relative),
    }
}
