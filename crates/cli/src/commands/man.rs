//! `scrollback man`: the manual page, made from the same words as the help.

use clap::Args;

use crate::context::Context;
use crate::failure::{ExitKind, Failure};

/// Arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Command to print the page of [default: the whole program].
    pub command: Option<String>,
}

/// Prints the page, for `man -l -` or a packager.
pub fn run(context: &mut Context, args: &ManArgs, mut root: clap::Command) -> Result<(), Failure> {
    root.build();
    let command = match &args.command {
        None => root,
        Some(name) => match root.find_subcommand(name) {
            Some(found) => found.clone().name(format!("scrollback-{name}")),
            None => {
                let names = root.get_subcommands().map(|command| command.get_name().to_owned());
                let near = names.max_by(|a, b| strsim::jaro(a, name).total_cmp(&strsim::jaro(b, name)));
                let failure = Failure::new(ExitKind::Usage, format!("unknown command '{name}'"));
                return Err(match near {
                    Some(near) => failure.hint(format!("did you mean {near}?")),
                    None => failure,
                });
            }
        },
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    Ok(context.out.bytes(&page)?)
}
