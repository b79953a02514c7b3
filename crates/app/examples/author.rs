//! Writes a session as a client does: `author STORE DATA VERSION DIRECTORY [SESSION]`.
//!
//! Begins one in a directory, or goes on with one, in the layout of a client version, and prints what a client then loads. The lab
//! lets real clients resume what it leaves (`tools/lab`).

#![allow(clippy::print_stdout, reason = "a program, and what it says is its result")]

use std::error::Error;
use std::path::Path;

use scrollback_app::Root;
use scrollback_app::author::Author;
use scrollback_app::author::compose::source::Counter;
use scrollback_app::author::compose::tool::{self, shell};
use scrollback_app::author::compose::{Answer, AnswerBlock, AnswerEnd, Moment, Settings, Usage};
use scrollback_app::edit::{self, LiveCheck};
use scrollback_app::library::Library;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_format::version::ClientVersion;

/// Later than all that was recorded, and before the client goes on.
const NOW: i64 = 1_794_900_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [store, data, version, directory, session @ ..] = words.as_slice() else {
        return Err("author STORE DATA VERSION DIRECTORY [SESSION]".into());
    };
    let generation = Generation::of(ClientVersion::decode(version).ok_or("no version")?);
    let (root, source) = (Root::new(Path::new(store)), Counter::starting(Moment::from_millis(NOW)));
    let library = Library::open(vec![root.clone()])?;
    let author = match session.first() {
        Some(id) => {
            let files = library.sessions().find(|files| files.id.as_str() == id).ok_or("no such session")?;
            Author::resume(&library, &files, Some(generation), source)?
        }
        None => {
            let mut settings = Settings::new(generation, directory);
            settings.version.clone_from(version);
            Author::begin(&root, settings, source)?
        }
    };
    let plan = talk(author, generation)?.plan()?;
    edit::apply(&plan, Path::new(data), &LiveCheck::at(Time(NOW + 60_000)))?;
    println!("{}", serde_json::json!({ "preview": { "after": plan.after() } }));
    Ok(())
}

/// Two turns: one with a call and its result, one of words.
fn talk(mut author: Author<Counter>, generation: Generation) -> Result<Author<Counter>, Box<dyn Error>> {
    author.prompt("Which tide is the highest?")?;
    let blocks = vec![AnswerBlock::Text("I look."), shell::bash("cat tides.txt", "Read the tides")];
    let answer = Answer { blocks, usage: Usage::default(), stop: AnswerEnd::ToolUse };
    let call = author.session.answer(&answer).calls.remove(0);
    author.session.result(&call, &shell::bash_result(generation, "neap 2\nspring 7", ""));
    author.session.reply("The spring tide.", Usage::default());
    author.prompt("And the lowest?")?;
    let blocks = vec![tool::read("/home/dev/work/tides.txt")];
    let answer = Answer { blocks, usage: Usage::default(), stop: AnswerEnd::ToolUse };
    let call = author.session.answer(&answer).calls.remove(0);
    author.session.failure(&call, "File does not exist.");
    author.session.reply("I cannot tell.", Usage::default());
    author.title("Tides")?;
    Ok(author)
}
