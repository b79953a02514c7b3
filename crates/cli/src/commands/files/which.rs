//! Which file: the flags that several subcommands of `files` take.

use clap::Args;
use scrollback_app::request::files::WhichRequest;

use crate::shell;

/// How a path is looked up.
#[derive(Debug, Clone, Default, Args)]
pub struct WhichArgs {
    /// Directory that was renamed: look in NEW for files recorded in OLD (can be repeated).
    #[arg(long, value_name = "OLD=NEW")]
    pub renamed: Vec<String>,
    /// Treat files with the same path relative to their project as one file.
    #[arg(long)]
    pub any_project: bool,
}

impl WhichArgs {
    /// As a request takes it.
    pub fn request(&self) -> WhichRequest {
        WhichRequest { renamed: self.renamed.clone(), any_project: self.any_project }
    }

    /// The same flags, for a command that a user may paste.
    pub fn words(&self) -> String {
        let any = if self.any_project { " --any-project" } else { "" };
        let renamed = self.renamed.iter().map(|renamed| format!(" --renamed {}", shell::word(renamed)));
        format!("{any}{}", renamed.collect::<String>())
    }
}
