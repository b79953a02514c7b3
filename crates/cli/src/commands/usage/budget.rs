//! Budgets in words.

use scrollback_app::usage::view::BudgetView;

use super::dollars;
use crate::failure::{ExitKind, Failure};

/// A budget in words.
pub fn words(budget: &BudgetView) -> String {
    let (most, spent) = (budget.most.pico(), budget.spent.pico());
    let share = if most > 0 { format!(" ({} %)", spent.saturating_mul(100) / most) } else { String::new() };
    let over = if budget.is_over { ": over budget" } else { "" };
    format!(
        "This {}: {} of {}{share}{over}.",
        budget.span.name(),
        dollars(budget.spent),
        dollars(budget.most)
    )
}

/// Fails if any of them is exceeded.
pub fn judge(budgets: &[BudgetView]) -> Result<(), Failure> {
    match budgets.iter().find(|budget| budget.is_over) {
        None => Ok(()),
        Some(budget) => {
            let words = format!(
                "over budget: {} spent this {}, budget {}",
                dollars(budget.spent),
                budget.span.name(),
                dollars(budget.most)
            );
            Err(Failure::new(ExitKind::OverBudget, words))
        }
    }
}
