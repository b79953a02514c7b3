//! Costs: sums of entries, kept apart by what their price depends on, and priced once each.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use rustc_hash::FxHashMap;
use scrollback_model::charge::{Grade, Tier};
use scrollback_model::tokens::Tokens;
use scrollback_pricing::{
    Bill, ContextLength, Gap, Money, PriceLookup, PriceRow, Prices, Quantities, RequestTerms,
};

use super::{Book, BookEntry};

/// What the price of an entry depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Class {
    model: u32,
    /// The place of its price in [`Pricer::found`].
    price: u32,
    grade: Grade,
    is_long: bool,
}

/// Messages, tokens and web searches.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    messages: u64,
    tokens: Tokens,
    searches: u64,
}

/// Looks prices up, each once.
#[derive(Debug)]
pub struct Pricer<'p> {
    prices: &'p Prices,
    zone: TimeZone,
    /// What was found, each once, and where what was asked for is in it.
    found: Vec<PriceLookup<'p>>,
    asked: FxHashMap<(u32, Option<i64>), u32>,
    days: FxHashMap<i64, Date>,
    /// Messages follow one another: mostly the answer is that of the last one.
    last_day: Option<(i64, Date)>,
    last_asked: Option<((u32, Option<i64>), u32)>,
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
    classes: FxHashMap<Class, Counts>,
}

/// What a sum costs.
#[derive(Debug, Clone, Default)]
pub struct Priced {
    /// Part by part.
    pub bill: Bill,
    /// Models without a price, and their messages.
    pub unknown: BTreeMap<String, u64>,
    /// Tokens of models with a price.
    pub tokens: Tokens,
    /// Tokens by model, with what they cost.
    pub models: BTreeMap<String, (Tokens, u64, Option<Money>)>,
    /// What had no price of its own.
    pub gaps: BTreeSet<Gap>,
}

/// An hour.
pub(super) const HOUR_MS: i64 = 3_600_000;

impl<'p> Pricer<'p> {
    /// With these prices, days as they are in this zone.
    pub fn new(prices: &'p Prices, zone: TimeZone) -> Self {
        Self {
            prices,
            zone,
            found: Vec::new(),
            asked: FxHashMap::default(),
            days: FxHashMap::default(),
            last_day: None,
            last_asked: None,
        }
    }

    /// The zone.
    pub fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// The day of a moment.
    pub fn day(&mut self, entry: &BookEntry) -> Option<Date> {
        let time = entry.time?;
        // A quarter of an hour is of one day in every zone.
        let quarter = time.0.div_euclid(HOUR_MS / 4);
        if let Some((last, day)) = self.last_day
            && last == quarter
        {
            return Some(day);
        }
        let day = match self.days.get(&quarter) {
            Some(day) => *day,
            None => {
                let day = time.timestamp()?.to_zoned(self.zone.clone()).date();
                self.days.insert(quarter, day);
                day
            }
        };
        self.last_day = Some((quarter, day));
        Some(day)
    }

    /// The hour of the day of a moment.
    pub fn hour(&self, entry: &BookEntry) -> Option<u8> {
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

    /// Where the price of an entry is in what was found. Prices change with the day of UTC, so that what something cost
    /// does not depend on where one looks from.
    fn price_of(&mut self, book: &Book, entry: &BookEntry) -> u32 {
        let asked = (entry.model, entry.time.map(|time| time.0.div_euclid(24 * HOUR_MS)));
        if let Some((last, place)) = self.last_asked
            && last == asked
        {
            return place;
        }
        let place = match self.asked.get(&asked) {
            Some(place) => *place,
            None => {
                let found = self.prices.find(book.name(entry.model), utc_day(entry));
                let known = self.found.iter().position(|known| *known == found);
                let place = known.unwrap_or_else(|| {
                    self.found.push(found);
                    self.found.len() - 1
                });
                self.asked.insert(asked, place as u32);
                place as u32
            }
        };
        self.last_asked = Some((asked, place));
        place
    }

    /// Is a request long enough for other prices?
    pub(super) fn is_long(&mut self, book: &Book, entry: &BookEntry) -> bool {
        let price = self.price_of(book, entry);
        is_long(entry, self.found[price as usize])
    }

    /// Adds an entry to a sum.
    pub fn add(&mut self, sum: &mut Sum, book: &Book, entry: &BookEntry) {
        let price = self.price_of(book, entry);
        let found = self.found[price as usize];
        let is_long = is_long(entry, found);
        // Of what the client made up nothing is missing.
        sum.is_lower_bound |= book.file(entry).is_lower_bound && found != PriceLookup::Free;
        let counts =
            Counts { messages: entry.messages, tokens: entry.tokens, searches: u64::from(entry.searches) };
        sum.add(Class { model: entry.model, price, grade: entry.grade, is_long }, &counts);
    }

    /// Prices a sum.
    pub fn price(&self, sum: &Sum, book: &Book) -> Priced {
        let mut priced = Priced::default();
        for (class, counts) in &sum.classes {
            let name = book.name(class.model);
            let (all, count, cost) = priced.models.entry(name.to_owned()).or_default();
            *all += counts.tokens;
            *count += counts.messages;
            match self.found[class.price as usize] {
                PriceLookup::Row(row) => {
                    let bill = row.bill(&quantities(class, counts));
                    *cost = Some(cost.unwrap_or(Money::ZERO) + bill.total());
                    priced.gaps.extend(bill.gaps.iter().cloned());
                    priced.bill += &bill;
                    priced.tokens += counts.tokens;
                }
                PriceLookup::Free => {
                    *cost = Some(cost.unwrap_or(Money::ZERO));
                    priced.tokens += counts.tokens;
                }
                PriceLookup::Unknown => {
                    *priced.unknown.entry(name.to_owned()).or_default() += counts.messages;
                }
            }
        }
        priced
    }
}

/// The day in UTC; that of the newest prices if there is no time.
fn utc_day(entry: &BookEntry) -> Date {
    let timestamp = entry.time.and_then(|time| time.timestamp());
    timestamp.map_or(Date::MAX, |timestamp| timestamp.to_zoned(TimeZone::UTC).date())
}

/// Is the request of an entry long enough for other prices?
fn is_long(entry: &BookEntry, found: PriceLookup<'_>) -> bool {
    let tokens = &entry.tokens;
    entry.is_long.unwrap_or_else(|| match found {
        PriceLookup::Row(PriceRow { long_context: Some(long), .. }) => tokens.sent() > long.above,
        _ => false,
    })
}

fn quantities(class: &Class, Counts { tokens, searches, .. }: &Counts) -> Quantities {
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
        web_searches: *searches,
        context: if class.is_long { ContextLength::Long } else { ContextLength::Short },
        terms: RequestTerms {
            tier,
            speed: class.grade.is_fast().then(|| "fast".to_owned()),
            geo: class.grade.is_us().then(|| "us".to_owned()),
        },
    }
}

impl Sum {
    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        self.is_lower_bound |= other.is_lower_bound;
        other.classes.iter().for_each(|(class, counts)| self.add(*class, counts));
    }

    fn add(&mut self, class: Class, counts: &Counts) {
        self.messages += counts.messages;
        self.tokens += counts.tokens;
        self.searches += counts.searches;
        let own = self.classes.entry(class).or_default();
        own.messages += counts.messages;
        own.tokens += counts.tokens;
        own.searches += counts.searches;
    }
}
