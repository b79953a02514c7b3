//! `scrollback resume`: resumes a session in the client, or shows beforehand what the client would send.

use clap::Args;
use scrollback_app::request::resume::{ExplainRequest, ResumeRequest};
use scrollback_app::view::SessionView;

use crate::client;
use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::page::resumed;
use crate::paint::StyledLine;

/// Arguments of `resume`.
#[derive(Debug, Args)]
pub struct ResumeArgs {
    /// Session ID or prefix, title, path, or `last`.
    #[arg(default_value = "last")]
    pub session: String,
    /// Show what the client would send, and why, without starting it.
    #[arg(long)]
    pub explain: bool,
    /// Client version to explain; give two to compare them [default: the newest known version].
    #[arg(long, value_name = "VERSION", requires = "explain")]
    pub client: Vec<String>,
    /// Model to resume with; thinking from other models is not sent again.
    #[arg(long, value_name = "MODEL", requires = "explain")]
    pub model: Option<String>,
    /// New prompt.
    #[arg(long, value_name = "TEXT", requires = "explain")]
    pub prompt: Option<String>,
    /// Print the command that starts the client, without starting it.
    #[arg(long, conflicts_with = "explain")]
    pub print: bool,
}

/// Texts are cut to this many characters where people read them.
const MAX_CHARS: usize = 400;

/// Resumes a session, or explains what that would do.
pub fn run(context: &mut Context, args: &ResumeArgs) -> Result<(), Failure> {
    if args.explain {
        return explain(context, args);
    }
    if context.global.json && !args.print {
        return Err(Failure::new(ExitKind::Usage, "--json needs --explain or --print")
            .hint("--explain --json prints what the client would send")
            .hint("--print --json prints the command that starts the client"));
    }
    let command = context.desk()?.answer(&ResumeRequest { session: args.session.clone() })?;
    match (args.print, context.global.json) {
        (true, true) => Ok(context.out.document(&command)?),
        (true, false) => Ok(context.out.line(StyledLine::plain(command.line))?),
        _ => client::start(&command, &context.env),
    }
}

/// Starts the client on a session in place of this program.
pub fn start(context: &mut Context, view: &SessionView) -> Result<(), Failure> {
    client::start(&context.desk()?.resume_command(view), &context.env)
}

fn explain(context: &mut Context, args: &ResumeArgs) -> Result<(), Failure> {
    let request = ExplainRequest {
        session: args.session.clone(),
        clients: args.client.clone(),
        model: args.model.clone(),
        prompt: args.prompt.clone(),
        max_chars: (!context.global.json).then_some(MAX_CHARS),
    };
    let explained = context.desk()?.answer(&request)?;
    if context.global.json {
        return Ok(context.out.document(&explained)?);
    }
    context.start_pager();
    let session = &explained.session_id;
    match (explained.clients.as_slice(), &explained.differences) {
        ([first, second], Some(differences)) => {
            resumed::compared(context, session, [first, second], differences)
        }
        (clients, _) => clients.iter().try_for_each(|view| resumed::alone(context, session, view)),
    }
}
