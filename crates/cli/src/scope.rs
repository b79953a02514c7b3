//! Which projects and dates: the flags that the commands about areas share.

use clap::Args;
use jiff::tz::TimeZone;
use scrollback_app::listing::TroubleView;
use scrollback_app::scope::Scope;

use crate::context::Context;
use crate::date;
use crate::failure::{Failure, Kind};
use crate::paint::{Line, Style, fold};

/// Which projects and dates.
#[derive(Debug, Clone, Default, Args)]
pub struct ScopeArgs {
    /// Only projects whose directory contains this; `.` is the current directory.
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
    /// Resolves dates and `.` against the present and the current directory.
    pub fn resolve(&self, context: &Context) -> Result<Scope, Failure> {
        self.resolve_in(context, &context.zone)
    }

    /// The same, with days of another zone.
    pub fn resolve_in(&self, context: &Context, zone: &TimeZone) -> Result<Scope, Failure> {
        let time = |text: &Option<String>| match text {
            Some(text) => date::decode(text, context.now(), zone)
                .map(Some)
                .map_err(|message| Failure::new(Kind::Usage, message)),
            None => Ok(None),
        };
        Ok(Scope {
            project: self.project.clone().map(|part| here(context, part)),
            since: time(&self.since)?,
            until: time(&self.until)?,
        })
    }
}

/// What a part of a directory's name means: `.` is the current one.
pub fn here(context: &Context, part: String) -> String {
    let cwd = context.env.cwd.as_ref().map(|cwd| cwd.display().to_string());
    if part == "." { cwd.unwrap_or(part) } else { part }
}

/// Says what could not be read, below a list.
pub fn troubles(context: &mut Context, troubles: &[TroubleView]) -> Result<(), Failure> {
    const MOST: usize = 10;
    if context.global.quiet || troubles.is_empty() {
        return Ok(());
    }
    context.out.gap()?;
    for trouble in troubles.iter().take(MOST) {
        let path = context.short_path(&trouble.path);
        context.out.line(
            Line::new("! ", Style::Warning)
                .with(path, Style::Path)
                .with(format!(": {}", trouble.what), Style::Warning),
        )?;
    }
    if troubles.len() > MOST {
        let more = fold::count((troubles.len() - MOST) as u64);
        context.out.line(Line::new(format!("! and {more} more: --json tells all"), Style::Warning))?;
    }
    Ok(())
}
