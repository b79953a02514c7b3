//! The preview: a conversation painted for the pane beside the list, with the place of the prompt that was found.
//!
//! Long conversations are painted twice: first what the pane shows, then what can be scrolled to.

use scrollback_app::picking::PickCandidate;
use scrollback_app::story::{Story, StorySource};

use crate::context::Context;
use crate::failure::Failure;
use crate::page::{Page, Unfold};
use crate::paint::{Style, StyledLine};

/// What the pane is to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewRequest {
    /// The place of the session among the candidates.
    pub candidate: usize,
    /// The place of the prompt among its prompts; none for the start of the conversation.
    pub prompt: Option<usize>,
    /// The columns of the pane.
    pub width: u16,
}

/// What the pane shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviewPane {
    /// What was wished for.
    pub wish: PreviewRequest,
    /// The conversation.
    pub lines: Vec<StyledLine>,
    /// The line at which the prompt stands.
    pub anchor: usize,
}

/// A conversation of more turns is painted twice.
const MANY_TURNS: u64 = 20;
/// How many lines the first painting needs: more than any pane has.
const FIRST_LINES: usize = 120;
/// How far one can scroll: turns before the prompt, lines after it.
const TURNS_BEFORE: u32 = 40;
const LINES_AFTER: usize = 4_000;

/// Paints what was requested and passes it to `tell`, possibly in two parts. Stops early once `stale` is true.
pub fn paint(
    context: &mut Context,
    candidate: &PickCandidate,
    wish: PreviewRequest,
    stale: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(PreviewPane),
) -> Result<(), Failure> {
    // By its path: an id may be in several folders.
    let opened = context.desk()?.open(&candidate.view.path.to_string_lossy())?;
    let source = opened.source();
    let story = Story::of(source, 0)?;
    let mut painter = Painter { context, candidate, wish, source, story: &story, stale };
    let turn = painter.prompt().map_or(0, |prompt| prompt.turn);
    if story.count() > MANY_TURNS
        && let Some(preview) = painter.stretch(turn, FIRST_LINES)?
    {
        tell(preview);
    }
    if let Some(preview) = painter.stretch(turn.saturating_sub(TURNS_BEFORE), LINES_AFTER)? {
        tell(preview);
    }
    Ok(())
}

struct Painter<'p> {
    context: &'p mut Context,
    candidate: &'p PickCandidate,
    wish: PreviewRequest,
    source: StorySource<'p>,
    story: &'p Story<'p>,
    stale: &'p dyn Fn() -> bool,
}

impl Painter<'_> {
    fn prompt(&self) -> Option<&scrollback_app::picking::PickPrompt> {
        self.candidate.prompts.get(self.wish.prompt?)
    }

    /// The turns from `first` on, until there are enough lines after the prompt; None if they are no longer wanted.
    fn stretch(&mut self, first: u32, most: usize) -> Result<Option<PreviewPane>, Failure> {
        let prompt = self.prompt().cloned();
        let (source, story, stale) = (self.source, self.story, self.stale);
        let mut page = Page::new(self.context, Unfold::default(), &self.candidate.view.session_id);
        if first <= 1 {
            page.head(&self.candidate.view, None, source, 0)?;
        }
        let mut lines = page.take_lines();
        if first > 1 {
            lines.push(StyledLine::new(format!("… turns before {first} not shown"), Style::Dim));
        }
        let mut anchor = 0;
        let mut full = false;
        for turn in story.turns(|number| number >= first)? {
            if stale() {
                return Ok(None);
            }
            if full {
                lines.push(StyledLine::empty());
                lines.push(StyledLine::new("… more follows; Ctrl-O shows everything", Style::Dim));
                break;
            }
            let turn = turn?;
            page.turn(&turn, source)?;
            let painted = page.take_lines();
            if let Some(prompt) = prompt.as_ref().filter(|prompt| prompt.turn == turn.turn) {
                anchor = lines.len() + place(&painted, &prompt.text);
            }
            lines.extend(painted);
            full =
                lines.len() > anchor + most && prompt.as_ref().is_none_or(|prompt| prompt.turn <= turn.turn);
        }
        if lines.first().is_some_and(StyledLine::is_empty) {
            lines.remove(0);
            anchor = anchor.saturating_sub(1);
        }
        Ok(Some(PreviewPane { wish: self.wish, lines, anchor }))
    }
}

/// The line of a painted turn to begin at: its rule, or the prompt itself if it was typed in the middle of it.
fn place(painted: &[StyledLine], prompt: &str) -> usize {
    /// Up to here the rule, the name and the prompt fit a pane together.
    const NEAR: usize = 6;
    let rule = painted.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let start: String = prompt.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
    let said = painted.iter().position(|line| line.text().contains(&start)).unwrap_or(rule);
    if said > rule + NEAR { said - 1 } else { rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prompt_in_the_middle_of_a_turn_is_gone_to() {
        let mut lines = vec![
            StyledLine::empty(),
            StyledLine::plain("── 1 ──"),
            StyledLine::plain("You"),
            StyledLine::plain("▌ first words"),
        ];
        assert_eq!(place(&lines, "first words"), 1);
        lines.extend((0..20).map(|_| StyledLine::plain("answer")));
        lines.extend([
            StyledLine::plain("You, during the turn"),
            StyledLine::plain("▌ also this please, and more"),
        ]);
        assert_eq!(place(&lines, "also this\nplease, and more"), 24);
        assert_eq!(place(&lines, "not painted"), 1);
    }
}
