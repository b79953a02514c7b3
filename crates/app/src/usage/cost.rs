//! Costs: sums of entries, kept apart by what their price depends on, and priced once each.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use rustc_hash::FxHashMap;
use scrollback_model::charge::{Grade, Tier};
use scrollback_model::tokens::Tokens;
use scrollback_pricing::{Bill, Context, Found, Gap, Money, Prices, Quantities, Terms};

use super::{Book, Entry};

/// What the price of an entry depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Class {
    model: u32,
    day: Option<Date>,
    grade: Grade,
    is_long: bool,
}

/// Looks prices up, each once.
#[derive(Debug)]
pub struct Pricer<'p> {
    prices: &'p Prices,
    zone: TimeZone,
    rows: FxHashMap<(u32, Option<Date>), (Option<u64>, bool)>,
    days: FxHashMap<i64, Date>,
}

/// A sum of entries.
#[derive(Debug, Clone, Default)]
pub struct Sum {
    /// Messages.
    pub messages: u64,
    /// Tokens.
    pub tokens: Tokens,
    /// Web searches.
    pub searches: u64,
    /// Do counts of output stand in it that are only lower bounds?
    pub is_lower_bound: bool,
    classes: BTreeMap<Class, (u64, Tokens, u64)>,
}

/// What a sum costs.
#[derive(Debug, Clone, Default)]
pub struct Priced {
    /// Part by part.
    pub bill: Bill,
    /// Models without a price, and their messages.
    pub unknown: BTreeMap<String, u64>,
    /// Tokens by model, with what they cost.
    pub models: BTreeMap<String, (Tokens, u64, Option<Money>)>,
    /// What had no price of its own.
    pub gaps: BTreeSet<Gap>,
}

const HOUR_MS: i64 = 3_600_000;

impl<'p> Pricer<'p> {
    /// With these prices, days as they are in this zone.
    pub fn new(prices: &'p Prices, zone: TimeZone) -> Self {
        Self { prices, zone, rows: FxHashMap::default(), days: FxHashMap::default() }
    }

    /// The zone.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The day of a moment.
    pub fn day(&mut self, entry: &Entry) -> Option<Date> {
        let time = entry.time?;
        // A quarter of an hour is of one day in every zone.
        let quarter = time.0.div_euclid(HOUR_MS / 4);
        if let Some(day) = self.days.get(&quarter) {
            return Some(*day);
        }
        let day = time.timestamp()?.to_zoned(self.zone.clone()).date();
        self.days.insert(quarter, day);
        Some(day)
    }

    /// The hour of the day of a moment.
    pub fn hour(&self, entry: &Entry) -> Option<u8> {
        let zoned = entry.time?.timestamp()?.to_zoned(self.zone.clone());
        u8::try_from(zoned.hour()).ok()
    }

    /// Where the prices come from, in words.
    pub fn source(&self) -> String {
        let head = self.prices.head();
        let latest = head.releases.last();
        match latest {
            Some(release) => format!("{} {}", head.package, release.version),
            None => head.package.clone(),
        }
    }

    /// Is a request long enough for other prices?
    pub(super) fn is_long(&mut self, book: &Book, entry: &Entry, day: Option<Date>) -> bool {
        if let Some(known) = entry.is_long {
            return known;
        }
        let prices = self.prices;
        let (above, _) = *self.rows.entry((entry.model, day)).or_insert_with(|| {
            let row = prices.lookup(book.name(entry.model), day.unwrap_or(Date::MAX));
            (row.and_then(|row| row.long_context).map(|long| long.above), row.is_some())
        });
        let tokens = &entry.tokens;
        above.is_some_and(|above| tokens.input + tokens.cache_read + tokens.cache_write > above)
    }

    /// Adds an entry to a sum.
    pub fn add(&mut self, sum: &mut Sum, book: &Book, entry: &Entry) {
        let day = self.day(entry);
        let is_long = self.is_long(book, entry, day);
        sum.messages += entry.messages;
        sum.tokens += entry.tokens;
        sum.searches += u64::from(entry.searches);
        sum.is_lower_bound |= book.file(entry).is_lower_bound;
        let class = Class { model: entry.model, day, grade: entry.grade, is_long };
        let (messages, tokens, searches) = sum.classes.entry(class).or_default();
        *messages += entry.messages;
        *tokens += entry.tokens;
        *searches += u64::from(entry.searches);
    }

    /// What one entry costs; none if its model has no price.
    pub fn one(&mut self, book: &Book, entry: &Entry) -> Option<Money> {
        let mut sum = Sum::default();
        self.add(&mut sum, book, entry);
        let priced = self.price(&sum, book);
        priced.unknown.is_empty().then(|| priced.bill.total())
    }

    /// Prices a sum.
    pub fn price(&self, sum: &Sum, book: &Book) -> Priced {
        let mut priced = Priced::default();
        for (class, (messages, tokens, searches)) in &sum.classes {
            let name = if class.model == u32::MAX { "?" } else { book.name(class.model) };
            let (all, count, cost) = priced.models.entry(name.to_owned()).or_default();
            *all += *tokens;
            *count += messages;
            match self.prices.find(name, class.day.unwrap_or(Date::MAX)) {
                Found::Row(row) => {
                    let bill = row.bill(&quantities(class, tokens, *searches));
                    *cost = Some(cost.unwrap_or(Money::ZERO) + bill.total());
                    priced.gaps.extend(bill.gaps.iter().cloned());
                    priced.bill += &bill;
                }
                Found::Free => *cost = Some(cost.unwrap_or(Money::ZERO)),
                Found::Unknown => *priced.unknown.entry(name.to_owned()).or_default() += messages,
            }
        }
        priced
    }
}

fn quantities(class: &Class, tokens: &Tokens, searches: u64) -> Quantities {
    let tier = match class.grade.tier() {
        Tier::Standard => None,
        tier => Some(tier.name().to_owned()),
    };
    Quantities {
        input: tokens.input,
        output: tokens.output,
        cache_read: tokens.cache_read,
        // What is beyond the two kinds that are told apart is taken as five minutes'.
        cache_write_5m: tokens.cache_write.saturating_sub(tokens.cache_write_1h),
        cache_write_1h: tokens.cache_write_1h,
        web_searches: searches,
        context: if class.is_long { Context::Long } else { Context::Short },
        terms: Terms {
            tier,
            speed: class.grade.is_fast().then(|| "fast".to_owned()),
            geo: class.grade.is_us().then(|| "us".to_owned()),
        },
    }
}

impl Sum {
    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        self.messages += other.messages;
        self.tokens += other.tokens;
        self.searches += other.searches;
        self.is_lower_bound |= other.is_lower_bound;
        for (class, (messages, tokens, searches)) in &other.classes {
            let own = self.classes.entry(*class).or_default();
            own.0 += messages;
            own.1 += *tokens;
            own.2 += searches;
        }
    }
}
