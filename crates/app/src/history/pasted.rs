//! What was pasted: from the entry, from `paste-cache`, or from the session's own line.

use scrollback_format::area::{Area, Owner};
use scrollback_format::history::{Paste, placeholders, unpaste};

use super::{PasteSource, PastedView, PromptEntry};
use scrollback_session::area;
use scrollback_session::trouble::TroubleView;

/// The pastes of a prompt. `sent` is the prompt as the session has it.
pub(super) fn pasted(
    entry: &PromptEntry<'_>,
    sent: Option<&str>,
    troubles: &mut Vec<TroubleView>,
) -> Vec<PastedView> {
    let prompt = &entry.prompt;
    let marks = placeholders(&prompt.display);
    let cut = sent.and_then(|sent| unpaste(&prompt.display, sent)).unwrap_or_default();
    let in_session = |id: u64| {
        let at = marks.iter().position(|(_, number)| *number == id)?;
        cut.get(at).filter(|text| !text.is_empty()).map(|text| (*text).to_owned())
    };
    let mut views: Vec<PastedView> =
        prompt.pastes.iter().map(|paste| resolve(entry, paste, &in_session, troubles)).collect();
    // 2.0.29 notes nothing but the placeholder.
    for (range, id) in &marks {
        if !views.iter().any(|view| view.id == *id) {
            let image = prompt.display[range.clone()].starts_with("[Image");
            let text = in_session(*id).filter(|_| !image);
            let from = text.is_some().then_some(PasteSource::Session);
            let kind = if image { "image" } else { "text" };
            views.push(PastedView { id: *id, kind: kind.to_owned(), text, from, hash: None });
        }
    }
    views
}

fn resolve(
    entry: &PromptEntry<'_>,
    paste: &Paste,
    in_session: &dyn Fn(u64) -> Option<String>,
    troubles: &mut Vec<TroubleView>,
) -> PastedView {
    let kind = paste.kind.clone().unwrap_or_else(|| "text".to_owned());
    let (text, from) = if kind != "text" {
        (None, None)
    } else if let Some(content) = &paste.content {
        (Some(content.clone()), Some(PasteSource::Entry))
    } else if let Some(text) = cached(entry, paste, troubles) {
        (Some(text), Some(PasteSource::PasteCache))
    } else {
        let text = in_session(paste.id);
        let from = text.is_some().then_some(PasteSource::Session);
        (text, from)
    };
    PastedView { id: paste.id, kind, text, from, hash: paste.hash.clone() }
}

fn cached(entry: &PromptEntry<'_>, paste: &Paste, troubles: &mut Vec<TroubleView>) -> Option<String> {
    let hash = paste.hash.as_deref()?;
    let place = format!("paste-cache/{hash}.txt");
    // A name that leads elsewhere is no paste.
    if !matches!(Area::of(&place).owner, Owner::Prompt(_)) {
        let path = entry.root.history();
        troubles.push(area::trouble(&path, format!("line {} has an invalid paste name", entry.line)));
        return None;
    }
    let path = entry.root.path().join(&place);
    if !scrollback_store::stamp::is_there(&path) {
        return None;
    }
    area::note(area::text(&path), troubles)
}
