//! Output that was too large for its line: it is in the session's `tool-results/`, and is part of the call's text.

use std::path::{Path, PathBuf};

use scrollback_model::text::{TextClass, UnitText};
use scrollback_store::small;

/// More of a spilled output than this is no text that anybody searches.
const LIMIT: u64 = 16 << 20;

/// Adds the spilled output of a unit of this file to its texts.
pub fn add(unit: &mut UnitText, transcript: &Path) {
    for name in std::mem::take(&mut unit.spilled) {
        let Some(path) = folder(transcript).map(|folder| folder.join(&name)) else { continue };
        if let Ok((bytes, _)) = small::read(&path, LIMIT)
            && !bytes.is_empty()
        {
            let text = match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
            };
            unit.texts.push((TextClass::Output, text));
        }
        unit.spilled.push(name);
    }
}

/// The folder of a transcript's session for such output: beside `subagents` for an agent's.
fn folder(transcript: &Path) -> Option<PathBuf> {
    let agents = transcript.ancestors().find(|dir| dir.file_name().is_some_and(|name| name == "subagents"));
    let session = match agents {
        Some(agents) => agents.parent()?.to_owned(),
        None => crate::library::session_dir(transcript)?,
    };
    Some(session.join("tool-results"))
}
