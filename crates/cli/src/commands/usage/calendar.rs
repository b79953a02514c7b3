//! The year as a calendar: a column a week, a row a weekday; darker days cost more.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use scrollback_app::usage::view::UsageView;
use scrollback_app::usage::{Money, by};

use super::dollars;
use crate::context::Context;
use crate::failure::Failure;
use crate::paint::{Style, StyledLine};

/// From nothing to much. Told apart by their shape, not by a colour.
const SHADES: [&str; 5] = ["·", "░", "▒", "▓", "█"];
const DAYS: [&str; 7] = ["Mon", "", "Wed", "", "Fri", "", "Sun"];

/// Draws the last weeks that fit; up to today if the dates have no end.
pub fn draw(context: &mut Context, view: &UsageView, up_to_today: bool) -> Result<(), Failure> {
    let days: Vec<(Date, Money)> =
        view.rows.iter().filter_map(|row| Some((row.key.parse().ok()?, row.cost.total))).collect();
    let Some((mut last, _)) = days.last().copied() else {
        return Ok(context.out.line(StyledLine::plain("No usage found."))?);
    };
    let zone = TimeZone::get(&view.time_zone).unwrap_or_else(|_| context.zone.clone());
    let today = context.now().timestamp().map(|now| now.to_zoned(zone).date());
    if up_to_today {
        // Days without usage are part of the picture.
        last = today.unwrap_or(last).max(last);
    }
    let weeks = context.page().width.saturating_sub(5).min(2 * 53) / 2;
    let first = by::monday(last).saturating_sub(jiff::Span::new().weeks(weeks as i64 - 1));
    let mut costs: Vec<Money> = days.iter().filter(|(day, _)| *day >= first).map(|(_, cost)| *cost).collect();
    costs.sort();
    let spent = |day: Date| days.iter().find(|(own, _)| *own == day).map(|(_, cost)| *cost);
    months(context, first, weeks)?;
    for (weekday, name) in DAYS.iter().enumerate() {
        let mut line = StyledLine::new(format!("{name:<4} "), Style::Dim);
        for week in 0..weeks {
            let day = first.saturating_add(jiff::Span::new().days((week * 7 + weekday) as i64));
            let shade = if day > last { " " } else { shade(spent(day), &costs) };
            line = line.with(format!("{shade} "), Style::Number);
        }
        context.out.line(line)?;
    }
    context.out.gap()?;
    let most = costs.last().copied().unwrap_or_default();
    let text = format!(
        "{first} to {last}: {} total, most expensive day {}.  less {} more",
        dollars(costs.iter().copied().sum()),
        dollars(most),
        SHADES.join(" ")
    );
    Ok(context.out.line(StyledLine::new(text, Style::Dim))?)
}

fn months(context: &mut Context, first: Date, weeks: usize) -> Result<(), Failure> {
    let mut text = " ".repeat(5);
    let mut month = 0;
    for week in 0..weeks {
        let day = first.saturating_add(jiff::Span::new().weeks(week as i64));
        let column = 5 + week * 2;
        if day.month() != month && text.chars().count() <= column {
            text.push_str(&" ".repeat(column - text.chars().count()));
            text.push_str(&day.strftime("%b").to_string());
            month = day.month();
        }
    }
    Ok(context.out.line(StyledLine::new(text, Style::Dim))?)
}

/// A shade by the quarter of the days that it is in; the most expensive are in the last.
fn shade(cost: Option<Money>, sorted: &[Money]) -> &'static str {
    let Some(cost) = cost.filter(|cost| *cost > Money::ZERO) else { return SHADES[0] };
    let upto = sorted.partition_point(|other| *other <= cost);
    SHADES[(upto * 4).div_ceil(sorted.len().max(1)).clamp(1, 4)]
}
