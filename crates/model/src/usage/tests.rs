//! Bills worked out by hand, and that the order of copies does not matter.

use super::{ChargeCopy, Rule, message_number, settle};
use crate::charge::{ChargeMarks, Grade};
use crate::tokens::Tokens;
use scrollback_format::time::Time;

fn copy(message: &str, request: u32, file: u32, time: i64, output: u64, marks: ChargeMarks) -> ChargeCopy {
    let tokens = Tokens { input: 10, output, ..Tokens::default() };
    let message = message_number(message.as_bytes());
    ChargeCopy {
        message,
        request,
        file,
        time: Some(Time(time)),
        model: 0,
        tokens,
        searches: 0,
        grade: Grade::default(),
        marks,
    }
}

/// What is paid: output, file and time of each bill; and why which copy is not.
fn check(copies: &[ChargeCopy], bills: &[(u64, u32, i64)], rules: &[(u32, Rule)]) {
    let mut dropped = Vec::new();
    let found = settle(copies, |at, _, rule| dropped.push((at, rule)));
    let found: Vec<(u64, u32, i64)> = found
        .iter()
        .map(|bill| {
            let owner = copies[bill.owner as usize].file;
            (copies[bill.counts as usize].tokens.output, owner, bill.time.unwrap().0)
        })
        .collect();
    assert_eq!(found, bills);
    dropped.sort_unstable();
    assert_eq!(dropped, rules);
}

const PLAIN: ChargeMarks = ChargeMarks::from_bits(0);

#[test]
fn one_message_is_paid_once_with_the_most_output_on_the_earliest_day() {
    check(&[copy("m", 1, 0, 5, 7, PLAIN)], &[(7, 0, 5)], &[]);
    check(&[copy("m", 1, 0, 5, 7, PLAIN), copy("m", 1, 1, 3, 9, PLAIN)], &[(9, 1, 3)], &[(0, Rule::Copy)]);
    check(&[copy("m", 1, 0, 5, 9, PLAIN), copy("m", 1, 1, 8, 0, PLAIN)], &[(9, 0, 5)], &[(1, Rule::Copy)]);
    check(&[copy("m", 1, 0, 5, 7, PLAIN), copy("n", 2, 0, 6, 9, PLAIN)], &[(7, 0, 5), (9, 0, 6)], &[]);
}

#[test]
fn a_copy_without_a_request_belongs_to_its_message() {
    // A fork of 2.0.29: no request, and the time of the fork.
    check(
        &[copy("m", 1, 0, 5, 7, PLAIN), copy("m", 0, 1, 9, 7, PLAIN)],
        &[(7, 0, 5)],
        &[(1, Rule::NoRequest)],
    );
    check(
        &[copy("m", 0, 1, 9, 7, PLAIN), copy("m", 1, 0, 5, 7, PLAIN)],
        &[(7, 0, 5)],
        &[(0, Rule::NoRequest)],
    );
    check(&[copy("m", 0, 0, 5, 7, PLAIN), copy("m", 0, 1, 5, 7, PLAIN)], &[(7, 0, 5)], &[(1, Rule::Copy)]);
}

#[test]
fn two_requests_of_one_message_are_two_bills_unless_an_agent_repeats_it() {
    check(&[copy("m", 1, 0, 5, 7, PLAIN), copy("m", 2, 0, 6, 7, PLAIN)], &[(7, 0, 5), (7, 0, 6)], &[]);
    let aside = copy("m", 2, 1, 4, 7, ChargeMarks::SIDECHAIN);
    check(&[copy("m", 1, 0, 5, 7, PLAIN), aside], &[(7, 0, 4)], &[(1, Rule::Sidechain)]);
    // Of agents alone, each request is its own.
    let other = copy("m", 1, 2, 5, 7, ChargeMarks::SIDECHAIN);
    check(&[other, aside], &[(7, 1, 4), (7, 2, 5)], &[]);
}

#[test]
fn a_progress_line_repeats_an_agents_message_and_owns_it_only_where_the_agent_is_gone() {
    let progress = ChargeMarks::PROGRESS.with(ChargeMarks::SIDECHAIN);
    let agent = copy("m", 1, 1, 6, 7, ChargeMarks::SIDECHAIN);
    check(&[copy("m", 1, 0, 5, 2, progress), agent], &[(7, 1, 5)], &[(0, Rule::Sidechain)]);
    check(&[copy("m", 1, 0, 5, 2, progress)], &[(2, 0, 5)], &[]);
}

#[test]
fn of_copies_of_one_time_the_fork_is_not_the_owner() {
    let fork = copy("m", 1, 0, 5, 7, ChargeMarks::FORKED);
    check(&[fork, copy("m", 1, 1, 5, 7, PLAIN)], &[(7, 1, 5)], &[(0, Rule::Copy)]);
}

proptest::proptest! {
    /// However copies are spread and ordered, the same is paid.
    #[test]
    fn order_does_not_matter(
        copies in proptest::collection::vec((0u8..6, 0u32..3, 0u32..4, 0i64..5, 0u64..4, 0u8..3), 0..24),
        turn in 0usize..24,
    ) {
        let mut all: Vec<ChargeCopy> = copies
            .iter()
            .enumerate()
            .map(|(at, (message, request, _, time, output, marks))| {
                let marks = [PLAIN, ChargeMarks::FORKED, ChargeMarks::SIDECHAIN][*marks as usize];
                // Files differ, so that nothing but the order could tell two copies apart.
                copy(&message.to_string(), *request, at as u32, *time, *output, marks)
            })
            .collect();
        let paid = |copies: &[ChargeCopy]| {
            let mut paid: Vec<_> = settle(copies, |_, _, _| {})
                .iter()
                .map(|bill| (copies[bill.counts as usize].tokens.output, bill.copies, bill.time))
                .collect();
            paid.sort_unstable();
            paid
        };
        let before = paid(&all);
        let count = all.len().max(1);
        all.rotate_left(turn % count);
        proptest::prop_assert_eq!(paid(&all), before);
        let total: u32 = paid(&all).iter().map(|(_, copies, _)| copies).sum();
        proptest::prop_assert_eq!(total as usize, all.len(), "every copy is in one bill");
    }
}
