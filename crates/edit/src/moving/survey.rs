//! Which sessions move: a session is at home in a recorded directory, and it moves if that is the old one or below it.
//!
//! Folder names are no help: `a.b`, `a_b` and `a/b` share one. So every folder is taken apart by what its files say.

use std::collections::{BTreeMap, BTreeSet};

use scrollback_compose::relocate::Relocation;
use scrollback_format::area::ProjectFile;
use scrollback_format::folder::{self, FolderRule};
use scrollback_format::generation::Generation;
use scrollback_store::live::EditedSession;
use scrollback_store::{ProjectFolder, walk};

use super::super::footprint::{Head, flat_agents, generation, guard, home};
use super::SESSIONS_INDEX;
use scrollback_session::error::{AppError, refuse};
use scrollback_session::library::{Library, SessionFiles};

/// The longest name that a folder can have.
const LONGEST_NAME: usize = 255;

/// What moves out of one folder.
#[derive(Debug)]
pub(super) struct Leaving<'l> {
    pub folder: &'l ProjectFolder,
    /// Each name in the folder that moves, with the folder that it moves to.
    pub names: BTreeMap<String, String>,
    /// The sessions, with the folder that each moves to.
    pub sessions: BTreeMap<String, String>,
    /// Everything moves, and to one folder.
    pub whole: Option<String>,
    /// Sessions that stay, since they are at home elsewhere.
    pub staying: usize,
    /// These must not be in use.
    pub guards: Vec<EditedSession>,
}

/// What moves out of a folder if a project moves; none if nothing does.
pub(super) fn of_project<'l>(
    library: &'l Library,
    number: usize,
    relocation: &Relocation,
    from: &str,
) -> Result<Option<Leaving<'l>>, AppError> {
    let (_, folder) = library.folder(number);
    let sessions: Vec<SessionFiles<'l>> = library.sessions().filter(|files| files.folder == number).collect();
    let named = is_below(&folder.name, from);
    let mut leaving = Leaving::new(folder);
    let mut moving: Vec<(String, String)> = Vec::new();
    let mut unknown = Vec::new();
    let mut newest = Generation::V1_0;
    for files in &sessions {
        // Where the name does not fit, the first lines tell whether a closer look is worth it.
        if !named && !Head::of(&files.found.path).cwd.is_some_and(|cwd| relocation.covers(&cwd)) {
            leaving.staying += 1;
            continue;
        }
        let loaded = library.load(files, Generation::NEWEST)?;
        let at_home = home(&folder.name, &loaded.facts);
        match at_home.or_else(|| loaded.facts.origin.clone()) {
            None => unknown.push(files),
            Some(directory) if relocation.covers(&directory) => {
                leaving.guards.push(guard(files, Some(&loaded.facts)));
                newest = newest.max(generation(&loaded.facts));
                moving.push((files.id.as_str().to_owned(), directory));
            }
            Some(_) => leaving.staying += 1,
        }
    }
    let only_named = leaving.staying == 0 && folder::names(from).contains(&folder.name);
    if moving.is_empty() && !only_named {
        return Ok(None);
    }
    if moving.is_empty() {
        newest = Generation::NEWEST;
    }
    if leaving.staying == 0 {
        leaving.guards.extend(unknown.iter().map(|files| guard(files, None)));
    }
    for (id, directory) in &moving {
        let target = target(&folder.name, directory, relocation, newest)?;
        leaving.sessions.insert(id.clone(), target);
    }
    let fallback = match leaving.sessions.values().next() {
        Some(target) => target.clone(),
        None => target(&folder.name, from, relocation, newest)?,
    };
    if leaving.staying == 0 {
        for files in unknown {
            leaving.sessions.insert(files.id.as_str().to_owned(), fallback.clone());
        }
    }
    leaving.name_all(relocation, &fallback);
    Ok(Some(leaving))
}

/// What moves out of a session's folder if it alone does.
pub(super) fn of_session<'l>(
    library: &'l Library,
    files: &SessionFiles<'_>,
    to: &str,
) -> Result<(Leaving<'l>, String), AppError> {
    let (_, folder) = library.folder(files.folder);
    let loaded = library.load(files, Generation::NEWEST)?;
    let from = home(&folder.name, &loaded.facts).or_else(|| loaded.facts.origin.clone());
    let Some(from) = from else {
        let why = format!("session {} records no directory to move from", files.id);
        return Err(refuse(why, "resume it in the client once, then move it"));
    };
    let mut leaving = Leaving::new(folder);
    let rule = generation(&loaded.facts).facts().folder;
    let target = checked(folder::encode(to, rule))?;
    let id = files.id.as_str();
    leaving.guards.push(guard(files, Some(&loaded.facts)));
    leaving.sessions.insert(id.to_owned(), target.clone());
    for (name, _) in walk::names_in(&folder.path) {
        let own = match owner(&name) {
            NameOwner::Session(session) => session == id,
            NameOwner::Agent => Head::of(&folder.path.join(&name)).session.as_deref() == Some(id),
            NameOwner::Folder => false,
        };
        if own {
            leaving.names.insert(name, target.clone());
        }
    }
    Ok((leaving, from))
}

/// Whose a name in a project folder is.
enum NameOwner {
    Session(String),
    Agent,
    Folder,
}

fn owner(name: &str) -> NameOwner {
    match ProjectFile::of(name) {
        ProjectFile::Session(id) | ProjectFile::SetAside(id) => NameOwner::Session(id.as_str().to_owned()),
        ProjectFile::FlatAgent(_) => NameOwner::Agent,
        ProjectFile::Odd if name != "memory" && !name.contains('.') => NameOwner::Session(name.to_owned()),
        _ => NameOwner::Folder,
    }
}

impl<'l> Leaving<'l> {
    fn new(folder: &'l ProjectFolder) -> Self {
        Self {
            folder,
            names: BTreeMap::new(),
            sessions: BTreeMap::new(),
            whole: None,
            staying: 0,
            guards: Vec::new(),
        }
    }

    /// Does everything in the folder go elsewhere? Its index is a list of what is there, and counts for nothing.
    pub fn is_emptied(&self) -> bool {
        let away = |name: &str| self.names.get(name).is_some_and(|target| *target != self.folder.name);
        walk::names_in(&self.folder.path).iter().all(|(name, _)| name == SESSIONS_INDEX || away(name))
    }

    /// Gives every name of the folder that moves its target. What cannot be told apart stays if anything does.
    fn name_all(&mut self, relocation: &Relocation, fallback: &str) {
        let known: BTreeSet<&str> = self
            .folder
            .files
            .iter()
            .filter_map(|found| match &found.file {
                ProjectFile::Session(id) => Some(id.as_str()),
                _ => None,
            })
            .collect();
        let alone = self.staying == 0;
        let heads: BTreeMap<String, Head> = flat_agents(self.folder)
            .into_iter()
            .filter_map(|(path, head)| Some((path.file_name()?.to_str()?.to_owned(), head)))
            .collect();
        let all = walk::names_in(&self.folder.path);
        for (name, _) in &all {
            let of_session = |id: &str| self.sessions.get(id).cloned();
            let target = match owner(name) {
                NameOwner::Session(id) if known.contains(id.as_str()) => of_session(&id),
                NameOwner::Agent => match heads.get(name) {
                    Some(Head { session: Some(id), .. }) if known.contains(id.as_str()) => of_session(id),
                    Some(Head { cwd: Some(cwd), .. }) => relocation.covers(cwd).then(|| fallback.to_owned()),
                    _ => alone.then(|| fallback.to_owned()),
                },
                NameOwner::Session(_) | NameOwner::Folder => alone.then(|| fallback.to_owned()),
            };
            if let Some(target) = target {
                self.names.insert(name.clone(), target);
            }
        }
        let one = self.names.values().all(|target| target == fallback);
        self.whole = (one && self.names.len() == all.len()).then(|| fallback.to_owned());
    }
}

/// The folder that a session at home in this directory moves to. One whose folder is none of its directories' keeps it.
fn target(
    folder: &str,
    directory: &str,
    relocation: &Relocation,
    newest: Generation,
) -> Result<String, AppError> {
    let fits = |rule: &FolderRule| folder::encode(directory, *rule) == folder;
    let own = newest.facts().folder;
    let rule = Some(own).filter(fits).or_else(|| FolderRule::ALL.into_iter().find(fits));
    match (rule, relocation.path(directory)) {
        // A short name fits every rule: then the newest client that wrote there says how a long one is cut.
        (Some(rule), Some(new)) => checked(folder::encode(&new, rule)),
        _ => Ok(folder.to_owned()),
    }
}

fn checked(name: String) -> Result<String, AppError> {
    if name.len() > LONGEST_NAME {
        return Err(refuse(
            "the path of the new directory is too long for the client of these sessions",
            "use a shorter path, or resume the sessions with a newer client first",
        ));
    }
    Ok(name)
}

/// Could a folder of this name be that of a directory, or of one below it?
fn is_below(name: &str, directory: &str) -> bool {
    FolderRule::ALL.into_iter().any(|rule| {
        let plain = folder::encode(directory, FolderRule { cut: false, ..rule });
        let head = plain.get(..folder::CUT).unwrap_or(&plain);
        name.starts_with(head)
    })
}
