//! `complete`: what a word that is being typed may become. A shell asks for it while a person waits, so it is answered from
//! the catalogue as it stands: nothing is refreshed and no session is read. Where there is no catalogue, names of the
//! current project's session files are all there is. It is never an error that there is nothing.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use scrollback_format::{folder, id};
use scrollback_index::catalogue::{Condition, Offered, SharedName};
use scrollback_index::error::IndexError;
use scrollback_session::catalogue::Index;
use scrollback_session::error::AppError;
use scrollback_store::walk::narrow;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// More than this no person reads.
const MOST: usize = 100;
/// So many letters of a title say which one is meant.
const TITLE: usize = 2;

/// What an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Argument {
    /// A session.
    Session,
    /// A session, or an agent of one.
    SessionOrAgent,
    /// A part of a project's directory.
    Project,
    /// A tool.
    Tool,
    /// A git branch.
    Branch,
    /// A model.
    Model,
    /// A client version.
    Client,
    /// A tag.
    Tag,
}

/// Asks what a word may become.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CompleteRequest {
    /// What the word names.
    pub argument: Argument,
    /// As much of it as was typed.
    pub begun: String,
}

/// A word that may be meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Offer {
    /// The word. It begins as was typed, or is the only one that has in its description what was typed.
    pub value: String,
    /// What it means.
    pub about: Option<String>,
}

impl Request for CompleteRequest {
    type Document = Vec<Offer>;

    fn answer(&self, desk: &Desk) -> Result<Vec<Offer>, AppError> {
        let begun = self.begun.as_str();
        let mut offers = if self.argument == Argument::Tag {
            beginning(desk.marks().tags().into_iter().map(|tag| (tag, None)), begun)
        } else {
            match Index::as_it_stands(&desk.roots, &desk.place()) {
                Some(index) => self.of_index(desk, &index)?,
                None if matches!(self.argument, Argument::Session | Argument::SessionOrAgent) => {
                    of_files(desk, begun)
                }
                None => Vec::new(),
            }
        };
        // What cannot be typed in a line is not offered.
        offers.retain(|offer| !offer.value.is_empty() && !offer.value.contains(char::is_control));
        let mut seen = BTreeSet::new();
        offers.retain(|offer| seen.insert(offer.value.clone()));
        offers.truncate(MOST);
        Ok(offers)
    }
}

impl CompleteRequest {
    fn of_index(&self, desk: &Desk, index: &Index) -> Result<Vec<Offer>, IndexError> {
        let begun = self.begun.as_str();
        let names =
            |name| Ok(beginning(index.catalogue().offered_names(&index.all()?, name)?.into_iter(), begun));
        match (self.argument, begun.split_once('/')) {
            (Argument::SessionOrAgent, Some((session, agent))) if session.len() > 1 => {
                agents(index, session, agent)
            }
            (Argument::Session | Argument::SessionOrAgent, _) => sessions(desk, index, begun),
            (Argument::Project, _) => {
                let all = index.catalogue().offered_projects(&index.all()?)?;
                Ok(projects(all.into_iter().map(|(directory, _)| directory).collect(), begun))
            }
            (Argument::Tool, _) => names(SharedName::Tool),
            (Argument::Branch, _) => names(SharedName::Branch),
            (Argument::Model, _) => names(SharedName::Model),
            (Argument::Client, _) => names(SharedName::Client),
            (Argument::Tag, _) => Ok(Vec::new()),
        }
    }
}

/// Those that begin so.
fn beginning(all: impl Iterator<Item = Offered>, begun: &str) -> Vec<Offer> {
    all.filter(|(value, _)| value.starts_with(begun)).map(|(value, about)| Offer { value, about }).collect()
}

fn conversations(index: &Index) -> Result<Condition, IndexError> {
    let mut condition = index.all()?;
    condition.and("s.kind IN ('conversation', 'background')", []);
    Ok(condition)
}

/// Sessions whose id begins so, newest first; else the one with this in its title.
fn sessions(desk: &Desk, index: &Index, begun: &str) -> Result<Vec<Offer>, IndexError> {
    let catalogue = index.catalogue();
    let mut condition = conversations(index)?;
    if begun.is_empty() {
        desk.marks().leave_hidden_out(&mut condition);
    } else {
        condition.id_begins(begun);
    }
    let mut offers = Vec::new();
    for (id, title) in catalogue.offered_sessions(&condition, MOST)? {
        offers.push(Offer { value: shortened(index, &id, begun)?, about: title });
    }
    if "last".starts_with(begun) && (!begun.is_empty() || !offers.is_empty()) {
        let about = Some("the newest session of the current project".to_owned());
        offers.insert(0, Offer { value: "last".into(), about });
    }
    if offers.is_empty() && begun.chars().count() >= TITLE {
        let mut titled = conversations(index)?;
        titled.and("instr(lowercase(coalesce(s.title, '')), ?)", [begun.to_lowercase()]);
        // One that is not alone with it would stand for what others are meant by as well.
        if let [(id, title)] = catalogue.offered_sessions(&titled, 2)?.as_slice() {
            offers.push(Offer { value: shortened(index, id, "")?, about: title.clone() });
        }
    }
    Ok(offers)
}

/// The short id, where that is enough to tell it from others and as long as what was typed.
fn shortened(index: &Index, whole: &str, begun: &str) -> Result<String, IndexError> {
    let short = id::short(whole);
    let is_enough = short.starts_with(begun) && index.catalogue().ids_with(short)? == 1;
    Ok(if is_enough { short } else { whole }.to_owned())
}

/// Agents of the session whose id begins so.
fn agents(index: &Index, session: &str, agent: &str) -> Result<Vec<Offer>, IndexError> {
    let mut condition = index.all()?;
    condition.id_begins(session);
    let found = index.catalogue().offered_agents(&condition, agent, MOST)?;
    let offer = |(id, about): Offered| Offer { value: format!("{session}/{id}"), about };
    Ok(found.into_iter().map(offer).collect())
}

/// Projects by the names of their directories, or by whole paths where a path was begun; else the one whose path has
/// this in it.
fn projects(directories: Vec<String>, begun: &str) -> Vec<Offer> {
    let mut offers: Vec<Offer> = Vec::new();
    if begun.is_empty() || begun == "." {
        let about = Some("the current directory".to_owned());
        offers.push(Offer { value: ".".into(), about });
    }
    if begun.starts_with('/') {
        return beginning(directories.into_iter().map(|directory| (directory, None)), begun);
    }
    for directory in &directories {
        let name = directory.rsplit(['/', '\\']).next().unwrap_or_default();
        if !name.starts_with(begun) {
            continue;
        }
        match offers.iter_mut().find(|offer| offer.value == name) {
            // A name stands for every directory that has it.
            Some(Offer { about: Some(about), .. }) => *about = format!("{about}, {directory}"),
            _ => offers.push(Offer { value: name.to_owned(), about: Some(directory.clone()) }),
        }
    }
    if offers.is_empty() {
        let begun = begun.to_lowercase();
        let mut found = directories.into_iter().filter(|directory| directory.to_lowercase().contains(&begun));
        if let (Some(value), None) = (found.next(), found.next()) {
            offers.push(Offer { value, about: None });
        }
    }
    offers
}

/// Names of the session files of the current project.
fn of_files(desk: &Desk, begun: &str) -> Vec<Offer> {
    let folders = desk.cwd.as_ref().and_then(|cwd| cwd.to_str()).map(folder::names).unwrap_or_default();
    let folders = desk.roots.iter().flat_map(|root| folders.iter().map(|name| root.projects().join(name)));
    let files = folders.flat_map(|folder| narrow::sessions_in(&folder));
    let ids = files.filter_map(|file| Some((file.file_stem()?.to_str()?.to_owned(), None)));
    beginning(ids, begun)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_are_offered_by_name_by_path_or_by_the_only_path_with_it() {
        let all = ["/home/ada/orbit", "/srv/orbit", "/home/ada/tide"].map(str::to_owned).to_vec();
        let check = |begun: &str, expected: &[(&str, Option<&str>)]| {
            let offers = projects(all.clone(), begun);
            let found: Vec<(&str, Option<&str>)> =
                offers.iter().map(|offer| (offer.value.as_str(), offer.about.as_deref())).collect();
            assert_eq!(found, expected, "{begun}");
        };
        let here = (".", Some("the current directory"));
        let (orbit, tide) =
            (("orbit", Some("/home/ada/orbit, /srv/orbit")), ("tide", Some("/home/ada/tide")));
        check("", &[here, orbit, tide]);
        check("or", &[orbit]);
        check("/home", &[("/home/ada/orbit", None), ("/home/ada/tide", None)]);
        check("SRV", &[("/srv/orbit", None)]);
        check("ada", &[]);
        check("nowhere", &[]);
    }
}
