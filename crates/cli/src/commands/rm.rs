//! `scrollback rm`: sessions with all that belongs to them, to the trash.

use clap::Args;
use scrollback_app::edit::remove;

use crate::commands::rename::whole;
use crate::context::Context;
use crate::edit::{self, EditArgs};
use crate::failure::Failure;

/// Arguments of `rm`.
#[derive(Debug, Args)]
pub struct RmArgs {
    /// Ids, starts of ids, paths, titles, or `last`.
    #[arg(required = true)]
    pub sessions: Vec<String>,
    /// How to edit.
    #[command(flatten)]
    pub edit: EditArgs,
}

/// Removes sessions.
pub fn run(context: &mut Context, args: &RmArgs) -> Result<(), Failure> {
    args.sessions.iter().try_for_each(|session| whole(session))?;
    let library = match args.sessions.as_slice() {
        [one] => context.library_for(one)?,
        _ => context.library()?,
    };
    let mut all = Vec::new();
    for session in &args.sessions {
        let files = context.resolve(&library, session)?;
        if !all
            .iter()
            .any(|known: &scrollback_app::library::SessionFiles<'_>| known.found.path == files.found.path)
        {
            all.push(files);
        }
    }
    let mut words = edit::words(&["rm"]);
    words.extend(all.iter().map(|files| files.id.as_str().to_owned()));
    let plan = remove::remove(&library, &all, words)?;
    edit::offer(context, &plan, &args.edit)
}
