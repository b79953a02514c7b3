//! Costs: sums of entries, kept apart by what their price depends on, and priced once each.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use jiff::tz::TimeZone;
use rustc_hash::FxHashMap;
use scrollback_model::charge::{Grade, Tier};
use scrollback_model::tokens::Tokens;
use scrollback_pricing::{Bill, Context, Found, Gap, Money, PriceRow, Prices, Quantities, Terms};

use super::{Book, Entry};

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
    found: Vec<Found<'p>>,
    asked: FxHashMap<(u32, Option<Date>), u32>,
    days: FxHashMap<i64, Date>,
    /// Messages follow one another: mostly the answer is that of the last one.
    last_day: Option<(i64, Date)>,
    last_asked: Option<((u32, Option<Date>), u32)>,
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
    /// Tokens by model, with what they cost.
    pub models: BTreeMap<String, (Tokens, u64, Option<Money>)>,
    /// What had no price of its own.
    pub gaps: BTreeSet<Gap>,
}

const HOUR_MS: i64 = 3_600_000;

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
    pub fn day(&mut self, entry: &Entry) -> Option<Date> {
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

    /// Where the price of a model on a day is in what was found.
    fn price_of(&mut self, book: &Book, model: u32, day: Option<Date>) -> u32 {
        let asked = (model, day);
        if let Some((last, place)) = self.last_asked
            && last == asked
        {
            return place;
        }
        let place = match self.asked.get(&asked) {
            Some(place) => *place,
            None => {
                let found = self.prices.find(model_name(book, model), day.unwrap_or(Date::MAX));
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
    pub(super) fn is_long(&mut self, book: &Book, entry: &Entry, day: Option<Date>) -> bool {
        let price = self.price_of(book, entry.model, day);
        is_long(entry, self.found[price as usize])
    }

    /// Adds an entry to a sum.
    pub fn add(&mut self, sum: &mut Sum, book: &Book, entry: &Entry) {
        let day = self.day(entry);
        let price = self.price_of(book, entry.model, day);
        let is_long = is_long(entry, self.found[price as usize]);
        sum.is_lower_bound |= book.file(entry).is_lower_bound;
        let counts =
            Counts { messages: entry.messages, tokens: entry.tokens, searches: u64::from(entry.searches) };
        sum.add(Class { model: entry.model, price, grade: entry.grade, is_long }, &counts);
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
        for (class, counts) in &sum.classes {
            let name = model_name(book, class.model);
            let (all, count, cost) = priced.models.entry(name.to_owned()).or_default();
            *all += counts.tokens;
            *count += counts.messages;
            match self.found[class.price as usize] {
                Found::Row(row) => {
                    let bill = row.bill(&quantities(class, counts));
                    *cost = Some(cost.unwrap_or(Money::ZERO) + bill.total());
                    priced.gaps.extend(bill.gaps.iter().cloned());
                    priced.bill += &bill;
                }
                Found::Free => *cost = Some(cost.unwrap_or(Money::ZERO)),
                Found::Unknown => *priced.unknown.entry(name.to_owned()).or_default() += counts.messages,
            }
        }
        priced
    }
}

fn model_name(book: &Book, model: u32) -> &str {
    if model == u32::MAX { "?" } else { book.name(model) }
}

/// Is the request of an entry long enough for other prices?
fn is_long(entry: &Entry, found: Found<'_>) -> bool {
    let tokens = &entry.tokens;
    entry.is_long.unwrap_or_else(|| match found {
        Found::Row(PriceRow { long_context: Some(long), .. }) => {
            tokens.input + tokens.cache_read + tokens.cache_write > long.above
        }
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
