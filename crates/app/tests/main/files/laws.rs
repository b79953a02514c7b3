//! Random work on files, recorded as a client would, and every recorded state had back.

use proptest::prelude::*;
use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::files::event::Wanted;
use scrollback_app::files::path;
use scrollback_app::files::trail::FileTrail;
use scrollback_app::files::transcripts::TranscriptSet;
use scrollback_app::files::version::{Certainty, ContentState};
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_testkit::home::Store;

use super::client::{Client, Clock, Content};
use crate::editing::library;

#[derive(Debug, Clone)]
enum Act {
    Prompt,
    Write(usize, String),
    Edit { file: usize, from: usize, len: usize, new: String, all: bool, agent: bool },
    Twice(usize, usize, usize),
    Read(usize),
    Meddle(usize, Content),
    Refused(usize, String),
    Reply,
}

/// Files in the project, below it, outside of it, and with a name that JSON has to escape.
const FILES: [&str; 4] =
    ["/srv/tide/a.txt", "/srv/tide/src/deep/b.rs", "/etc/elsewhere.conf", "/srv/tide/wei\"rd \\ ü.md"];

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "alpha", "beta", "gamma", "\n", "\n", "\n", " ", "\t", "fn x() {", "}", "é", "日本", "$&", "\\1",
        "\"", "",
    ]);
    prop::collection::vec(word, 0..14).prop_map(|words| words.concat())
}

/// What somebody else may leave: text, text with returns, bytes that are no text, nothing at all.
fn content() -> impl Strategy<Value = Content> {
    prop_oneof![
        2 => text().prop_map(|text| Some(text.into_bytes())),
        2 => prop::collection::vec("[a-z]{1,6}", 2..6).prop_map(|lines| Some((lines.join("\r\n") + "\r\n").into_bytes())),
        1 => prop::collection::vec(any::<u8>(), 1..40).prop_map(|mut bytes| { bytes.push(0xff); Some(bytes) }),
        1 => Just(None),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    let file = 0..FILES.len();
    prop_oneof![
        2 => Just(Act::Prompt),
        3 => (file.clone(), text()).prop_map(|(file, text)| Act::Write(file, text)),
        6 => (file.clone(), 0_usize..60, 1_usize..12, text(), any::<bool>(), prop::bool::weighted(0.2))
            .prop_map(|(file, from, len, new, all, agent)| Act::Edit { file, from, len, new, all, agent }),
        1 => (file.clone(), 0_usize..40, 0_usize..40).prop_map(|(file, a, b)| Act::Twice(file, a, b)),
        2 => file.clone().prop_map(Act::Read),
        2 => (file.clone(), content()).prop_map(|(file, content)| Act::Meddle(file, content)),
        1 => (file, text()).prop_map(|(file, text)| Act::Refused(file, text)),
        1 => Just(Act::Reply),
    ]
}

/// A stretch of a text by characters.
fn stretch(text: &str, from: usize, len: usize) -> String {
    let count = text.chars().count();
    if count == 0 { String::new() } else { text.chars().skip(from % count).take(len).collect() }
}

fn perform(client: &mut Client, act: &Act, generation: Generation) {
    let shown = |client: &Client, path: &str| {
        let text = client.now(path).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
        text.replace("\r\n", "\n")
    };
    match act {
        Act::Prompt => client.prompt("Go on."),
        Act::Reply => client.reply(),
        Act::Write(file, text) => client.write(FILES[*file], text),
        Act::Refused(file, text) => client.refused(FILES[*file], text),
        Act::Read(file) => client.read(FILES[*file]),
        Act::Edit { file, from, len, new, all, agent } => {
            let path = FILES[*file];
            let old = stretch(&shown(client, path), *from, *len);
            client.edit(path, &old, new, *all, *agent);
        }
        Act::Twice(file, first, second) => {
            let path = FILES[*file];
            let text = shown(client, path);
            let (first, second) = (stretch(&text, *first, 5), stretch(&text, *second, 4));
            client.edit_twice(path, (&first, "ONE"), (&second, "TWO"));
        }
        // Of clients without checkpoints nothing tells how the lines of a text end, or what bytes are no text.
        Act::Meddle(file, content) => {
            let odd = content
                .as_ref()
                .is_some_and(|bytes| bytes.contains(&b'\r') || std::str::from_utf8(bytes).is_err());
            if generation >= Generation::V2_0_29 || !odd {
                client.meddle(FILES[*file], content.clone());
            }
        }
    }
}

/// The states of a trail with their bytes.
fn states(trail: &FileTrail) -> Vec<Content> {
    let state = |state: &ContentState| match state {
        ContentState::Held(body) => Some(body.load().unwrap().to_vec()),
        ContentState::Absent => None,
        other => panic!("{other:?}"),
    };
    trail.versions.iter().map(|version| state(&version.state)).collect()
}

fn check(trail: &FileTrail, expected: &[Content], what: &str) {
    let problems: Vec<_> = trail.versions.iter().flat_map(|version| &version.problems).collect();
    assert!(trail.troubles.is_empty() && problems.is_empty(), "{what}: {:?} {problems:?}", trail.troubles);
    let readable = |all: &[Content]| -> Vec<Option<String>> {
        all.iter().map(|one| one.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned())).collect()
    };
    assert!(states(trail) == expected, "{what}:\n{:#?}\n{:#?}", readable(&states(trail)), readable(expected));
    for version in &trail.versions {
        assert!(version.certainty <= Certainty::Replayed, "{what}: {version:?}");
        let made = version.witnesses[0].evidence.makes();
        assert!(!(made && version.unseen), "{what}: {version:?}");
    }
}

/// A text that is the same but for its line ends cannot be told from one that a tool wrote: such stories are not told.
fn is_telling(known: &[Content]) -> bool {
    let flat = |content: &Content| content.as_ref().map(|bytes| scrollback_app::files::body::as_text(bytes));
    known.windows(2).all(|pair| flat(&pair[0]) != flat(&pair[1]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn every_recorded_state_comes_back_byte_for_byte(
        acts in prop::collection::vec(act(), 1..40),
        more in prop::collection::vec(act(), 0..12),
        generation in prop::sample::select(Generation::ALL.to_vec()),
    ) {
        let store = Store::new();
        let clock = Clock::starting(1_800_000_000_000);
        let mut client = Client::new(&store, generation, "/srv/tide", &clock);
        client.prompt("Begin.");
        acts.iter().for_each(|act| perform(&mut client, act, generation));
        let (disk, known, id) = (client.disk.clone(), client.known.clone(), client.id());
        client.commit(&store);
        prop_assume!(known.values().all(|known| is_telling(known)));

        // One session by itself.
        let library = library(store.root());
        let files = library.sessions().find(|files| files.id.as_str() == id).unwrap();
        let shelf = TranscriptSet::of_session(&library, &files).unwrap();
        for (path, expected) in &known {
            check(&shelf.trail(path, &|_| true), expected, path);
        }
        prop_assert_eq!(shelf.files.keys().collect::<Vec<_>>(), known.keys().collect::<Vec<_>>());

        // Another session goes on with the same files; the catalogue knows of both.
        let mut second = Client::new(&store, generation, "/srv/tide", &clock);
        second.disk = disk;
        second.known = known;
        second.prompt("And again.");
        more.iter().for_each(|act| perform(&mut second, act, generation));
        let known = second.known.clone();
        second.commit(&store);
        prop_assume!(known.values().all(|known| is_telling(known)));
        let library = crate::editing::library(store.root());
        let index = Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).unwrap();
        for (file, expected) in &known {
            let wanted = Wanted { is: &|path, _| path == file, needle: Wanted::needle(file) };
            let shelf = TranscriptSet::touching(&index, &path::names(file), &wanted).unwrap();
            check(&shelf.trail(file, &|_| true), expected, file);
            // A trail that keeps one version has its bytes, and those of no other but the last.
            let wanted = expected.len().div_ceil(2);
            let one = shelf.trail(file, &|number| number == wanted);
            let ContentState::Held(body) = &one.versions[wanted - 1].state else { continue };
            prop_assert_eq!(Some(body.load().unwrap().to_vec()), expected[wanted - 1].clone());
        }
    }
}
