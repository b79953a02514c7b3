//! Options that every command takes. The doc comments are the help text.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Flags that every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Read this store, instead of CLAUDE_CONFIG_DIR or ~/.claude (repeatable).
    #[arg(long, value_name = "DIR", global = true)]
    pub root: Vec<PathBuf>,
    /// Read the built-in sample store.
    #[arg(long, global = true, conflicts_with = "root")]
    pub sample: bool,
    /// Print JSON.
    #[arg(long, global = true)]
    pub json: bool,
    /// When to use colour: auto, always or never.
    #[arg(long, value_name = "WHEN", global = true, default_value = "auto", hide_possible_values = true)]
    pub color: Color,
    /// Do not send long output through a pager.
    #[arg(long, global = true)]
    pub no_pager: bool,
    /// Say less: no progress, no remarks.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Say more.
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal that wants it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
