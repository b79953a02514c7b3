//! Tokens: what a word is, in prose and in code. docs/search.md is the contract; query and index use the same.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Longer tokens are cut here: nobody types them, and an index should not hold them.
pub const LONGEST: usize = 64;

/// One token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    /// The folded word.
    pub text: &'t str,
    /// Its place among the words.
    pub position: usize,
    /// Where it begins in the text, in bytes.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The whole of a camelCase word, which its parts follow.
    pub whole: bool,
    /// A part of one.
    pub part: bool,
}

/// Takes text apart, token by token, without allocating for plain ASCII.
#[derive(Debug, Default, Clone)]
pub struct Tokenizer {
    buffer: String,
    cuts: Vec<usize>,
}

impl Tokenizer {
    /// Gives every token of a text to `visit`.
    pub fn each(&mut self, text: &str, mut visit: impl FnMut(Token<'_>)) {
        let bytes = text.as_bytes();
        let (mut at, mut position) = (0, 0);
        while at < bytes.len() {
            let byte = bytes[at];
            if byte.is_ascii() && !byte.is_ascii_alphanumeric() {
                at += 1;
                continue;
            }
            let end = run_end(text, at);
            if end == at {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
                continue;
            }
            let run = &text[at..end];
            position = if run.is_ascii() {
                self.ascii(run, at, position, &mut visit)
            } else {
                self.unicode(run, at, position, &mut visit)
            };
            at = end;
        }
    }

    fn ascii(&mut self, run: &str, from: usize, position: usize, visit: &mut impl FnMut(Token<'_>)) -> usize {
        self.cut(run.as_bytes());
        self.buffer.clear();
        self.buffer.push_str(run);
        self.buffer.make_ascii_lowercase();
        let to = from + run.len();
        let whole = &self.buffer[..run.len().min(LONGEST)];
        let several = !self.cuts.is_empty();
        visit(Token { text: whole, position, from, to, whole: several, part: false });
        if !several {
            return position + 1;
        }
        let mut begin = 0;
        for (number, &end) in self.cuts.iter().chain(std::iter::once(&run.len())).enumerate() {
            let text = &self.buffer[begin..end.min(begin + LONGEST)];
            let (from, to) = (from + begin, from + end);
            visit(Token { text, position: position + number, from, to, whole: false, part: true });
            begin = end;
        }
        position + self.cuts.len() + 1
    }

    /// Where a camelCase word is cut: only a change of case does, and digits belong to what stands before them.
    fn cut(&mut self, run: &[u8]) {
        self.cuts.clear();
        let (mut upper, mut lower) = (false, false);
        for (at, byte) in run.iter().enumerate() {
            if byte.is_ascii_uppercase() {
                let next = run[at + 1..].iter().find(|byte| !byte.is_ascii_digit());
                let before_lower = next.is_some_and(u8::is_ascii_lowercase);
                if lower || (upper && before_lower) {
                    self.cuts.push(at);
                }
                (upper, lower) = (true, false);
            } else if byte.is_ascii_lowercase() {
                (upper, lower) = (false, true);
            }
        }
    }

    /// A run with letters beyond ASCII: composed first, so that both ways of writing an accent are one.
    fn unicode(
        &mut self,
        run: &str,
        from: usize,
        mut position: usize,
        visit: &mut impl FnMut(Token<'_>),
    ) -> usize {
        let to = from + run.len();
        // Positions in the text are exact as long as composing changes nothing, which is nearly always.
        let composed: String = run.nfc().collect();
        let exact = composed == run;
        let place = |start: usize, end: usize| if exact { (from + start, from + end) } else { (from, to) };
        let mut put = |buffer: &mut String, part: &str, start: usize| {
            fold(part, buffer);
            if buffer.is_empty() {
                return;
            }
            let (from, to) = place(start, start + part.len());
            let text = &buffer[..floor(buffer, LONGEST)];
            visit(Token { text, position, from, to, whole: false, part: false });
            position += 1;
        };
        let mut word: Option<usize> = None;
        for (at, c) in composed.char_indices() {
            if is_ideograph(c) {
                if let Some(start) = word.take() {
                    put(&mut self.buffer, &composed[start..at], start);
                }
                put(&mut self.buffer, &composed[at..at + c.len_utf8()], at);
            } else if word.is_none() {
                word = Some(at);
            }
        }
        if let Some(start) = word {
            put(&mut self.buffer, &composed[start..], start);
        }
        position
    }
}

/// The end of the run of letters, digits and marks that begins at `from`; `from` itself if none does.
fn run_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        if bytes[at].is_ascii() {
            if !bytes[at].is_ascii_alphanumeric() {
                break;
            }
            at += 1;
        } else {
            match text[at..].chars().next() {
                Some(c) if c.is_alphanumeric() || is_combining_mark(c) => at += c.len_utf8(),
                _ => break,
            }
        }
    }
    at
}

/// Case and accents folded, into `out`.
fn fold(word: &str, out: &mut String) {
    out.clear();
    out.extend(word.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase));
}

/// The largest place of a character at or before `at`.
fn floor(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Characters of scripts that write no spaces: a token each.
pub fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11FF | 0x2E80..=0x2FDF | 0x3040..=0x30FF | 0x3130..=0x318F | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// The words of a query's text, in order: of a camelCase word among others its parts, alone the whole.
pub fn words(text: &str) -> Vec<String> {
    let mut all: Vec<(String, bool, bool)> = Vec::new();
    Tokenizer::default().each(text, |token| all.push((token.text.to_owned(), token.whole, token.part)));
    let alone = all.iter().filter(|(_, _, part)| !part).count() == 1;
    let wanted = |whole: bool, part: bool| if alone { !part } else { !whole };
    all.into_iter().filter(|(_, whole, part)| wanted(*whole, *part)).map(|(text, _, _)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::{Tokenizer, words};

    fn check(text: &str, expected: &str) {
        let mut found = Vec::new();
        Tokenizer::default().each(text, |token| found.push(format!("{}@{}", token.text, token.position)));
        assert_eq!(found.join(" "), expected, "{text}");
    }

    #[test]
    fn prose_and_code_are_taken_apart() {
        check("Fix the flaky test!", "fix@0 the@1 flaky@2 test@3");
        check("snake_case foo::bar src/main.rs", "snake@0 case@1 foo@2 bar@3 src@4 main@5 rs@6");
        check("useEffect(x)", "useeffect@0 use@0 effect@1 x@2");
        check("HTTPServer2Go utf8", "httpserver2go@0 http@0 server2@1 go@2 utf8@3");
        check("AB1c SHA256Hash", "ab1c@0 a@0 b1c@1 sha256hash@2 sha256@2 hash@3");
        check("", "");
        check("… -- \n", "");
    }

    #[test]
    fn accents_and_forms_are_folded() {
        check("Café CAFE\u{301} Straße", "cafe@0 cafe@1 straße@2");
        check("ﬁne ² Ω", "fine@0 2@1 ω@2");
        check("e\u{301}", "e@0");
    }

    #[test]
    fn every_ideograph_is_a_token() {
        check("天気app予報", "天@0 気@1 app@2 予@3 報@4");
        check("한국어", "\u{1112}\u{1161}\u{11ab}@0 \u{1100}\u{116e}\u{11a8}@1 \u{110b}\u{1165}@2");
    }

    #[test]
    fn long_tokens_are_cut() {
        check(&"a".repeat(100), &format!("{}@0", "a".repeat(64)));
        check(&"ä".repeat(100), &format!("{}@0", "a".repeat(64)));
    }

    #[test]
    fn queries_use_the_whole_alone_and_parts_among_others() {
        assert_eq!(words("useEffect"), ["useeffect"]);
        assert_eq!(words("the useEffect hook"), ["the", "use", "effect", "hook"]);
        assert_eq!(words("foo::barBaz"), ["foo", "bar", "baz"]);
        assert!(words("--").is_empty());
    }

    #[test]
    fn places_are_those_of_the_text() {
        let text = "ab çd 天x";
        let mut places = Vec::new();
        Tokenizer::default().each(text, |token| places.push(&text[token.from..token.to]));
        assert_eq!(places, ["ab", "çd", "天", "x"]);
    }
}
