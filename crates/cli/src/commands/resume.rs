//! `scrollback resume`: goes on with a session in the client, or tells beforehand what the client would send.

use std::path::{Path, PathBuf};

use clap::Args;
use scrollback_app::agents::Agents;
use scrollback_app::library::{Library, SessionFiles};
use scrollback_app::resolve::SessionArg;
use scrollback_app::resume::compare::{Differences, compare};
use scrollback_app::resume::view::ResumeView;
use scrollback_app::resume::{self, Options};
use scrollback_app::view::SessionView;
use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use serde::Serialize;

use crate::client::Resume;
use crate::context::Context;
use crate::failure::{Failure, Kind};
use crate::page::resumed;
use crate::paint::Line;

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// An id, the start of one, a path, a title, or `last`.
    #[arg(default_value = "last")]
    pub session: String,
    /// Tell what the client would send, and why; start nothing.
    #[arg(long)]
    pub explain: bool,
    /// The client version to explain (two: compare them); the newest known one if none is given.
    #[arg(long, value_name = "VERSION", requires = "explain")]
    pub client: Vec<String>,
    /// The model that goes on, since thinking of another one is not sent again.
    #[arg(long, value_name = "MODEL", requires = "explain")]
    pub model: Option<String>,
    /// The new prompt.
    #[arg(long, value_name = "TEXT", requires = "explain")]
    pub prompt: Option<String>,
    /// Print the command that starts the client; start nothing.
    #[arg(long, conflicts_with = "explain")]
    pub print: bool,
}

/// What one or two clients would send.
#[derive(Serialize)]
struct Explained {
    /// The session; the name of the file where it was named by its path.
    session_id: String,
    /// One a client, in the order asked for.
    clients: Vec<ResumeView>,
    /// What two clients differ in.
    differences: Option<Differences>,
}

/// Texts are cut to this many characters where people read them.
const HEAD: usize = 400;

/// Goes on with a session, or explains what that would do.
pub fn run(context: &mut Context, args: &ResumeArgs) -> Result<(), Failure> {
    let named = SessionArg::parse(&args.session);
    if named.agent.is_some() {
        return Err(Failure::new(Kind::Usage, "the client resumes whole sessions, not one agent")
            .hint(format!("`{} show {}` shows its conversation", context.program(), args.session)));
    }
    if args.explain {
        return explain(context, args, &named.session);
    }
    if context.global.json {
        return Err(Failure::new(Kind::Usage, "--json is for what is told, and resuming tells nothing")
            .hint("--explain --json tells what the client would send"));
    }
    let library = context.session(&named.session)?;
    let files = context.resolve(&library, &named.session)?;
    let view = view(&library, &files)?;
    if args.print {
        let line = Resume::of(&view, &context.env).command_line();
        return Ok(context.out.line(Line::plain(line))?);
    }
    start(context, &view)
}

fn view(library: &Library, files: &SessionFiles<'_>) -> Result<SessionView, Failure> {
    let loaded = library.load(files, Generation::NEWEST)?;
    let agents = Agents::of(library, files, &loaded);
    Ok(SessionView::of(library.place(files), &loaded.facts, agents.views.len() as u64))
}

/// Starts the client in place of this program.
pub fn start(context: &Context, view: &SessionView) -> Result<(), Failure> {
    if context.is_sample() {
        let id: String = view.session_id.chars().take(8).collect();
        return Err(Failure::new(
            Kind::Refused,
            "a session of the sample cannot be resumed: it is gone by then",
        )
        .hint(format!("{} show {id}", context.program())));
    }
    Resume::of(view, &context.env).start(&context.env)
}

fn explain(context: &mut Context, args: &ResumeArgs, session: &str) -> Result<(), Failure> {
    let generations = generations(&args.client)?;
    let (session_id, path) = find(context, session)?;
    let mut options = Options { model: args.model.clone(), ..Options::default() };
    if let Some(prompt) = &args.prompt {
        options.prompt.clone_from(prompt);
    }
    if !context.global.json {
        options.head = Some(HEAD);
    }
    let mut clients = Vec::new();
    for generation in generations {
        clients.push(resume::of_file(&path, &Options { generation, ..options.clone() })?);
    }
    let differences = match clients.as_slice() {
        [first, second] => Some(compare(first, second)),
        _ => None,
    };
    if context.global.json {
        return Ok(context.out.json(&Explained { session_id, clients, differences })?);
    }
    context.start_pager();
    match (clients.as_slice(), &differences) {
        ([first, second], Some(differences)) => {
            resumed::compared(context, &session_id, [first, second], differences)
        }
        (clients, _) => clients.iter().try_for_each(|view| resumed::alone(context, &session_id, view)),
    }
}

/// The file to explain: one that is named by its path, whatever it is called, or a session of the store.
fn find(context: &mut Context, session: &str) -> Result<(String, PathBuf), Failure> {
    let path = Path::new(session);
    if path.is_file() {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        return Ok((stem, path.to_owned()));
    }
    let library = context.session(session)?;
    let files = context.resolve(&library, session)?;
    Ok((files.id.to_string(), files.found.path.clone()))
}

fn generations(clients: &[String]) -> Result<Vec<Generation>, Failure> {
    if clients.len() > 2 {
        return Err(Failure::new(Kind::Usage, "two clients can be compared, not more")
            .hint("give --client once or twice"));
    }
    let generation = |text: &String| {
        let version = ClientVersion::decode(text.strip_prefix('v').unwrap_or(text)).ok_or_else(|| {
            Failure::new(Kind::Usage, format!("'{text}' is no client version"))
                .hint("a version is three numbers, such as 2.1.200")
        })?;
        Ok(Generation::of(version))
    };
    match clients {
        [] => Ok(vec![Generation::NEWEST]),
        clients => clients.iter().map(generation).collect(),
    }
}
