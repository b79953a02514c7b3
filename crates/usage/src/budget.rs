//! Budgets: the maximum to spend in a period, and what was spent.

use jiff::civil::Date;
use scrollback_format::time::Time;
use scrollback_pricing::Money;
use scrollback_session::error::{AppError, Hint, Input, invalid};

use super::cost::{Pricer, Sum};
use super::view::{BudgetView, Span};
use super::{Book, block, by};

/// What a budget may look like.
const EXPECTED: &str = "50/day, 200/week, 500/month or 20/block";

/// The maximum to spend in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    most: Money,
    span: Span,
}

impl Budget {
    /// A budget as it is written: `50/day`, `$200/week`.
    fn find(text: &str) -> Option<Self> {
        let (most, span) = text.split_once('/')?;
        let most = Money::decode(most.trim_start_matches('$')).ok()?;
        let span = Span::ALL.into_iter().find(|known| known.name() == span)?;
        (most >= Money::ZERO).then_some(Self { most, span })
    }

    /// A budget as it is written.
    pub fn decode(text: &str) -> Result<Self, AppError> {
        Self::find(text).ok_or_else(|| invalid(Input::Budget, text, EXPECTED))
    }

    /// How much was spent of it by now.
    pub fn check(&self, book: &Book, pricer: &mut Pricer<'_>, now: Time) -> BudgetView {
        let spent = spent(book, pricer, now, self.span);
        BudgetView { span: self.span, most: self.most, spent, is_over: spent > self.most }
    }
}

/// The budget that is given, else those of the configuration file. If one is required, there has to be one.
pub fn chosen(given: Option<&str>, configured: &[String], required: bool) -> Result<Vec<Budget>, AppError> {
    if let Some(given) = given {
        return Ok(vec![Budget::decode(given)?]);
    }
    if required && configured.is_empty() {
        return Err(AppError::Unsuitable {
            why: "no budget given, and none in the configuration file".to_owned(),
            hints: vec![Hint::say(format!("use {EXPECTED}"))],
        });
    }
    configured.iter().map(|text| Budget::decode(text)).collect()
}

/// What was spent in the period that contains `now`.
fn spent(book: &Book, pricer: &mut Pricer<'_>, now: Time, span: Span) -> Money {
    if span == Span::Block {
        let current = block::blocks(book, pricer, now).into_iter().find(|block| block.is_current);
        return current.map(|block| block.usage.cost.total).unwrap_or_default();
    }
    let Some(today) = now.timestamp().map(|now| now.to_zoned(pricer.zone().clone()).date()) else {
        return Money::ZERO;
    };
    // A period is named by its first day.
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
    fn budgets_are_dollars_and_a_period() {
        let most = |dollars: &str| Money::decode(dollars).unwrap();
        assert_eq!(Budget::find("50/day"), Some(Budget { most: most("50"), span: Span::Day }));
        assert_eq!(Budget::find("$0.5/block"), Some(Budget { most: most("0.5"), span: Span::Block }));
        for wrong in ["", "50", "50/year", "/day", "-1/day", "much/day"] {
            assert_eq!(Budget::find(wrong), None, "{wrong}");
        }
    }
}
