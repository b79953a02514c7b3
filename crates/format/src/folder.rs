//! Working directory to folder name below `projects/`, and the way back as a lookup.
//!
//! The client takes the real path, replaces every UTF-16 code unit outside `[A-Za-z0-9]` by `-`, and (since
//! 2.1.50) cuts the result at 200 units and adds a hash of the original path. That is lossy: `a.b`, `a_b` and
//! `a/b` share a folder. So there is no decoder here. [`belongs`] says whether a path *could* be the folder's,
//! and the recorded `cwd` of the lines says which one it is.

use unicode_normalization::UnicodeNormalization;

/// The longest folder name, in UTF-16 units, that newer clients leave uncut.
pub const CUT: usize = 200;

/// The two ways in which client versions differ when they name a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FolderRule {
    /// The path is made NFC first (seen in 2.1.50 to 2.1.80).
    pub nfc: bool,
    /// Names above [`CUT`] units are cut and get a hash.
    pub cut: bool,
}

impl FolderRule {
    /// Every rule that a client version was seen to follow, newest first.
    pub const ALL: [Self; 3] =
        [Self { nfc: false, cut: true }, Self { nfc: true, cut: true }, Self { nfc: false, cut: false }];
}

/// The folder name of a working directory (already resolved to its real path) under one rule.
///
/// ```
/// use scrollback_format::folder::{encode, FolderRule};
/// let rule = FolderRule::ALL[0];
/// assert_eq!(encode("/home/dev/my.app", rule), "-home-dev-my-app");
/// assert_eq!(encode("/home/dev/emoji😀dir", rule), "-home-dev-emoji--dir");
/// ```
pub fn encode(path: &str, rule: FolderRule) -> String {
    let normal: String = if rule.nfc { path.nfc().collect() } else { path.to_owned() };
    let mut name: String = normal
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect();
    // Every character of the name is ASCII, so bytes, characters and UTF-16 units are one count.
    if rule.cut && name.len() > CUT {
        name.truncate(CUT);
        name.push('-');
        name.push_str(&path_hash(path));
    }
    name
}

/// Every distinct folder name that some client version would give this directory, newest rule first.
pub fn names(path: &str) -> Vec<String> {
    let mut names = Vec::new();
    for rule in FolderRule::ALL {
        let name = encode(path, rule);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Could `folder` be the folder of `path`, under any rule?
pub fn belongs(folder: &str, path: &str) -> bool {
    FolderRule::ALL.into_iter().any(|rule| encode(path, rule) == folder)
}

/// Base 36 of the absolute value of Java's string hash over the UTF-16 units of the original path.
fn path_hash(path: &str) -> String {
    let hash =
        path.encode_utf16().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    let mut rest = hash.unsigned_abs();
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(rest % 36, 36));
        rest /= 36;
        if rest == 0 {
            break;
        }
    }
    digits.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::{FolderRule, belongs, encode, names};

    const NEW: FolderRule = FolderRule { nfc: false, cut: true };

    #[test]
    fn each_utf16_unit_outside_letters_and_digits_is_a_dash() {
        for (path, folder) in [
            ("/", "-"),
            ("/home/dev/work/.hidden", "-home-dev-work--hidden"),
            ("/home/dev/work/with space", "-home-dev-work-with-space"),
            ("/home/dev/work/日本語ディレクトリ", "-home-dev-work----------"),
            ("/home/dev/work/ünïcödé", "-home-dev-work--n-c-d-"),
            ("/home/dev/work/nfd-e\u{301}", "-home-dev-work-nfd-e-"),
            ("C:\\a_b", "C--a-b"),
        ] {
            assert_eq!(encode(path, NEW), folder);
        }
    }

    #[test]
    fn nfc_clients_give_a_decomposed_letter_one_dash() {
        assert_eq!(encode("/x/e\u{301}", FolderRule { nfc: true, cut: true }), "-x--");
        assert_eq!(names("/x/e\u{301}"), ["-x-e-", "-x--"]);
    }

    #[test]
    fn only_names_above_200_units_are_cut() {
        let path = |units: usize| format!("/{}", "d".repeat(units - 1));
        assert_eq!(encode(&path(200), NEW).len(), 200);
        let cut = encode(&path(201), NEW);
        assert!(cut.starts_with(&encode(&path(200), NEW)) && cut.len() <= 207, "{cut}");
        assert_eq!(encode(&path(201), FolderRule { nfc: false, cut: false }).len(), 201);
        assert!(belongs(&cut, &path(201)));
        assert!(!belongs(&cut, &path(202)));
    }
}
