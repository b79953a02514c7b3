//! A JSON string as it stands in the file, decoded only when asked.

use std::borrow::Cow;
use std::fmt;

/// The bytes between the quotes of a JSON string.
///
/// Decoding never fails: half a surrogate pair and bytes that are not UTF-8 become U+FFFD, as they do in the
/// client. The bytes themselves stay reachable through [`Text::raw`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Text<'a> {
    raw: &'a [u8],
    escaped: bool,
}

impl<'a> Text<'a> {
    pub(super) fn new(raw: &'a [u8], escaped: bool) -> Self {
        Self { raw, escaped }
    }

    /// The bytes between the quotes, escapes and all.
    pub fn raw(self) -> &'a [u8] {
        self.raw
    }

    /// The text, borrowed where nothing had to be decoded.
    pub fn decode(self) -> Cow<'a, str> {
        if self.escaped { unescape(self.raw) } else { String::from_utf8_lossy(self.raw) }
    }

    /// Is the decoded text exactly this?
    pub fn is(self, other: &str) -> bool {
        if self.escaped { self.decode() == other } else { self.raw == other.as_bytes() }
    }

    /// Is it the empty string?
    pub fn is_empty(self) -> bool {
        self.raw.is_empty()
    }

    /// Do the raw bytes start with this (which has no character that needs an escape)? Cheaper than decoding a
    /// long text to look at its first word.
    pub fn starts_with(self, plain: &str) -> bool {
        self.raw.starts_with(plain.as_bytes())
    }

    /// The raw bytes, if they are the text itself because nothing in them is escaped.
    #[inline]
    pub fn plain(self) -> Option<&'a [u8]> {
        (!self.escaped).then_some(self.raw)
    }

    /// The decoded text of about the first `bytes` raw bytes, cut at a character.
    pub fn head(self, bytes: usize) -> Cow<'a, str> {
        if self.raw.len() <= bytes {
            return self.decode();
        }
        let mut end = bytes;
        // Neither an escape nor a character may be cut in two: step back over both (12 = a surrogate pair).
        while end > 0 && self.raw[end] & 0xC0 == 0x80 {
            end -= 1;
        }
        if self.escaped
            && let Some(back) = self.raw[end.saturating_sub(12)..end].iter().position(|&byte| byte == b'\\')
        {
            let mut cut = end.saturating_sub(12) + back;
            // The first backslash found may itself be the second half of `\\`.
            while cut > 0 && self.raw[cut - 1] == b'\\' {
                cut -= 1;
            }
            end = cut;
        }
        Self { raw: &self.raw[..end], escaped: self.escaped }.decode()
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.decode())
    }
}

fn unescape(raw: &[u8]) -> Cow<'_, str> {
    let mut text = String::with_capacity(raw.len());
    // Told once for the whole: a text of many escapes has many short stretches between them.
    let whole = std::str::from_utf8(raw).ok();
    let mut from = 0;
    let push = |text: &mut String, from: usize, to: usize| match whole.and_then(|whole| whole.get(from..to)) {
        Some(stretch) => text.push_str(stretch),
        None => text.push_str(&String::from_utf8_lossy(&raw[from..to])),
    };
    while let Some(at) = memchr::memchr(b'\\', &raw[from..]).map(|at| from + at) {
        push(&mut text, from, at);
        let (character, used) = escape(&raw[at + 1..]);
        text.push(character);
        from = at + 1 + used;
    }
    push(&mut text, from, raw.len());
    Cow::Owned(text)
}

/// Decodes what follows a backslash: the character, and how many bytes it took.
fn escape(after: &[u8]) -> (char, usize) {
    let Some(&byte) = after.first() else { return (char::REPLACEMENT_CHARACTER, 0) };
    let character = match byte {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(after),
        other => char::from(other),
    };
    (character, 1)
}

fn unicode(after: &[u8]) -> (char, usize) {
    let Some(first) = hex4(after.get(1..5)) else { return (char::REPLACEMENT_CHARACTER, 1) };
    if (0xD800..0xDC00).contains(&first)
        && after.get(5..7) == Some(b"\\u".as_slice())
        && let Some(second @ 0xDC00..=0xDFFF) = hex4(after.get(7..11))
    {
        let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 11);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 5)
}

fn hex4(digits: Option<&[u8]>) -> Option<u32> {
    digits?.iter().try_fold(0, |unit, &byte| Some(unit << 4 | char::from(byte).to_digit(16)?))
}
