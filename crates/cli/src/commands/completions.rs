//! `scrollback completions`: completions for a shell.

use clap::Args;
use clap_complete::Shell;

use crate::context::Context;
use crate::failure::Failure;

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell.
    pub shell: Shell,
}

/// Prints the script that a shell loads.
pub fn run(context: &mut Context, args: &CompletionsArgs, mut root: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut root, "scrollback", &mut script);
    Ok(context.out.bytes(&script)?)
}
