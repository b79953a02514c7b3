//! The till: prices, the zone that days are of, and what was asked for, as all parts of `usage` need them.

use jiff::tz::TimeZone;
use scrollback_app::catalogue::Index;
use scrollback_app::error::AppError;
use scrollback_app::scope::Scope;
use scrollback_app::usage::cost::Pricer;
use scrollback_app::usage::{Book, Prices};

use super::{OfArgs, ledger};
use crate::config::{self, Config};
use crate::context::Context;
use crate::failure::{Failure, Kind};

/// What sums are made with.
pub struct Till {
    /// The user's config.
    pub config: Config,
    /// The zone that days are of.
    pub zone: TimeZone,
    /// Which projects, and when.
    pub scope: Scope,
    prices: Prices,
}

impl Till {
    /// Looks everything up.
    pub fn open(context: &Context, of: &OfArgs) -> Result<Self, Failure> {
        let config = config::load(&context.env)?;
        let zone = zone(context, of.time_zone.as_ref().or(config.usage.time_zone.as_ref()))?;
        let scope = of.scope.resolve_in(context, &zone)?;
        let prices = prices(&config)?;
        Ok(Self { config, zone, scope, prices })
    }

    /// Somebody who adds up.
    pub fn pricer(&self) -> Pricer<'_> {
        Pricer::new(&self.prices, self.zone.clone())
    }

    /// The book of an index, as far as it is asked for.
    pub fn book(&self, context: &Context, index: &Index, pricer: &mut Pricer<'_>) -> Result<Book, Failure> {
        let mut book = self.whole_book(context, index, pricer)?;
        self.of_projects(&mut book);
        book.between(self.scope.since, self.scope.until);
        Ok(book)
    }

    /// The whole book of an index; with sessions that are gone, if a ledger is kept.
    pub fn whole_book(
        &self,
        context: &Context,
        index: &Index,
        pricer: &mut Pricer<'_>,
    ) -> Result<Book, Failure> {
        let mut book = Book::of(index, None).map_err(AppError::from)?;
        ledger::join(context, &mut book, pricer)?;
        Ok(book)
    }

    /// Leaves out what is of other projects; of sessions that are gone none is known.
    pub fn of_projects(&self, book: &mut Book) {
        if let Some(project) = &self.scope.project {
            let part = project.to_lowercase();
            book.retain(|file, _| {
                let name = file.project.as_deref().unwrap_or(&file.folder);
                !file.is_gone() && name.to_lowercase().contains(&part)
            });
        }
    }
}

fn zone(context: &Context, name: Option<&String>) -> Result<TimeZone, Failure> {
    let Some(name) = name else { return Ok(context.zone.clone()) };
    TimeZone::get(name).map_err(|_| {
        Failure::new(Kind::Usage, format!("'{name}' is no time zone"))
            .hint("a zone is named like Europe/Berlin or UTC")
    })
}

/// The prices that are built in, with those of the user's config over them.
fn prices(config: &Config) -> Result<Prices, Failure> {
    let broken = |error: &dyn std::fmt::Display| {
        Failure::new(Kind::Bug, format!("the price table is broken: {error}"))
    };
    let prices = Prices::built_in().map_err(|error| broken(&error))?;
    prices.with_overrides(&config.prices).map_err(|error| {
        Failure::new(Kind::Usage, error.to_string())
            .hint("docs/usage.md tells how prices are written in config.toml")
    })
}
