//! Budgets: those that are asked for, and what is said of them.

use scrollback_app::usage::budget::{Budget, BudgetView};

use super::dollars;
use crate::config::Config;
use crate::failure::{Failure, Kind};

/// The budgets to look at: that of the command line, else those of the config.
pub fn asked(given: Option<&Option<String>>, config: &Config) -> Result<Vec<Budget>, Failure> {
    let texts = match given {
        Some(Some(text)) => std::slice::from_ref(text),
        _ => config.usage.budgets.as_slice(),
    };
    if given.is_some() && texts.is_empty() {
        return Err(Failure::new(Kind::Usage, "no budget is given, and the config has none")
            .hint("a budget is written as 50/day, 200/week, 500/month or 20/block"));
    }
    let decode = |text: &String| {
        Budget::decode(text).ok_or_else(|| {
            Failure::new(Kind::Usage, format!("'{text}' is no budget"))
                .hint("a budget is written as 50/day, 200/week, 500/month or 20/block")
        })
    };
    texts.iter().map(decode).collect()
}

/// A budget in words.
pub fn words(budget: &BudgetView) -> String {
    let (most, spent) = (budget.most.pico(), budget.spent.pico());
    let share = if most > 0 { format!(" ({} %)", spent.saturating_mul(100) / most) } else { String::new() };
    let over = if budget.is_over { ": over budget" } else { "" };
    format!("This {}: {} of {}{share}{over}.", budget.span, dollars(budget.spent), dollars(budget.most))
}

/// Fails if any of them is exceeded.
pub fn judge(budgets: &[BudgetView]) -> Result<(), Failure> {
    match budgets.iter().find(|budget| budget.is_over) {
        None => Ok(()),
        Some(budget) => {
            let words = format!(
                "{} were spent this {}, and {} are the budget",
                dollars(budget.spent),
                budget.span,
                dollars(budget.most)
            );
            Err(Failure::new(Kind::OverBudget, words))
        }
    }
}
