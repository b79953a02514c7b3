//! Short forms: much text in one line, many lines in few, and numbers as people read them.
//!
//! All of it is for eyes. Nothing here is parsed again, and no machine-readable output uses it.

use super::harmless::harmless;
use super::line::StyledLine;
use super::style::Style;
use super::width;

/// All of `text` on one line: runs of white space become one space, and what is wider than `width` is cut.
pub fn one_line(text: &str, width: usize) -> String {
    // A cluster has at least a byte, so a few times the width is all that can be shown; titles are
    // sometimes taken from megabytes.
    let enough = width.saturating_mul(8).saturating_add(64);
    let mut line = String::new();
    for word in harmless(prefix(text.trim_start(), enough.saturating_mul(4))).split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > enough {
            break;
        }
    }
    width::cut(&line, width)
}

/// The start of `text` in at most `length` bytes.
fn prefix(text: &str, length: usize) -> &str {
    let end = (0..=length.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
    &text[..end.unwrap_or(0)]
}

/// The first `max` lines, then a note on how many more there are.
///
/// A single line too many is shown, since the note would take its place.
pub fn clip_lines(mut lines: Vec<StyledLine>, max: usize) -> Vec<StyledLine> {
    if lines.len() > max.saturating_add(1) {
        let more = lines.len() - max;
        lines.truncate(max);
        lines.push(more_lines(more));
    }
    lines
}

/// The note on lines that are not shown: `… 12 more lines`.
pub fn more_lines(more: usize) -> StyledLine {
    let noun = if more == 1 { "line" } else { "lines" };
    StyledLine::new(format!("… {} more {noun}", count(more as u64)), Style::Dim)
}

/// A number with its noun: `1 turn`, `2 turns`, `3 entries`.
pub fn plural(n: u64, noun: &str) -> String {
    if n == 1 {
        return format!("1 {noun}");
    }
    let stem = noun.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']));
    match stem {
        Some(stem) => format!("{} {stem}ies", count(n)),
        None if noun.ends_with(['s', 'x']) || noun.ends_with("ch") || noun.ends_with("sh") => {
            format!("{} {noun}es", count(n))
        }
        None => format!("{} {noun}s", count(n)),
    }
}

/// A number with separators between thousands: `27,657`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number in at most five characters: `950`, `27.7k`, `1.2M`.
pub fn short_count(n: u64) -> String {
    scaled(n, &["", "k", "M", "G", "T"])
}

/// A size in decimal units: `512 B`, `1.4 MB`, `277 MB`.
pub fn bytes(n: u64) -> String {
    scaled(n, &[" B", " kB", " MB", " GB", " TB"])
}

/// `n` in the largest unit of which there is at least one; three digits are enough for eyes.
fn scaled(n: u64, units: &[&str]) -> String {
    let mut divisor = 1_u64;
    for (at, unit) in units.iter().enumerate() {
        let is_last = at + 1 == units.len();
        // Rounded here, so that 999,999 bytes are 1.0 MB and not 1000 kB.
        let tenths =
            if divisor == 1 { n.saturating_mul(10) } else { n.saturating_add(divisor / 20) / (divisor / 10) };
        let whole = n.saturating_add(divisor / 2) / divisor;
        if whole < 1000 || is_last {
            return match tenths {
                _ if divisor == 1 => format!("{n}{unit}"),
                0..1000 => format!("{}.{}{unit}", tenths / 10, tenths % 10),
                _ => format!("{}{unit}", count(whole)),
            };
        }
        divisor *= 1000;
    }
    n.to_string()
}

/// A time span: `350 ms`, `3.2 s`, `4 min 10 s`, `2 h 5 min`, `3 d 4 h`.
pub fn duration(ms: u64) -> String {
    let seconds = ms.saturating_add(500) / 1000;
    let two = |large: u64, unit: &str, small: u64, part: &str| match small {
        0 => format!("{large} {unit}"),
        _ => format!("{large} {unit} {small} {part}"),
    };
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..59_950 => format!("{}.{} s", (ms + 50) / 1000, (ms + 50) / 100 % 10),
        59_950..3_599_500 => two(seconds / 60, "min", seconds % 60, "s"),
        3_599_500..86_369_500 => two((seconds + 30) / 3600, "h", (seconds + 30) / 60 % 60, "min"),
        _ => {
            let hours = seconds.saturating_add(1800) / 3600;
            two(hours / 24, "d", hours % 24, "h")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Copy + std::fmt::Debug>(form: impl Fn(T) -> String, rows: &[(T, &str)]) {
        for &(input, expected) in rows {
            assert_eq!(form(input), expected, "{input:?}");
        }
    }

    #[test]
    fn text_folds_to_one_line() {
        check(
            |text| one_line(text, 12),
            &[
                ("", ""),
                ("  two\n\n words ", "two words"),
                ("a longer sentence", "a longer se…"),
                ("\x1b[31mred\x1b[0m\tx", "red x"),
                ("日本語日本語日本語", "日本語日本…"),
            ],
        );
        let long = "word ".repeat(1_000_000);
        assert_eq!(one_line(&long, 10), "word word…");
    }

    #[test]
    fn lines_are_clipped_with_a_note() {
        let lines = |n: usize| (0..n).map(|i| StyledLine::plain(i.to_string())).collect::<Vec<_>>();
        assert_eq!(clip_lines(lines(3), 3).len(), 3);
        assert_eq!(clip_lines(lines(4), 3), lines(4));
        let clipped = clip_lines(lines(15), 3);
        assert_eq!(clipped[3].text(), "… 12 more lines");
        assert_eq!(clipped.len(), 4);
    }

    #[test]
    fn numbers_read_well() {
        check(
            count,
            &[(0, "0"), (999, "999"), (1000, "1,000"), (27_657, "27,657"), (1_234_567, "1,234,567")],
        );
        check(|n| plural(n, "turn"), &[(0, "0 turns"), (1, "1 turn"), (1200, "1,200 turns")]);
        check(|noun| plural(2, noun), &[("entry", "2 entries"), ("day", "2 days"), ("match", "2 matches")]);
        check(short_count, &[(950, "950"), (27_657, "27.7k"), (277_000, "277k"), (1_200_000, "1.2M")]);
    }

    #[test]
    fn sizes_use_decimal_units() {
        check(
            bytes,
            &[
                (0, "0 B"),
                (999, "999 B"),
                (1000, "1.0 kB"),
                (1_449_999, "1.4 MB"),
                (99_960, "100 kB"),
                (999_499, "999 kB"),
                (999_999, "1.0 MB"),
                (277_000_000, "277 MB"),
                (5_000_000_000_000_000, "5,000 TB"),
                (u64::MAX, "18,446,744 TB"),
            ],
        );
    }

    #[test]
    fn durations_use_two_units_at_most() {
        check(
            duration,
            &[
                (0, "0 ms"),
                (350, "350 ms"),
                (3_249, "3.2 s"),
                (59_949, "59.9 s"),
                (59_950, "1 min"),
                (250_000, "4 min 10 s"),
                (3_599_499, "59 min 59 s"),
                (3_599_500, "1 h"),
                (7_500_000, "2 h 5 min"),
                (86_369_499, "23 h 59 min"),
                (86_369_500, "1 d"),
                (273_600_000, "3 d 4 h"),
                (u64::MAX, "213503982334 d 14 h"),
            ],
        );
    }
}
