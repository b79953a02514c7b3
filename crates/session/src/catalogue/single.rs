//! The catalogue for what is asked about one session: that one is brought up to date, and the rest is left as it stands.

use std::path::{Path, PathBuf};

use scrollback_format::id::AgentId;
use scrollback_format::time::Time;
use scrollback_index::catalogue::{Brief, Catalogue};
use scrollback_index::error::IndexError;
use scrollback_model::lineage;
use scrollback_model::transcript::Transcript;
use scrollback_store::{CacheDir, Root};

use super::text::whole_transcript;
use super::{CachePlace, Index, Survey, real};
use crate::library::Library;

impl Index {
    /// The catalogue as it stands, with the one session of a library brought up to date. None if there is no catalogue of
    /// these roots yet, or none that can be used: then the files tell everything.
    pub fn of_session(library: &Library, place: &CachePlace, now: Time) -> Option<Self> {
        let survey = Survey::of(library);
        survey.only.as_ref()?;
        Self::single(&survey, place, now).ok().flatten()
    }

    /// The catalogue as it stands, with no look at any file.
    pub fn as_it_stands(roots: &[Root], place: &CachePlace) -> Option<Self> {
        let roots = roots.to_vec();
        let library = Library { roots, folders: Vec::new(), troubles: Vec::new(), only: None };
        Self::standing(&Survey::of(&library), place).ok().flatten()
    }

    /// Opens what is there, and makes nothing.
    fn standing(survey: &Survey, place: &CachePlace) -> Result<Option<Self>, IndexError> {
        let CachePlace::Cache(path) = place else { return Ok(None) };
        if survey.roots.iter().any(|(own, _)| real(path).starts_with(own)) {
            return Ok(None);
        }
        let Some(dir) = CacheDir::find(path).filter(|dir| dir.catalogue().is_file()) else { return Ok(None) };
        let mut index = Self::over(Catalogue::open(&dir.catalogue())?, Some(dir), survey);
        index.as_of = index.db.meta("refreshed")?.map(Time);
        for root in &index.roots {
            // A store that it has no file of was not looked at yet.
            if index.db.tally(&root.own)?.files == 0 {
                return Ok(None);
            }
        }
        Ok(index.as_of.is_some().then_some(index))
    }

    fn single(survey: &Survey, place: &CachePlace, now: Time) -> Result<Option<Self>, IndexError> {
        let Some(mut index) = Self::standing(survey, place)? else { return Ok(None) };
        if !index.is_current(survey)?
            && let Some(_lock) = index.lock()?
        {
            index.refresh(survey, now, &|_| {})?;
        }
        let Some(session) = &survey.only else { return Ok(Some(index)) };
        // What another process keeps us from refreshing is read from its file.
        for known in index.db.known_of(session)? {
            let now = survey.seen.iter().position(|seen| seen.path == known.path);
            let Some(at) = now else { continue };
            let (seen, stamp) = (&survey.seen[at], &known.stamp);
            let same = (seen.size, seen.mtime_ns, seen.inode) == (stamp.size, stamp.mtime_ns, stamp.inode);
            if same && seen.side == known.side {
                index.single.insert(survey.files[at].path.clone(), known.file);
            }
        }
        Ok(Some(index))
    }

    /// The transcript of a file of the one session that was looked at, if the catalogue has it as it is.
    pub fn transcript(&self, path: &Path) -> Option<Transcript> {
        let stored = self.db.stored(*self.single.get(path)?).ok()??;
        whole_transcript(path, &stored)
    }

    /// The title that a summary gives the one session that was looked at. None if the catalogue does not have it as it is.
    pub fn summary_title(&self, path: &Path) -> Option<Option<String>> {
        self.db.summary_of(*self.single.get(path)?).ok()
    }

    /// The session that a flat agent belongs to, if the catalogue knows its file.
    pub fn session_of_agent(&self, agent: &AgentId, path: &Path) -> Option<String> {
        let own = self.own_path(path);
        self.db.session_of_agent(agent.as_str(), &own).ok()?
    }

    /// Session files that may be relatives of this one: ids and paths. Those that are gone are not told.
    pub fn relatives(&self, own: &Transcript, session: &str) -> Option<Vec<(String, PathBuf)>> {
        let mut found = Vec::new();
        for file in self.db.kin(lineage::probes(own, session)).ok()? {
            let Some((id, root, path)) = self.db.named(file).ok()? else { continue };
            if self.roots.iter().any(|known| known.own == root) {
                found.push((id, self.given_path(&path)));
            }
        }
        found.sort_by(|a, b| a.1.cmp(&b.1));
        Some(found)
    }

    /// The sessions that have this title, as the catalogue stands: whole, or if none has, as a part of theirs.
    pub fn titled(&self, title: &str) -> Result<Vec<(Brief, PathBuf)>, IndexError> {
        let wanted = title.to_lowercase();
        let ask = |part: &str| -> Result<Vec<Brief>, IndexError> {
            let mut condition = self.all()?;
            condition.and(part, [wanted.clone()]);
            self.db.briefs(&condition)
        };
        let mut found = ask("lowercase(s.title) = ?")?;
        if found.is_empty() && title.chars().count() >= 3 {
            found = ask("instr(lowercase(s.title), ?) > 0")?;
        }
        Ok(found.into_iter().map(|brief| (brief.clone(), self.given_path(&brief.path))).collect())
    }

    /// A path in the words of the catalogue.
    fn own_path(&self, path: &Path) -> String {
        let within = self.roots.iter().find_map(|root| Some((root, path.strip_prefix(&root.given).ok()?)));
        let path = within.map_or_else(|| path.to_owned(), |(root, rest)| Path::new(&root.own).join(rest));
        path.to_string_lossy().into_owned()
    }
}
