//! Going on with an agent that is there: the line that its next one hangs on, and its new lines after the old ones.

use std::path::Path;

use scrollback_compose::{Id, IdSource, SessionAuthor, Settings};
use scrollback_format::stamp::Stamp;
use scrollback_model::row::RowIndex;
use scrollback_model::transcript::FileKind;
use scrollback_store::{Place, WriteError, small, stamp};

use super::Author;
use super::beside::{How, Piece};
use super::wake::last;
use scrollback_session::error::{AppError, refuse};
use scrollback_session::load::Loader;
use scrollback_session::loaded::Loaded;

/// What an agent's file was when it was opened again.
#[derive(Debug)]
pub(super) struct Again {
    id: String,
    place: Place,
    stamp: Stamp,
    last: Option<i64>,
}

impl<S: IdSource> Author<S> {
    /// Opens an agent of the session again, by its id or a unique prefix of it; [`Author::take_in_again`] puts its new lines down.
    ///
    /// Its next line hangs on its last one, as when a client goes on with an agent. A call that was never answered is left
    /// aside. Directory, branch and model are those of its last lines.
    pub fn reopen_agent<A: IdSource>(
        &mut self,
        agent: &str,
        source: A,
    ) -> Result<SessionAuthor<A>, AppError> {
        let none = || AppError::NoSuchAgent { wanted: agent.to_owned(), agents: Vec::new() };
        let agents = &self.ground.as_ref().ok_or_else(none)?.agents;
        let at = agents.find(agent)?;
        let view = &agents.views[at];
        if agents.threads[at].is_some() {
            return Err(refuse(
                format!("agent {} is stored in the session's own file", view.agent_id),
                "clients of that version cannot continue an agent; start a new one",
            ));
        }
        if self.again.iter().any(|again| again.id == view.agent_id) {
            return Err(refuse(format!("agent {} is already open", view.agent_id), "continue that one"));
        }
        let before = stamp::take(&view.path)?;
        let loaded = Loaded::of(Loader::new().transcript(&view.path, FileKind::Agent)?);
        let kind = view.agent_type.as_deref().unwrap_or("general-purpose");
        let opened = self.session.agent_named(kind, Id::from(view.agent_id.as_str()), source);
        let mut opened = opened.counting_from(loaded.facts.turns);
        settle(&mut opened.settings, &view.path)?;
        opened.rewind(tail(&loaded));
        if stamp::take(&view.path)? != before {
            return Err(WriteError::Changed { path: view.path.clone() }.into());
        }
        self.again.push(Again {
            id: view.agent_id.clone(),
            place: Place::below(self.root.path(), &view.path)?,
            stamp: before,
            last: loaded.facts.span.map(|(_, last)| last.0),
        });
        Ok(opened)
    }

    /// Takes in the new lines of an agent that was opened again. Its `.meta.json` stays as it is.
    pub fn take_in_again<A: IdSource>(&mut self, mut agent: SessionAuthor<A>) -> Result<(), AppError> {
        let id = agent.agent_id().map(Id::as_str).unwrap_or_default();
        let Some(again) = self.again.iter().find(|again| again.id == id) else {
            return Err(refuse(format!("no agent {id} in this session"), "use `take_in` to add a new one"));
        };
        if let (Some(last), Some((first, _))) = (again.last, agent.span())
            && first.millis() <= last
        {
            return Err(refuse(
                "the new lines would be earlier than the agent's last one",
                "check the system clock",
            ));
        }
        let lines = agent.take().into_bytes();
        if !lines.is_empty() {
            self.beside.push(Piece::new(again.place.clone(), lines, How::Onto(again.stamp)));
        }
        Ok(())
    }
}

/// What the agent's last lines say about where it works, and with which model.
fn settle(settings: &mut Settings, path: &Path) -> Result<(), AppError> {
    let (bytes, _) = small::read(path, u64::MAX - 1)?;
    let said = |path: &[&str], no: &str| last(&bytes, path, no, true);
    settings.cwd = said(&["cwd"], "").unwrap_or(std::mem::take(&mut settings.cwd));
    settings.branch = said(&["gitBranch"], "").filter(|branch| branch != "HEAD");
    settings.model =
        said(&["message", "model"], "<synthetic>").unwrap_or(std::mem::take(&mut settings.model));
    Ok(())
}

/// The last line of an agent's conversation; before its last message if that made a call which nobody answered.
fn tail(loaded: &Loaded) -> Option<Id> {
    let (transcript, anatomy) = (&loaded.transcript, &loaded.anatomy);
    let live = anatomy.threads.live()?;
    let answered = |id| transcript.outcomes.iter().any(|outcome| outcome.call == id);
    let message = |row: RowIndex| transcript.row(row).message;
    let mut at = Some(live.leaf);
    let last = message(live.leaf);
    let open = transcript.calls.iter().any(|call| {
        !answered(call.id) && (call.row == live.leaf || last.is_some() && message(call.row) == last)
    });
    while open && at.is_some_and(|row| row == live.leaf || message(row) == last) {
        at = at.and_then(|row| anatomy.graph.parent(row));
    }
    let id = transcript.row(at?).id.filter(|id| !id.is_derived())?;
    Some(Id::from(id.to_string()))
}
