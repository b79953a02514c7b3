//! Options that every command takes. The doc comments are the help text.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Flags that every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub struct Global {
    /// Store to use instead of CLAUDE_CONFIG_DIR or ~/.claude (can be repeated).
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
    /// Do not use a pager.
    #[arg(long, global = true)]
    pub no_pager: bool,
    /// Do not print progress or notices.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print more details.
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// When stdout is a terminal.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}
