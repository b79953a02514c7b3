//! What the client itself recorded (`cost-state`, 2.1.280 on), beside what we calculate.
//!
//! A process writes its total again and again; the last line of each counts. A resume begins a new count.

use std::collections::BTreeMap;

use scrollback_format::json::{Tape, Value};
use scrollback_format::kind::{Kind, NoteKind};
use scrollback_pricing::Money;
use serde::{Deserialize, Serialize};

use super::Book;
use super::cost::{Pricer, Sum};
use scrollback_session::library::Library;
use scrollback_session::line_scan::{scan_lines, transcripts};

/// Why a recorded total is not the calculated one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Difference {
    /// They agree to the cent.
    Same,
    /// The client made requests that it did not write to the session: titles, side requests.
    MoreRecorded,
    /// Lines of processes that recorded nothing, or of copies.
    MoreOnLines,
    /// The same tokens at other prices.
    Prices,
    /// The same process had another session before, and its total continues.
    CarriedOver,
}

/// A session on both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RecordedRow {
    /// The session.
    pub session_id: String,
    /// Number of processes that recorded a total in it.
    pub processes: u64,
    /// What they recorded, in dollars.
    pub recorded: Money,
    /// What we calculate for the session and its agents.
    pub calculated: Money,
    /// Output tokens that the client recorded.
    pub recorded_output: u64,
    /// Output tokens on the lines.
    pub calculated_output: u64,
    /// Whether they agree, and if not, why.
    pub why: Difference,
}

/// Both sides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RecordedView {
    /// Sessions that have a record.
    pub sessions: Vec<RecordedRow>,
    /// Sessions whose totals agree to the cent.
    pub agree: u64,
    /// The total recorded, counting a process that continued through several sessions once.
    pub recorded: Money,
    /// What we calculate for the same sessions.
    pub calculated: Money,
}

/// The last total of each process, by its start: dollars and output tokens.
type Totals = BTreeMap<u64, (Money, u64)>;

/// Reads what the client recorded and sets it beside what a book comes to.
pub fn recorded(library: &Library, book: &Book, pricer: &mut Pricer<'_>) -> RecordedView {
    let transcripts = transcripts(library);
    let found = scan_lines(&transcripts, &["\"cost-state\""], |totals: &mut Totals, _, found| {
        let mut tape = Tape::new();
        let total = found.entry(&mut tape, |entry| {
            let object = entry.object;
            if entry.kind != Kind::Note(NoteKind::CostState) {
                return None;
            }
            let start = object.get("startTime").and_then(Value::u64).unwrap_or(0);
            // The digits as they stand there: a float would lose some.
            let cost = std::str::from_utf8(object.get("totalCostUSD")?.raw()).ok()?;
            let models = object.get("modelUsage").into_iter().flat_map(Value::fields);
            let output =
                models.filter_map(|(_, model)| model.get("outputTokens")?.u64()).fold(0, u64::saturating_add);
            Some((start, (exact(cost), output)))
        });
        totals.extend(total.flatten());
    });
    let mut sums: BTreeMap<&str, Sum> = BTreeMap::new();
    for entry in book.entries() {
        pricer.add(sums.entry(&book.file(&entry).session_id).or_default(), book, &entry);
    }
    let processes = processes(&found);
    let mut view =
        RecordedView { sessions: Vec::new(), agree: 0, recorded: Money::ZERO, calculated: Money::ZERO };
    for (transcript, totals) in transcripts.iter().zip(found) {
        let Some(session) = transcript.session.filter(|_| transcript.agent.is_none() && !totals.is_empty())
        else {
            continue;
        };
        let recorded = totals.values().map(|(cost, _)| *cost).sum::<Money>();
        let recorded_output = totals.values().fold(0, |sum: u64, (_, output)| sum.saturating_add(*output));
        // Another session had less of the same process: what it had is in this total too.
        let is_carried = totals
            .iter()
            .any(|(start, (cost, _))| processes.get(start).is_some_and(|(smallest, _)| smallest < cost));
        let sum = sums.get(session).cloned().unwrap_or_default();
        let calculated = pricer.price(&sum, book).bill.total();
        let row = RecordedRow {
            session_id: session.to_owned(),
            processes: totals.len() as u64,
            recorded,
            calculated,
            recorded_output,
            calculated_output: sum.tokens.output,
            why: match why(recorded, calculated, recorded_output, sum.tokens.output) {
                Difference::MoreRecorded if is_carried => Difference::CarriedOver,
                why => why,
            },
        };
        view.agree += u64::from(row.why == Difference::Same);
        view.calculated += calculated;
        view.sessions.push(row);
    }
    view.recorded = processes.values().map(|(_, largest)| *largest).sum();
    view
}

/// The smallest and the largest total that any session has of each process.
fn processes(found: &[Totals]) -> BTreeMap<u64, (Money, Money)> {
    let mut processes: BTreeMap<u64, (Money, Money)> = BTreeMap::new();
    for (start, (cost, _)) in found.iter().flatten() {
        let (smallest, largest) = processes.entry(*start).or_insert((*cost, *cost));
        *smallest = (*smallest).min(*cost);
        *largest = (*largest).max(*cost);
    }
    processes
}

/// Dollars with more digits than are kept, or with an exponent, are rounded.
fn exact(text: &str) -> Money {
    let rounded = || Money::decode(&format!("{:.12}", text.parse::<f64>().ok()?)).ok();
    Money::decode(text).ok().or_else(rounded).unwrap_or_default()
}

fn why(recorded: Money, calculated: Money, recorded_output: u64, calculated_output: u64) -> Difference {
    let difference = (recorded - calculated).pico().abs();
    // To the cent.
    match recorded_output.cmp(&calculated_output) {
        _ if difference < 5_000_000_000 => Difference::Same,
        std::cmp::Ordering::Equal => Difference::Prices,
        std::cmp::Ordering::Greater => Difference::MoreRecorded,
        std::cmp::Ordering::Less => Difference::MoreOnLines,
    }
}
