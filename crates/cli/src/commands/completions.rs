//! `scrollback completions`: completions for a shell. Those of bash, zsh and fish ask the program at every press of the
//! key (see [`super::complete`]), so that they know sessions and projects and never go out of date; others are fixed lists.

use clap::Args;
use clap_complete::Shell;

use crate::context::Context;
use crate::failure::Failure;

const BASH: &str = include_str!("../../assets/completions/scrollback.bash");
const ZSH: &str = include_str!("../../assets/completions/_scrollback");
const FISH: &str = include_str!("../../assets/completions/scrollback.fish");

/// Arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell.
    pub shell: Shell,
}

/// Prints the script that a shell loads.
pub fn run(context: &mut Context, args: &CompletionsArgs, mut root: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    match args.shell {
        Shell::Bash => script.extend(BASH.bytes()),
        Shell::Zsh => script.extend(ZSH.bytes()),
        Shell::Fish => script.extend(FISH.bytes()),
        other => clap_complete::generate(other, &mut root, "scrollback", &mut script),
    }
    Ok(context.out.bytes(&script)?)
}
