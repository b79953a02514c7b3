//! Whole frames, by snapshot, at several sizes; and the sessions that tests of the picker use.

use ratatui::backend::TestBackend;
use ratatui::style::Modifier;
use scrollback_app::picking::{PickCandidate, PickPrompt};
use scrollback_app::view::{SessionPlace, SessionView};
use scrollback_format::time::Time;

use super::keys::Act;
use super::preview::PreviewPane;
use super::screen::{self, Appearance};
use super::state::{PickState, SessionPlaceName};
use crate::paint::{Style, StyledLine, Theme};

/// Some sessions, newest first; two are of this place.
pub fn sample() -> (Vec<PickCandidate>, Vec<SessionPlaceName>) {
    let mut candidates = Vec::new();
    let mut places = Vec::new();
    let mut add = |id: &str, title: &str, project: &str, hours: i64, is_here: bool, prompts: &[&str]| {
        let place = SessionPlace {
            session_id: id.into(),
            path: format!("/{id}.jsonl").into(),
            root: "/".into(),
            folder: "-p".into(),
        };
        let mut view = SessionView::unreadable(place, 0);
        view.kind = scrollback_app::model::SessionKind::Conversation;
        view.title = (!title.is_empty()).then(|| title.to_owned());
        view.project = Some(format!("/home/ada/{project}"));
        view.last_time = Some(Time(NOW.0 - hours * 3_600_000));
        view.turns = prompts.len() as u64;
        let prompts = prompts.iter().zip(1..);
        let prompts = prompts
            .map(|(text, turn)| PickPrompt { turn, line: u64::from(turn), text: (*text).to_owned() })
            .collect();
        candidates.push(PickCandidate { view, prompts });
        places.push(SessionPlaceName { name: format!("~/{project}"), is_here });
    };
    add(
        "85835976",
        "Fix the flaky reconnect test",
        "orbit",
        8,
        true,
        &["It fails now and then.", "Run it two hundred times."],
    );
    add("1fab43cc", "postgres migration", "lighthouse", 33, false, &["Move the tables.\u{1b}[2J"]);
    add(
        "08aa2480",
        "retry with backoff 👩\u{200d}👧",
        "orbit",
        51,
        true,
        &["Add a retry.", "Cap it.", "And a test."],
    );
    add("cedd90b1", "気温の単位を摂氏に修正", "天気", 2000, false, &["単位は摂氏です。"]);
    add("c10576a8", "", "a/rather/long/name/of/a/place", 20_000, false, &[]);
    (candidates, places)
}

const NOW: Time = Time(1_794_765_600_000);

/// A state with the sample in it.
pub fn state(words: &str) -> PickState {
    let mut state = PickState::new(words);
    let (candidates, places) = sample();
    state.fill(candidates, places);
    state
}

fn frame(state: &mut PickState, columns: u16, lines: u16) -> TestBackend {
    let look = Appearance { theme: Theme::plain(), now: NOW, enter: "resume" };
    let mut terminal = ratatui::Terminal::new(TestBackend::new(columns, lines)).unwrap();
    // The first frame finds out how wide the pane is.
    for _ in 0..2 {
        terminal.draw(|frame| screen::draw(frame, state, look)).unwrap();
        if let Some(wish) = state.wish() {
            state.show(PreviewPane { wish, lines: conversation(), anchor: 5 });
        }
    }
    terminal.draw(|frame| screen::draw(frame, state, look)).unwrap();
    terminal.backend().clone()
}

fn conversation() -> Vec<StyledLine> {
    let mut lines = vec![StyledLine::new("Fix the flaky reconnect test", Style::Title), StyledLine::empty()];
    lines.extend(
        [
            "── 1 ──",
            "You  09:02",
            "▌ It fails now and then.",
            "── 2 ──",
            "▌ Run it two hundred times.",
            "  日本語も",
        ]
        .map(StyledLine::plain),
    );
    lines.extend((0..40).map(|at| StyledLine::plain(format!("  line {at}"))));
    lines
}

#[test]
fn beside_each_other_on_a_wide_terminal() {
    insta::assert_snapshot!(frame(&mut state("hundred"), 110, 12));
}

#[test]
fn all_sessions_keep_their_columns() {
    let mut state = state("");
    state.act(Act::Scope);
    insta::assert_snapshot!(frame(&mut state, 110, 10));
}

#[test]
fn below_each_other_on_a_narrow_terminal() {
    let mut state = state("");
    state.act(Act::Scope);
    state.act(Act::Move(3));
    insta::assert_snapshot!(frame(&mut state, 60, 24));
}

#[test]
fn small_terminals_keep_the_list() {
    let mut state = state("");
    state.act(Act::Scope);
    let frames: Vec<String> = [(34, 8), (20, 5), (10, 3)]
        .into_iter()
        .map(|(columns, lines)| frame(&mut state, columns, lines).to_string())
        .collect();
    insta::assert_snapshot!(frames.join("\n"));
}

#[test]
fn pinned_sessions_are_marked() {
    let mut state = PickState::new("");
    let (mut candidates, places) = sample();
    [0, 2].into_iter().for_each(|at| candidates[at].view.pinned = true);
    state.fill(candidates, places);
    state.act(Act::Scope);
    insta::assert_snapshot!(frame(&mut state, 60, 9));
}

#[test]
fn help_and_nothing_found() {
    let mut empty = state("nothing of that kind");
    let mut helped = state("");
    helped.act(Act::Help);
    let reading = &mut PickState::new("fla");
    reading.reading = Some(40);
    let frames = [frame(&mut empty, 70, 5), frame(&mut helped, 90, 16), frame(reading, 70, 4)];
    insta::assert_snapshot!(frames.map(|frame| frame.to_string()).join("\n"));
}

#[test]
fn no_size_and_no_key_is_too_much() {
    for columns in (0..30).chain([79, 96, 200]) {
        for lines in (0..20).chain([50]) {
            let mut state = state("t");
            for act in [Act::Scope, Act::Move(9), Act::Scroll(3), Act::Help, Act::Type('日'), Act::Move(-1)]
            {
                state.act(act);
                frame(&mut state, columns, lines);
            }
        }
    }
}

#[test]
fn matched_letters_are_marked_without_colours() {
    let backend = frame(&mut state("flaky"), 60, 6);
    let marked: String = backend
        .buffer()
        .content()
        .iter()
        .filter(|cell| cell.modifier.contains(Modifier::UNDERLINED))
        .map(|cell| cell.symbol())
        .collect();
    assert_eq!(marked, "flaky");
}
