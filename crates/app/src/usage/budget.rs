//! Budgets: how much may be spent in a stretch of time, and how much was.

use jiff::civil::Date;
use scrollback_format::time::Time;
use scrollback_pricing::Money;
use serde::Serialize;

use super::cost::{Pricer, Sum};
use super::{Book, block, by};

/// A stretch of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// A day of the calendar.
    Day,
    /// A week, from its Monday.
    Week,
    /// A month of the calendar.
    Month,
    /// A block of five hours.
    Block,
}

impl Span {
    const ALL: [Self; 4] = [Self::Day, Self::Week, Self::Month, Self::Block];

    /// Its name in output that programs read, and in budgets.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Block => "block",
        }
    }
}

/// How much may be spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    most: Money,
    span: Span,
}

/// How much was spent of a budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BudgetView {
    /// The stretch of time that it is for: `day`, `week`, `month`, `block`.
    pub span: &'static str,
    /// How much may be spent in it, in dollars.
    pub most: Money,
    /// How much was spent in the current one.
    pub spent: Money,
    /// Was more spent?
    pub is_over: bool,
}

impl Budget {
    /// A budget as it is written: `50/day`, `$200/week`. None if it is none.
    pub fn decode(text: &str) -> Option<Self> {
        let (most, span) = text.split_once('/')?;
        let most = Money::decode(most.trim_start_matches('$')).ok()?;
        let span = Span::ALL.into_iter().find(|known| known.name() == span)?;
        (most >= Money::ZERO).then_some(Self { most, span })
    }

    /// How much was spent of it by now.
    pub fn check(&self, book: &Book, pricer: &mut Pricer<'_>, now: Time) -> BudgetView {
        let spent = spent(book, pricer, now, self.span);
        BudgetView { span: self.span.name(), most: self.most, spent, is_over: spent > self.most }
    }
}

/// What was spent in the stretch that `now` is in.
fn spent(book: &Book, pricer: &mut Pricer<'_>, now: Time, span: Span) -> Money {
    if span == Span::Block {
        let current = block::blocks(book, pricer, now).into_iter().find(|block| block.is_current);
        return current.map(|block| block.usage.cost.total).unwrap_or_default();
    }
    let Some(today) = now.timestamp().map(|now| now.to_zoned(pricer.zone().clone()).date()) else {
        return Money::ZERO;
    };
    // A stretch is named by its first day.
    let first = |day: Date| match span {
        Span::Week => by::monday(day),
        Span::Month => day.first_of_month(),
        Span::Day | Span::Block => day,
    };
    let mut sum = Sum::default();
    for entry in book.entries() {
        if pricer.day(&entry).is_some_and(|day| first(day) == first(today)) {
            pricer.add(&mut sum, book, &entry);
        }
    }
    pricer.price(&sum, book).bill.total()
}

#[cfg(test)]
mod tests {
    use super::{Budget, Span};
    use scrollback_pricing::Money;

    #[test]
    fn budgets_are_dollars_and_a_stretch() {
        let most = |dollars: &str| Money::decode(dollars).unwrap();
        assert_eq!(Budget::decode("50/day"), Some(Budget { most: most("50"), span: Span::Day }));
        assert_eq!(Budget::decode("$0.5/block"), Some(Budget { most: most("0.5"), span: Span::Block }));
        for wrong in ["", "50", "50/year", "/day", "-1/day", "much/day"] {
            assert_eq!(Budget::decode(wrong), None, "{wrong}");
        }
    }
}
