//! A second front: four commands over the desk alone, each answered with the document that `scrollback … --json` prints,
//! byte for byte.
//!
//! ```sh
//! cargo run -p scrollback-core --example front -- ~/.claude search 'flaky tool:Bash'
//! ```
//!
//! A front makes a desk, fills requests with what was typed, writes documents, and says how it ended. It looks into no
//! file, decides no default and words no error: a TUI, a web page or another language's binding would be as thin.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use scrollback_core::desk::request::ls::LsRequest;
use scrollback_core::desk::request::search::SearchRequest;
use scrollback_core::desk::request::show::{ShowRequest, WriteFailure};
use scrollback_core::desk::request::usage::UsageRequest;
use scrollback_core::desk::{AppError, Desk, ErrorClass, Root, TimeZone, document};
use scrollback_core::format::time::Time;
use scrollback_core::usage::by::By;

const USAGE: &str = "\
usage: front STORE ls [WORD…]        sessions
       front STORE show [SESSION]    a conversation; the newest one if none is named
       front STORE search WORD…      hits
       front STORE usage [BY]        tokens and cost, by day if nothing else is said
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some((store, words)) = words.split_first() else {
        let _ = io::stderr().write_all(USAGE.as_bytes());
        return ExitCode::from(2);
    };
    let done = answer(&desk(Path::new(store)), words, &mut io::stdout().lock());
    if let Err(failure) = &done {
        let _ = writeln!(io::stderr(), "error: {failure}");
    }
    ExitCode::from(done.err().map_or(0, |failure| code(&failure)))
}

/// The desk over one store: what the environment says is looked up here, and nowhere below.
#[allow(clippy::disallowed_methods, reason = "a front reads the clock and the working directory")]
pub fn desk(store: &Path) -> Desk {
    let now = Time(jiff::Timestamp::now().as_millisecond());
    let mut desk = Desk::new(vec![Root::new(store)], now);
    desk.cwd = std::env::current_dir().ok();
    desk.zone = TimeZone::system();
    desk
}

/// Answers one command with one document.
pub fn answer(desk: &Desk, words: &[String], out: &mut impl Write) -> Result<(), WriteFailure> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ls", words @ ..] => ls(desk, words, out),
        ["show"] => show(desk, &ShowRequest::default(), out),
        ["show", session] => {
            show(desk, &ShowRequest { session: (*session).to_owned(), ..ShowRequest::default() }, out)
        }
        ["search", words @ ..] if !words.is_empty() => search(desk, words, out),
        ["usage"] => usage(desk, By::default(), out),
        ["usage", by] => usage(desk, By::find(by).ok_or_else(|| unknown(by))?, out),
        words => Err(unknown(&words.join(" ")).into()),
    }
}

fn ls(desk: &Desk, words: &[&str], out: &mut impl Write) -> Result<(), WriteFailure> {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    let request = LsRequest { words, ..LsRequest::default() };
    Ok(document::write(out, &desk.answer(&request)?)?)
}

fn search(desk: &Desk, words: &[&str], out: &mut impl Write) -> Result<(), WriteFailure> {
    let request = SearchRequest { query: words.join(" "), ..SearchRequest::default() };
    Ok(document::write(out, &desk.answer(&request)?)?)
}

/// A conversation may be long: its turns are written as they are read.
fn show(desk: &Desk, request: &ShowRequest, out: &mut impl Write) -> Result<(), WriteFailure> {
    request.open(desk)?.write_json(out)
}

fn usage(desk: &Desk, by: By, out: &mut impl Write) -> Result<(), WriteFailure> {
    let request = UsageRequest { by, ..UsageRequest::default() };
    Ok(document::write(out, &desk.answer(&request)?)?)
}

fn unknown(word: &str) -> AppError {
    AppError::Unsuitable { why: format!("unknown argument '{word}'\n\n{USAGE}"), hints: Vec::new() }
}

/// The exit code, by the class of what went wrong.
pub fn code(failure: &WriteFailure) -> u8 {
    let WriteFailure::Request(error) = failure else { return 5 };
    match error.code().class() {
        ErrorClass::NothingFound => 1,
        ErrorClass::Usage => 2,
        ErrorClass::Refused => 4,
        ErrorClass::Io => 5,
        ErrorClass::Interrupted => 130,
        _ => 70,
    }
}
