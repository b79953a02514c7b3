//! The recorded stores: every file of every session, with every version, as a reviewed snapshot.

use std::fmt::Write as _;

use scrollback_app::files::transcripts::TranscriptSet;
use scrollback_app::files::version::{Certainty, ContentState};
use scrollback_testkit::corpus;

use crate::editing::library;

fn told(version: &str) -> String {
    let library = library(&corpus::tree(version));
    let mut text = String::new();
    for files in library.sessions() {
        let shelf = TranscriptSet::of_session(&library, &files).unwrap();
        assert_eq!(shelf.troubles, Vec::<String>::new());
        for path in shelf.files.keys() {
            let trail = shelf.trail(path, &|_| true);
            let _ = writeln!(text, "{} {path}", &files.id.as_str()[..8]);
            for (view, version) in shelf.views(&trail).iter().zip(&trail.versions) {
                let by: Vec<&str> = view.evidence.iter().map(|evidence| evidence.by.name()).collect();
                let first = &view.evidence[0];
                let held = match &version.state {
                    ContentState::Held(body) => {
                        let bytes = body.load().unwrap();
                        let shown: String = String::from_utf8_lossy(&bytes).chars().take(60).collect();
                        format!("{} bytes {shown:?}", bytes.len())
                    }
                    ContentState::Part(part) => format!("lines {}", part.ranges()),
                    _ => String::new(),
                };
                let turn = first.turn.map_or_else(|| "-".into(), |turn| turn.to_string());
                let unseen = if view.unseen { " unseen" } else { "" };
                let _ = writeln!(
                    text,
                    "  turn {turn}/{} {} {}{unseen} by {}: {held}",
                    first.branch,
                    view.state.name(),
                    view.certainty.name(),
                    by.join("+")
                );
                for problem in &view.problems {
                    let _ = writeln!(text, "    {problem}");
                }
                // What real clients recorded of their own work can be replayed.
                assert!(
                    version.certainty <= Certainty::Replayed || view.state.name() != "content",
                    "{path}: {version:?}"
                );
            }
        }
    }
    text
}

#[test]
fn every_file_of_the_recorded_stores_has_its_versions() {
    for version in corpus::VERSIONS {
        insta::assert_snapshot!(format!("files_of_{version}"), told(version));
    }
}
