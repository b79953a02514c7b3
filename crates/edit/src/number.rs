//! Numbers in sentences: thousands apart, nouns in their plural.

/// A number with its thousands apart: `1,010`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 line`, `2 lines`, `3 branches`.
pub(crate) fn plural(number: u64, one: &str) -> String {
    let end = match one {
        _ if number == 1 => "",
        one if one.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {one}{end}", count(number))
}

#[cfg(test)]
mod tests {
    use super::{count, plural};

    #[test]
    fn thousands_are_apart_and_nouns_agree() {
        let check = |number, expected: &str| assert_eq!(count(number), expected);
        check(0, "0");
        check(999, "999");
        check(1_010, "1,010");
        check(12_345_678, "12,345,678");
        assert_eq!(plural(1, "line"), "1 line");
        assert_eq!(plural(1_713, "line"), "1,713 lines");
        assert_eq!(plural(2, "branch"), "2 branches");
    }
}
