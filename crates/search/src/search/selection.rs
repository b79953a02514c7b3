//! The selection: of all hits, the best sessions with their best hits, and of each hit its copies.
//!
//! There may be hundreds of thousands of hits, and a page shows thirty. So they are put in order a stretch at a time, and
//! once the sessions are chosen, only hits of theirs are looked at further.

use std::cmp::Ordering;

use rustc_hash::{FxHashMap, FxHashSet};
use scrollback_index::error::IndexError;
use scrollback_index::text::Ranked;

use super::groups::{Group, Groups};
use super::{HitOrder, Search};

/// A session with the hits of it that are shown, each with its copies.
pub(super) struct Chosen {
    pub(super) group: Group,
    pub(super) hits: Vec<(Ranked, Vec<Ranked>)>,
}

/// Which of several equal hits comes first: the one in the newest session.
pub(super) type Rank = (std::cmp::Reverse<Option<i64>>, String, Option<String>);

/// How many hits are put in order at first. They cost nothing, and nearly always hold enough sessions.
const STRETCH: usize = 4096;

/// Chooses. `rank` tells the order of hits that are as good as each other.
pub(super) fn select(
    ranked: &mut [Ranked],
    wanted: &Search,
    groups: &Groups,
    rank: &mut dyn FnMut(i64) -> Result<Rank, IndexError>,
) -> Result<Vec<Chosen>, IndexError> {
    let mut selection = Selection {
        wanted,
        groups,
        chosen: Vec::new(),
        places: FxHashMap::default(),
        copies: FxHashMap::default(),
    };
    let mut rest = ranked;
    let mut stretch = STRETCH;
    while !rest.is_empty() {
        let end = match wanted.sessions.zip(wanted.hits) {
            Some(_) if stretch < rest.len() => {
                rest.select_nth_unstable_by(stretch, |a, b| compare(a, b, wanted.order));
                stretch
            }
            _ => rest.len(),
        };
        let (now, later) = rest.split_at_mut(end);
        now.sort_unstable_by(|a, b| compare(a, b, wanted.order));
        selection.take(now, rank)?;
        rest = selection.sift(later);
        stretch *= 8;
    }
    for (_, copies) in selection.chosen.iter_mut().flat_map(|chosen| &mut chosen.hits) {
        copies.sort_unstable_by(|a, b| compare(a, b, wanted.order));
    }
    Ok(selection.chosen)
}

fn compare(a: &Ranked, b: &Ranked, order: HitOrder) -> Ordering {
    let by_time = || b.time.cmp(&a.time);
    let first = match order {
        HitOrder::Best => b.score.total_cmp(&a.score).then_with(by_time),
        HitOrder::Newest => by_time(),
    };
    first.then_with(|| a.file.cmp(&b.file)).then_with(|| a.key.cmp(&b.key))
}

struct Selection<'s> {
    wanted: &'s Search,
    groups: &'s Groups,
    chosen: Vec<Chosen>,
    /// Where the sessions are among the chosen.
    places: FxHashMap<Group, usize>,
    /// Where a hit is shown whose copies these are; none: it is not shown, and no copy of it is.
    copies: FxHashMap<u64, Option<(usize, usize)>>,
}

impl Selection<'_> {
    /// Takes hits that are in order and come after all that were taken before.
    fn take(
        &mut self,
        hits: &[Ranked],
        rank: &mut dyn FnMut(i64) -> Result<Rank, IndexError>,
    ) -> Result<(), IndexError> {
        for run in hits.chunk_by(|a, b| a.score == b.score && a.time == b.time) {
            if let [one] = run {
                self.hit(*one);
                continue;
            }
            let mut ranks: FxHashMap<i64, Rank> = FxHashMap::default();
            for hit in run {
                if let std::collections::hash_map::Entry::Vacant(entry) = ranks.entry(hit.file) {
                    entry.insert(rank(hit.file)?);
                }
            }
            let mut run = run.to_vec();
            run.sort_by(|a, b| ranks.get(&a.file).cmp(&ranks.get(&b.file)).then(a.key.cmp(&b.key)));
            run.into_iter().for_each(|hit| self.hit(hit));
        }
        Ok(())
    }

    fn hit(&mut self, hit: Ranked) {
        let Some(group) = self.groups.find(hit.file) else { return };
        if let Some(known) = self.copies.get(&hit.copy) {
            if let Some((session, at)) = *known {
                self.chosen[session].hits[at].1.push(hit);
            }
            return;
        }
        let session = match self.places.get(&group) {
            Some(session) => *session,
            None if is_full(self.chosen.len(), self.wanted.sessions) => {
                self.copies.insert(hit.copy, None);
                return;
            }
            None => {
                self.places.insert(group, self.chosen.len());
                self.chosen.push(Chosen { group, hits: Vec::new() });
                self.chosen.len() - 1
            }
        };
        let hits = &mut self.chosen[session].hits;
        if is_full(hits.len(), self.wanted.hits) {
            self.copies.insert(hit.copy, None);
            return;
        }
        self.copies.insert(hit.copy, Some((session, hits.len())));
        hits.push((hit, Vec::new()));
    }

    /// Of hits that come later, those that could still be shown, and the copies of these, which may come before them. Of
    /// the others only copies of what is shown count.
    fn sift<'r>(&mut self, later: &'r mut [Ranked]) -> &'r mut [Ranked] {
        if !is_full(self.chosen.len(), self.wanted.sessions) {
            return later;
        }
        let has_room = |hit: &Ranked| {
            let place = self.groups.find(hit.file).and_then(|group| self.places.get(&group));
            place.is_some_and(|session| !is_full(self.chosen[*session].hits.len(), self.wanted.hits))
        };
        let open: FxHashSet<u64> = later.iter().filter(|hit| has_room(hit)).map(|hit| hit.copy).collect();
        let mut kept = 0;
        for at in 0..later.len() {
            let hit = later[at];
            if open.contains(&hit.copy) {
                later.swap(kept, at);
                kept += 1;
            } else if let Some(Some((session, shown))) = self.copies.get(&hit.copy) {
                self.chosen[*session].hits[*shown].1.push(hit);
            }
        }
        &mut later[..kept]
    }
}

fn is_full(count: usize, most: Option<usize>) -> bool {
    most.is_some_and(|most| count >= most)
}

#[cfg(test)]
mod tests {
    use super::{FxHashSet, compare, select};
    use crate::search::groups::Groups;
    use crate::search::{HitOrder, Search};
    use scrollback_format::time::Time;
    use scrollback_index::query::parse;
    use scrollback_index::text::Ranked;
    use scrollback_session::catalogue::Owners;

    /// A session, its hits and their copies.
    type Shown = (String, Vec<(u64, Vec<u64>)>);

    /// Hits of so many files, five a session, drawn from a seed; some are copies of each other.
    fn hits(count: u64, files: i64, seed: u64) -> (Vec<Ranked>, Groups) {
        let mut state = seed;
        let mut draw = move |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let hits = (0..count).map(|key| Ranked {
            score: draw(2000) as f32,
            time: draw(1_000_000) as i64,
            file: draw(files as u64) as i64,
            key,
            copy: draw(count),
        });
        let mut owners = Owners::default();
        (0..files).for_each(|file| owners.insert(file, &format!("s{}", file / 5)));
        (hits.collect(), Groups::of_owners(owners))
    }

    /// The same by the rule itself: all hits in order, one after the other.
    fn by_the_rule(ranked: &[Ranked], wanted: &Search, groups: &Groups) -> Vec<Shown> {
        let mut all = ranked.to_vec();
        all.sort_by(|a, b| compare(a, b, wanted.order));
        let mut sessions: Vec<Shown> = Vec::new();
        let mut seen = FxHashSet::default();
        for hit in all.iter().filter(|hit| groups.find(hit.file).is_some()) {
            if !seen.insert(hit.copy) {
                continue;
            }
            let name = groups.name(groups.find(hit.file).unwrap()).to_owned();
            let place = sessions.iter().position(|(known, _)| *known == name);
            let own = || {
                let copies = all.iter().filter(|other| other.copy == hit.copy && other.key != hit.key);
                (hit.key, copies.map(|copy| copy.key).collect())
            };
            match place {
                Some(at) if sessions[at].1.len() < wanted.hits.unwrap_or(usize::MAX) => {
                    sessions[at].1.push(own());
                }
                None if sessions.len() < wanted.sessions.unwrap_or(usize::MAX) => {
                    sessions.push((name, vec![own()]));
                }
                _ => {}
            }
        }
        sessions
    }

    #[test]
    fn a_selection_is_what_putting_all_in_order_gives() {
        for (count, files, seed) in [(0, 1, 1), (50, 4, 2), (6000, 40, 3), (9000, 3000, 4), (20_000, 9, 5)] {
            for (sessions, shown) in [(Some(10), Some(3)), (Some(2), Some(1)), (Some(40), Some(500))] {
                for order in [HitOrder::Best, HitOrder::Newest] {
                    let (mut ranked, groups) = hits(count, files, seed);
                    let query = parse("x", &|_| Err(String::new())).unwrap();
                    let wanted = Search { query, order, sessions, hits: shown, now: Time(0) };
                    let expected = by_the_rule(&ranked, &wanted, &groups);
                    let mut rank = |file: i64| Ok((std::cmp::Reverse(None), format!("{file:08}"), None));
                    let found = select(&mut ranked, &wanted, &groups, &mut rank).unwrap();
                    let found: Vec<Shown> = found
                        .into_iter()
                        .map(|chosen| {
                            let hits = chosen.hits.into_iter();
                            let hits = hits
                                .map(|(hit, copies)| (hit.key, copies.iter().map(|hit| hit.key).collect()));
                            (groups.name(chosen.group).to_owned(), hits.collect())
                        })
                        .collect();
                    assert_eq!(found, expected, "{count} hits of {files} files, {order:?}");
                }
            }
        }
    }
}
