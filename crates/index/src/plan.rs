//! The refresh plan: a pure function of the stamps seen before and the stamps now. It touches nothing.

use rustc_hash::FxHashMap;
use scrollback_format::stamp::Stamp;

/// A file as the catalogue knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// Its number.
    pub file: i64,
    /// Where it was.
    pub path: String,
    /// What it looked like.
    pub stamp: Stamp,
    /// The stamp of what stands beside it (a title, what an agent is for); 0 if nothing did.
    pub side: i64,
}

/// A file as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenFile {
    /// Where it is.
    pub path: String,
    /// Its length.
    pub size: u64,
    /// Its modification time.
    pub mtime_ns: i64,
    /// Its inode; 0 where there are none.
    pub inode: u64,
    /// The stamp of what stands beside it; 0 if nothing does.
    pub side: i64,
}

/// What has to be done, files named by their place in the two lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RefreshPlan {
    /// Files that may have changed: known, now. Their bytes tell how.
    pub changed: Vec<(usize, usize)>,
    /// Files that are elsewhere now, and otherwise the same: known, now.
    pub moved: Vec<(usize, usize)>,
    /// Files that were not there before.
    pub new: Vec<usize>,
    /// Files that are gone.
    pub gone: Vec<usize>,
}

impl RefreshPlan {
    /// Is there nothing to do?
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.moved.is_empty() && self.new.is_empty() && self.gone.is_empty()
    }
}

/// Compares. A file counts as moved if another path has its name, length, time and inode, and its own is gone.
pub fn plan(known: &[Known], seen: &[SeenFile]) -> RefreshPlan {
    let by_path: FxHashMap<&str, usize> =
        known.iter().enumerate().map(|(at, file)| (file.path.as_str(), at)).collect();
    let mut plan = RefreshPlan::default();
    let mut still_there = vec![false; known.len()];
    let mut strangers = Vec::new();
    for (now, file) in seen.iter().enumerate() {
        match by_path.get(file.path.as_str()) {
            Some(&before) => {
                still_there[before] = true;
                if !is_same(&known[before], file) || known[before].side != file.side {
                    plan.changed.push((before, now));
                }
            }
            None => strangers.push(now),
        }
    }
    let mut gone: FxHashMap<(&str, u64), usize> = FxHashMap::default();
    for (before, file) in known.iter().enumerate().filter(|(before, _)| !still_there[*before]) {
        gone.insert((name(&file.path), file.stamp.size), before);
    }
    for now in strangers {
        let file = &seen[now];
        let twin = gone.get(&(name(&file.path), file.size)).copied();
        match twin.filter(|before| is_same(&known[*before], file)) {
            Some(before) => {
                gone.remove(&(name(&file.path), file.size));
                still_there[before] = true;
                plan.moved.push((before, now));
            }
            None => plan.new.push(now),
        }
    }
    plan.gone = (0..known.len()).filter(|before| !still_there[*before]).collect();
    plan
}

fn is_same(known: &Known, now: &SeenFile) -> bool {
    let stamp = &known.stamp;
    stamp.size == now.size && stamp.mtime_ns == now.mtime_ns && stamp.inode == now.inode
}

fn name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{Known, RefreshPlan, SeenFile, plan};
    use scrollback_format::stamp::Stamp;

    fn known(file: i64, path: &str, size: u64, mtime_ns: i64) -> Known {
        let stamp = Stamp { size, mtime_ns, inode: file as u64, tail_hash: 0 };
        Known { file, path: path.into(), stamp, side: 0 }
    }

    fn seen(inode: u64, path: &str, size: u64, mtime_ns: i64) -> SeenFile {
        SeenFile { path: path.into(), size, mtime_ns, inode, side: 0 }
    }

    #[test]
    fn nothing_changed_is_nothing_to_do() {
        assert!(plan(&[known(1, "/p/a", 5, 5)], &[seen(1, "/p/a", 5, 5)]).is_empty());
        assert!(plan(&[], &[]).is_empty());
    }

    #[test]
    fn every_change_is_told_apart() {
        let before =
            [known(1, "/p/a", 5, 5), known(2, "/p/b", 6, 6), known(3, "/p/c", 7, 7), known(4, "/p/d", 8, 8)];
        let now =
            [seen(1, "/p/a", 9, 9), seen(2, "/q/b", 6, 6), seen(9, "/p/n", 1, 1), seen(4, "/p/d", 8, 8)];
        let expected =
            RefreshPlan { changed: vec![(0, 0)], moved: vec![(1, 1)], new: vec![2], gone: vec![2] };
        assert_eq!(plan(&before, &now), expected);
    }

    #[test]
    fn a_copy_elsewhere_is_new_and_a_title_beside_is_a_change() {
        let mut titled = seen(1, "/p/a", 5, 5);
        titled.side = 77;
        let now = [titled, seen(8, "/q/a", 5, 5)];
        let expected = RefreshPlan { changed: vec![(0, 0)], new: vec![1], ..RefreshPlan::default() };
        assert_eq!(plan(&[known(1, "/p/a", 5, 5)], &now), expected);
        // The name, the length and the time are those of a file that is gone, but the bytes are others'.
        let plan = plan(&[known(1, "/p/a", 5, 5)], &[seen(2, "/q/a", 5, 5)]);
        assert_eq!((plan.new.len(), plan.gone.len()), (1, 1));
    }
}
