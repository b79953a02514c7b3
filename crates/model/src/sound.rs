//! Whether a transcript that was read from a cache holds together: each number in it that names a row, a message or a text
//! names one that is there. Those that a fold makes always do.

use crate::charge::ChargeTerms;
use crate::row::RowIndex;
use crate::symbol::{SeenTexts, Symbol};
use crate::transcript::Transcript;

impl Transcript {
    /// Does each number name something that is there?
    pub(crate) fn is_sound(&self) -> bool {
        let bounds = Bounds { rows: self.rows.len(), texts: self.symbols.count() };
        bounds.tables(self) && bounds.marks(self) && bounds.seen(self) && self.rows_are_sound()
    }

    fn rows_are_sound(&self) -> bool {
        let messages = self.messages.len();
        self.rows.iter().all(|row| row.message.is_none_or(|message| message.index() < messages))
    }
}

/// How many rows and texts there are.
#[derive(Clone, Copy)]
struct Bounds {
    rows: usize,
    texts: usize,
}

impl Bounds {
    fn tables(self, of: &Transcript) -> bool {
        of.messages.iter().all(|message| {
            self.row(message.first_row)
                && self.texts([Some(message.id), message.model])
                && self.terms(&message.terms)
        }) && of.charges.iter().all(|charge| {
            self.row(charge.row) && self.texts([Some(charge.id), charge.model]) && self.terms(&charge.terms)
        }) && of.calls.iter().all(|call| {
            self.row(call.row)
                && self.texts([Some(call.id), Some(call.tool), call.file])
                && self.texts([call.prompt, call.agent_type, call.description])
        }) && of.outcomes.iter().all(|outcome| {
            self.row(outcome.row) && self.texts([Some(outcome.call), outcome.agent, outcome.run])
        }) && of
            .mentions
            .iter()
            .all(|mention| self.row(mention.row) && self.texts([Some(mention.agent), mention.call]))
    }

    fn marks(self, of: &Transcript) -> bool {
        of.compactions.iter().all(|one| self.row(one.row) && self.texts([one.trigger]))
            && of.inline_agents.iter().all(|(row, prompt)| self.row(*row) && self.text(*prompt))
            && of.queue.iter().all(|event| self.row(event.row))
            && of.leaf_pointer.is_none_or(|pointer| self.row(pointer.row))
            && of.tracked.iter().all(|path| self.text(*path))
            && of.pr_links.iter().all(|(_, url)| self.text(*url))
            && self
                .texts([of.fork_mark.map(|mark| mark.session), of.fork_context.map(|(session, _)| session)])
            && self.texts([of.previous_session, of.relocated, of.worktree, of.worktree_origin])
    }

    fn seen(self, of: &Transcript) -> bool {
        let of = [
            &of.cwds,
            &of.branches,
            &of.versions,
            &of.entrypoints,
            &of.session_ids,
            &of.agent_ids,
            &of.slugs,
            &of.session_kinds,
        ];
        of.into_iter().flat_map(SeenTexts::iter).all(|(text, _)| self.text(text))
    }

    fn terms(self, terms: &ChargeTerms) -> bool {
        self.texts([terms.branch])
    }

    fn row(self, row: RowIndex) -> bool {
        (row as usize) < self.rows
    }

    fn text(self, text: Symbol) -> bool {
        (text.number() as usize) < self.texts
    }

    fn texts<const N: usize>(self, texts: [Option<Symbol>; N]) -> bool {
        texts.into_iter().flatten().all(|text| self.text(text))
    }
}
