//! What a use of a model costs, part by part, and what of it has no price.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::AddAssign;

use serde::Serialize;

use crate::factor::Factor;
use crate::money::Money;
use crate::rates::{Rate, Rates};
use crate::row::PriceRow;

/// Whether the prices of long requests apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum ContextLength {
    /// The quantities are those of one request: they tell it themselves.
    #[default]
    OneRequest,
    /// A sum over requests that were not long.
    Short,
    /// A sum over requests that were long.
    Long,
}

/// The terms of a request, in the words of a transcript's `usage`. What is ordinary is None.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RequestTerms {
    /// `service_tier`.
    pub tier: Option<String>,
    /// `speed`.
    pub speed: Option<String>,
    /// `inference_geo`.
    pub geo: Option<String>,
}

/// Words that mean nothing out of the ordinary.
const ORDINARY: [&str; 5] = ["", "standard", "global", "default", "not_available"];

impl RequestTerms {
    /// Reads the three words of a `usage`, each of which may be missing or empty.
    pub fn decode(service_tier: Option<&str>, speed: Option<&str>, inference_geo: Option<&str>) -> Self {
        let special = |word: Option<&str>| {
            let word = word?.trim().to_ascii_lowercase();
            (!ORDINARY.contains(&word.as_str())).then_some(word)
        };
        Self { tier: special(service_tier), speed: special(speed), geo: special(inference_geo) }
    }
}

/// What was used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Quantities {
    /// Tokens sent that no cache held.
    pub input: u64,
    /// Tokens answered.
    pub output: u64,
    /// Tokens sent that a cache held.
    pub cache_read: u64,
    /// Tokens written to a cache for five minutes.
    pub cache_write_5m: u64,
    /// Tokens written to a cache for an hour.
    pub cache_write_1h: u64,
    /// Web searches made.
    pub web_searches: u64,
    /// Long or not.
    pub context: ContextLength,
    /// The terms.
    pub terms: RequestTerms,
}

impl Quantities {
    /// All that was sent: what the threshold of long requests is compared with.
    pub fn sent(&self) -> u64 {
        [self.cache_read, self.cache_write_5m, self.cache_write_1h]
            .iter()
            .fold(self.input, |sum, part| sum.saturating_add(*part))
    }
}

/// Something that a bill has no price for. The ordinary prices were taken instead, and nothing for a search.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gap {
    /// This service tier.
    Tier(String),
    /// This speed.
    Speed(String),
    /// This place.
    Geo(String),
    /// Web searches.
    WebSearch,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tier(word) => {
                write!(f, "Service tier {word} has no price; counted at the standard price.")
            }
            Self::Speed(word) => {
                write!(f, "Speed {word} has no price; counted at the standard price.")
            }
            Self::Geo(word) => write!(f, "Region {word} has no price; counted at the standard price."),
            Self::WebSearch => f.write_str("Web searches without a price are not included."),
        }
    }
}

/// What something costs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Bill {
    /// Tokens sent that no cache held.
    pub input: Money,
    /// Tokens answered.
    pub output: Money,
    /// Tokens that a cache held.
    pub cache_read: Money,
    /// Tokens written to a cache for five minutes.
    pub cache_write_5m: Money,
    /// Tokens written to a cache for an hour.
    pub cache_write_1h: Money,
    /// Web searches.
    pub web_search: Money,
    /// What had no price of its own.
    pub gaps: BTreeSet<Gap>,
}

impl Bill {
    /// All of it.
    pub fn total(&self) -> Money {
        let parts = [self.input, self.output, self.cache_read, self.cache_write_5m, self.cache_write_1h];
        parts.into_iter().sum::<Money>() + self.web_search
    }
}

impl AddAssign<&Bill> for Bill {
    fn add_assign(&mut self, other: &Bill) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write_5m += other.cache_write_5m;
        self.cache_write_1h += other.cache_write_1h;
        self.web_search += other.web_search;
        self.gaps.extend(other.gaps.iter().cloned());
    }
}

impl PriceRow {
    /// What the quantities cost, part by part. A long request is billed at the long prices wholly.
    pub fn bill(&self, used: &Quantities) -> Bill {
        let mut gaps = BTreeSet::new();
        let rates = self.rates_of(used, &mut gaps);
        if used.web_searches > 0 && self.web_search.is_none() {
            gaps.insert(Gap::WebSearch);
        }
        let cost = |rate: Rate, tokens: u64| rate.per_token() * tokens;
        Bill {
            input: cost(rates.input, used.input),
            output: cost(rates.output, used.output),
            cache_read: cost(rates.cache_read, used.cache_read),
            cache_write_5m: cost(rates.cache_write_5m, used.cache_write_5m),
            cache_write_1h: cost(rates.cache_write_1h, used.cache_write_1h),
            web_search: self.web_search.unwrap_or_default() * used.web_searches,
            gaps,
        }
    }

    /// What the quantities cost in all.
    pub fn cost(&self, used: &Quantities) -> Money {
        self.bill(used).total()
    }

    /// Would the prices of long requests be taken?
    pub fn is_long(&self, used: &Quantities) -> bool {
        self.long_context.is_some_and(|long| match used.context {
            ContextLength::OneRequest => used.sent() > long.above,
            ContextLength::Short => false,
            ContextLength::Long => true,
        })
    }

    fn rates_of(&self, used: &Quantities, gaps: &mut BTreeSet<Gap>) -> Rates {
        let long = self.long_context.filter(|_| self.is_long(used)).map(|long| long.rates);
        let mut rates = long.unwrap_or(self.rates);
        if let Some(word) = &used.terms.tier {
            let of_tier = self
                .tiers
                .get(word)
                .and_then(|tier| if long.is_some() { tier.long_context } else { Some(tier.rates) });
            match of_tier {
                Some(of_tier) => rates = of_tier,
                None => drop(gaps.insert(Gap::Tier(word.clone()))),
            }
        }
        let speed = used.terms.speed.as_ref().map(|word| (word, Gap::Speed as fn(String) -> Gap));
        let geo = used.terms.geo.as_ref().map(|word| (word, Gap::Geo as fn(String) -> Gap));
        for (word, gap) in speed.into_iter().chain(geo) {
            let factor: Option<&Factor> = self.factors.get(word);
            // `check` has seen that every two surcharges are exact.
            match factor.and_then(|factor| rates.scaled(*factor)) {
                Some(scaled) => rates = scaled,
                None => drop(gaps.insert(gap(word.clone()))),
            }
        }
        rates
    }
}
