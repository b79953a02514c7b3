//! `scrollback pick`: a fuzzy picker in the terminal.

use std::io::IsTerminal;

use clap::Args;
use scrollback_app::view::SessionView;

use crate::commands::resume;
use crate::commands::show::{self, ShowArgs};
use crate::context::Context;
use crate::failure::{ExitKind, Failure};
use crate::global::Color;
use crate::paint::{StyledLine, Theme};
use crate::pick::screen::Appearance;
use crate::pick::{self, Deed, End, terminal};

/// Arguments of `pick`.
#[derive(Debug, Args)]
pub struct PickArgs {
    /// Initial search: letters of titles, prompts and projects.
    pub words: Vec<String>,
    /// Print the session ID instead of resuming the session (default if stdout is not a terminal).
    #[arg(long)]
    pub print: bool,
}

/// Lets the user pick, and does what was asked for.
pub fn run(context: &mut Context, args: &PickArgs) -> Result<(), Failure> {
    let prints = args.print || context.global.json || !std::io::stdout().is_terminal();
    // Standard output is for what is picked: no remark on which store this is.
    let quiet = std::mem::replace(&mut context.global.quiet, true);
    let desk = context.desk();
    context.global.quiet = quiet;
    desk?;
    let look = Appearance {
        theme: theme(context),
        now: context.now(),
        enter: match (context.global.json, prints) {
            (true, _) => "print as JSON",
            (false, true) => "print id",
            (false, false) => "resume",
        },
    };
    match pick::pick(context, &args.words.join(" "), look)? {
        End::Left => Err(Failure::quiet(ExitKind::NothingFound)),
        End::Interrupted => Err(Failure::quiet(ExitKind::Interrupted)),
        End::Picked(view, deed) => act(context, &view, deed, prints),
    }
}

/// Colours for the terminal itself, wherever standard output goes.
fn theme(context: &Context) -> Theme {
    match context.global.color {
        Color::Always => Theme::colour(),
        Color::Never => Theme::plain(),
        Color::Auto if context.env.no_color => Theme::plain(),
        Color::Auto => Theme::colour(),
    }
}

fn act(context: &mut Context, view: &SessionView, deed: Deed, prints: bool) -> Result<(), Failure> {
    match deed {
        Deed::Accept if context.global.json => Ok(context.out.document(view)?),
        Deed::Accept if prints => print(context, &view.session_id),
        Deed::Accept => resume::start(context, view),
        Deed::Copy => {
            terminal::copy(&view.session_id);
            print(context, &view.session_id)
        }
        Deed::Path => {
            // As it is on disk, whatever its bytes are.
            context.out.bytes(view.path.as_os_str().as_encoded_bytes())?;
            Ok(context.out.gap()?)
        }
        Deed::Show => show::run(context, &shown(context, view)),
    }
}

fn print(context: &mut Context, text: &str) -> Result<(), Failure> {
    Ok(context.out.line(StyledLine::plain(text))?)
}

/// The session by its file, since an id may be in several folders; the sample's files are unpacked anew.
fn shown(context: &Context, view: &SessionView) -> ShowArgs {
    let session =
        if context.is_sample() { view.session_id.clone() } else { view.path.to_string_lossy().into_owned() };
    ShowArgs {
        session,
        turn: None,
        at: None,
        branch: 0,
        thinking: false,
        tools: false,
        agents: false,
        all: false,
        raw: false,
    }
}
