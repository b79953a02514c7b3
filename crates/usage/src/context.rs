//! What sums are made with: prices, the time zone of days, which projects and dates, and where the ledger is.

use std::path::PathBuf;

use jiff::tz::TimeZone;
use scrollback_pricing::{Override, Prices};
use scrollback_session::catalogue::Index;
use scrollback_session::error::{AppError, Hint, Input, invalid};
use scrollback_session::scope::Scope;

use crate::cost::Pricer;
use crate::{Book, ledger};

/// What sums are made with.
#[derive(Debug)]
pub struct UsageContext {
    /// The time zone of days.
    pub zone: TimeZone,
    /// Which projects, and when.
    pub scope: Scope,
    /// The directory that a ledger may be in.
    pub ledger: Option<PathBuf>,
    prices: Prices,
}

impl UsageContext {
    /// With the built-in prices, and the user's own over them.
    pub fn new(
        overrides: &[Override],
        zone: TimeZone,
        scope: Scope,
        ledger: Option<PathBuf>,
    ) -> Result<Self, AppError> {
        let built_in =
            Prices::built_in().map_err(|error| AppError::Bug(format!("invalid price table: {error}")))?;
        let prices = built_in.with_overrides(overrides).map_err(|error| AppError::Unsuitable {
            why: error.to_string(),
            hints: vec![Hint::say("docs/usage.md describes prices in config.toml")],
        })?;
        Ok(Self { zone, scope, ledger, prices })
    }

    /// A new [`Pricer`].
    pub fn pricer(&self) -> Pricer<'_> {
        Pricer::new(&self.prices, self.zone.clone())
    }

    /// The book of an index: all of it, with deleted sessions if a ledger is kept. A ledger that cannot be used is
    /// reported to `failed`: sums without it are better than none.
    pub fn whole_book(
        &self,
        index: &Index,
        pricer: &mut Pricer<'_>,
        failed: impl FnOnce(&AppError),
    ) -> Result<Book, AppError> {
        let mut book = Book::of(index, None)?;
        if let Some(dir) = &self.ledger
            && let Err(error) = ledger::join(dir, &mut book, pricer)
        {
            failed(&error);
        }
        Ok(book)
    }

    /// Leaves out other projects. The projects of deleted sessions are unknown.
    pub fn retain_projects(&self, book: &mut Book) {
        if let Some(project) = &self.scope.project {
            let part = project.to_lowercase();
            book.retain(|file, _| {
                let name = file.project.as_deref().unwrap_or(&file.folder);
                !file.is_gone() && name.to_lowercase().contains(&part)
            });
        }
    }

    /// Leaves out other times.
    pub fn retain_times(&self, book: &mut Book) {
        book.between(self.scope.since, self.scope.until);
    }
}

/// The time zone of this name; the default if there is no name.
pub fn zone(name: Option<&str>, default: &TimeZone) -> Result<TimeZone, AppError> {
    let Some(name) = name else { return Ok(default.clone()) };
    TimeZone::get(name).map_err(|_| invalid(Input::TimeZone, name, "a name such as Europe/Berlin or UTC"))
}

#[cfg(test)]
mod tests {
    use jiff::tz::TimeZone;

    use super::zone;

    #[test]
    fn an_unknown_time_zone_is_invalid_and_none_is_the_default() {
        assert_eq!(zone(None, &TimeZone::UTC).unwrap(), TimeZone::UTC);
        assert_eq!(
            zone(Some("Mars/Base"), &TimeZone::UTC).unwrap_err().to_string(),
            "invalid time zone 'Mars/Base'"
        );
    }
}
