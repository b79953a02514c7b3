//! Laws of bills, for every row of the table and any quantities.

use proptest::prelude::*;
use scrollback_pricing::{Bill, ContextLength, Money, PriceRow, Quantities, RequestTerms};

use crate::prices;

fn rows() -> Vec<PriceRow> {
    prices().rows().cloned().collect()
}

prop_compose! {
    fn counts()(counts in prop::array::uniform6(0_u64..3_000_000)) -> [u64; 6] { counts }
}

fn quantities(
    [input, output, cache_read, cache_write_5m, cache_write_1h, web_searches]: [u64; 6],
) -> Quantities {
    Quantities {
        input,
        output,
        cache_read,
        cache_write_5m,
        cache_write_1h,
        web_searches,
        ..Quantities::default()
    }
}

fn terms() -> impl Strategy<Value = RequestTerms> {
    let word = |words: &'static [&'static str]| prop::sample::select(words);
    (word(&["", "batch", "priority"]), word(&["", "fast"]), word(&["", "us", "eu"]))
        .prop_map(|(tier, speed, geo)| RequestTerms::decode(Some(tier), Some(speed), Some(geo)))
}

proptest! {
    #[test]
    fn the_bill_of_a_sum_is_the_sum_of_the_bills(
        row in prop::sample::select(rows()),
        parts in prop::collection::vec(counts(), 1..8),
        terms in terms(),
        context in prop::sample::select(&[ContextLength::Short, ContextLength::Long][..]),
    ) {
        let priced = |counts| row.bill(&Quantities { terms: terms.clone(), context, ..quantities(counts) });
        let whole = (0..6).map(|at| parts.iter().map(|part| part[at]).sum()).collect::<Vec<u64>>();
        let mut sum = Bill::default();
        for part in &parts {
            sum += &priced(*part);
        }
        prop_assert_eq!(sum, priced(whole.try_into().unwrap()));
    }

    #[test]
    fn the_parts_of_a_bill_are_its_total(row in prop::sample::select(rows()), counts in counts(), terms in terms()) {
        let used = Quantities { terms, ..quantities(counts) };
        let context = if row.is_long(&used) { ContextLength::Long } else { ContextLength::Short };
        let alone = |at: usize| {
            let mut one = [0; 6];
            one[at] = counts[at];
            row.cost(&Quantities { terms: used.terms.clone(), context, ..quantities(one) })
        };
        prop_assert_eq!((0..6).map(alone).sum::<Money>(), row.cost(&used));
    }

    #[test]
    fn more_tokens_never_cost_less(row in prop::sample::select(rows()), counts in counts(), more in counts()) {
        let sum = std::array::from_fn(|at| counts[at] + more[at]);
        prop_assert!(row.cost(&quantities(counts)) <= row.cost(&quantities(sum)));
    }
}

#[test]
fn the_largest_counts_are_billed_without_wrapping() {
    for row in rows() {
        let bill = row.bill(&quantities([u64::MAX; 6]));
        assert!(bill.total() >= bill.input && bill.input > Money::ZERO, "{}", row.model);
    }
}
