//! Which projects and dates: the flags that the commands about areas share.

use clap::Args;
use scrollback_app::request::ScopeRequest;
use scrollback_app::trouble::TroubleView;

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine, fold};

/// Which projects and dates.
#[derive(Debug, Clone, Default, Args)]
pub struct ScopeArgs {
    /// Only projects whose path contains this text; `.` is the current directory.
    #[arg(long, short, value_name = "PART")]
    pub project: Option<String>,
    /// Only at or after this date.
    #[arg(long, value_name = "DATE")]
    pub since: Option<String>,
    /// Only before this date.
    #[arg(long, value_name = "DATE")]
    pub until: Option<String>,
}

impl ScopeArgs {
    /// The same, for a request.
    pub fn request(&self) -> ScopeRequest {
        ScopeRequest { project: self.project.clone(), since: self.since.clone(), until: self.until.clone() }
    }
}

/// Shows what could not be read, below a list.
pub fn troubles(context: &mut Context, troubles: &[TroubleView]) -> Result<(), Failure> {
    const MOST: usize = 10;
    if context.global.quiet || troubles.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    for trouble in troubles.iter().take(MOST) {
        let path = context.short_path(&trouble.path);
        context.out.line(
            StyledLine::new("! ", Style::Warning)
                .with(path, Style::Path)
                .with(format!(": {}", trouble.what), Style::Warning),
        )?;
    }
    if troubles.len() > MOST {
        let more = fold::count((troubles.len() - MOST) as u64);
        context.out.line(StyledLine::new(format!("! and {more} more (--json shows all)"), Style::Warning))?;
    }
    Ok(())
}
