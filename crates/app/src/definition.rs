//! Definitions: agents, commands, skills and output styles of the user and of projects, with the front matter of their
//! files and what is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scrollback_format::front_matter::FrontMatter;
use serde::{Deserialize, Serialize};

use scrollback_session::area;
use scrollback_session::library::Library;
use scrollback_session::trouble::TroubleView;

/// A kind of definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DefinitionKind {
    /// An agent.
    Agent,
    /// A slash command.
    Command,
    /// A skill.
    Skill,
    /// An output style.
    OutputStyle,
}

impl DefinitionKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Agent, Self::Command, Self::Skill, Self::OutputStyle];

    /// Its name in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Command => "command",
            Self::Skill => "skill",
            Self::OutputStyle => "output-style",
        }
    }

    /// The folder of its files.
    const fn folder(self) -> &'static str {
        match self {
            Self::Agent => "agents",
            Self::Command => "commands",
            Self::Skill => "skills",
            Self::OutputStyle => "output-styles",
        }
    }

    /// The one of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Who defines something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DefinitionLevel {
    /// The user.
    User,
    /// A project.
    Project,
}

/// Definitions.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DefinitionsView {
    /// The definitions, by kind and name.
    pub definitions: Vec<DefinitionView>,
    /// Files that cannot be read.
    pub troubles: Vec<TroubleView>,
}

/// One definition.
#[derive(Debug, Clone, Serialize, Deserialize, schemars::JsonSchema)]
pub struct DefinitionView {
    /// Its kind.
    pub kind: DefinitionKind,
    /// Its name: that of its front matter, else that of its file.
    pub name: String,
    /// Who defines it.
    pub level: DefinitionLevel,
    /// The project that defines it.
    pub project: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Its front matter.
    pub fields: BTreeMap<String, String>,
    /// What follows the front matter.
    pub text: String,
    /// Its file.
    #[serde(with = "scrollback_session::view::path")]
    #[schemars(with = "String")]
    pub path: PathBuf,
    /// Does the project define another one of the same name, which is used instead?
    pub is_shadowed: bool,
    /// Problems of its front matter.
    pub problems: Vec<String>,
}

/// The definitions of the user and of some projects.
pub fn definitions(library: &Library, projects: &[PathBuf]) -> DefinitionsView {
    let mut view = DefinitionsView { definitions: Vec::new(), troubles: Vec::new() };
    for kind in DefinitionKind::ALL {
        let folder = kind.folder();
        for root in &library.roots {
            read(&mut view, kind, DefinitionLevel::User, None, &root.path().join(folder));
        }
        for project in projects {
            // In the directory that the root lies in, the project's own are the user's.
            if library.roots.iter().any(|root| root.path() == project.join(".claude")) {
                continue;
            }
            read(
                &mut view,
                kind,
                DefinitionLevel::Project,
                Some(project),
                &project.join(".claude").join(folder),
            );
        }
    }
    let shadows: Vec<(DefinitionKind, String)> = view
        .definitions
        .iter()
        .filter(|one| one.level == DefinitionLevel::Project)
        .map(|one| (one.kind, one.name.clone()))
        .collect();
    // With several projects it depends on which of them a client runs in.
    if projects.len() == 1 {
        for one in view.definitions.iter_mut().filter(|one| one.level == DefinitionLevel::User) {
            one.is_shadowed = shadows.iter().any(|(kind, name)| *kind == one.kind && *name == one.name);
        }
    }
    view
}

fn read(
    view: &mut DefinitionsView,
    kind: DefinitionKind,
    level: DefinitionLevel,
    project: Option<&PathBuf>,
    folder: &Path,
) {
    for path in area::files(folder, ".md", &mut view.troubles) {
        let relative = path.strip_prefix(folder).unwrap_or(&path).to_owned();
        // Of a skill only its own page is one; the rest are files that it brings.
        if kind == DefinitionKind::Skill
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
    kind: DefinitionKind,
    level: DefinitionLevel,
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
        let needed =
            kind == DefinitionKind::Agent || (kind == DefinitionKind::Skill && field == "description");
        if needed && head.text(field).is_none_or(|value| value.is_empty()) && head.odd.is_empty() {
            let what = if head.exists { "no" } else { "no front matter, and so no" };
            problems.push(format!("{what} {field}"));
        }
    }
    let fields = head.fields.iter().map(|(name, field)| (name.clone(), field.to_string()));
    DefinitionView {
        kind,
        name: if kind == DefinitionKind::Command { own } else { said.unwrap_or(own) },
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
fn by_file(kind: DefinitionKind, relative: &Path) -> String {
    let stem =
        |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folders = relative.parent().unwrap_or(Path::new(""));
    match kind {
        DefinitionKind::Skill => folders.to_string_lossy().into_owned(),
        DefinitionKind::Command => {
            let mut parts: Vec<String> =
                folders.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            parts.push(stem(relative));
            parts.join(":")
        }
        _ => stem(relative),
    }
}
