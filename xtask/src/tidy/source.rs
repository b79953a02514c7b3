//! A small lexer of Rust: words and signs with their lines; comments, strings and characters are skipped.
//!
//! Enough to match braces and find functions. It knows no grammar, and is total: any text gives some tokens.

/// A word or a sign of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// An identifier, keyword or number, or one sign.
    pub text: &'a str,
    /// Counted from 1.
    pub line: usize,
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// The line of `fn`.
    pub first: usize,
    /// The line of the closing brace.
    pub last: usize,
}

/// The tokens of a text.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let length = match skipped(rest) {
            Some(length) => length,
            None => {
                let length = word_length(rest).max(first.len_utf8());
                tokens.push(Token { text: &rest[..length], line });
                length
            }
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    tokens
}

/// The string literals of a text as they are written, with the lines that they begin on. Those of tests are left out.
pub fn strings(text: &str) -> Vec<(usize, &str)> {
    let tests = tests_begin(&tokens(text)).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let is_string = !rest.starts_with('/') && string_length(rest).is_some();
        let length = skipped(rest).unwrap_or_else(|| word_length(rest).max(first.len_utf8()));
        if is_string && line < tests {
            found.push((line, &rest[..length]));
        }
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found
}

/// The length of what is no token at the beginning of `rest`: blanks, a comment, a string, a character.
fn skipped(rest: &str) -> Option<usize> {
    let blanks = rest.len() - rest.trim_start().len();
    if blanks > 0 {
        return Some(blanks);
    }
    if rest.starts_with("//") {
        return Some(rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return Some(block_comment_length(rest));
    }
    string_length(rest).or_else(|| character_length(rest))
}

fn word_length(rest: &str) -> usize {
    rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len())
}

/// Block comments nest; one that is not closed runs to the end.
fn block_comment_length(rest: &str) -> usize {
    let (mut depth, mut at) = (0_usize, 0);
    while at < rest.len() {
        let bytes = &rest.as_bytes()[at..];
        if bytes.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

/// The length of a string of any sort: plain, byte, C, raw with any number of `#`.
fn string_length(rest: &str) -> Option<usize> {
    let prefix = word_length(rest);
    let is_raw = matches!(&rest[..prefix], "r" | "br" | "cr");
    if !is_raw && !matches!(&rest[..prefix], "" | "b" | "c") {
        return None;
    }
    let after = &rest[prefix..];
    let hashes = if is_raw { after.len() - after.trim_start_matches('#').len() } else { 0 };
    if !after[hashes..].starts_with('"') {
        return None;
    }
    let body = prefix + hashes + 1;
    let end = format!("\"{}", "#".repeat(hashes));
    let length = if is_raw {
        rest[body..].find(&end).map(|at| at + end.len())
    } else {
        escaped_length(&rest[body..], b'"')
    };
    Some(length.map_or(rest.len(), |length| body + length))
}

/// A character or byte; `'a` without a closing quote is a lifetime, which is a sign and a word.
fn character_length(rest: &str) -> Option<usize> {
    let prefix = usize::from(rest.starts_with("b'"));
    let body = rest[prefix..].strip_prefix('\'')?;
    let length = if body.starts_with('\\') {
        escaped_length(body, b'\'')?
    } else {
        let letter = body.chars().next()?.len_utf8();
        body[letter..].starts_with('\'').then_some(letter + 1)?
    };
    Some(prefix + 1 + length)
}

/// The length up to and with the closing quote, backslashes heeded.
fn escaped_length(body: &str, quote: u8) -> Option<usize> {
    let mut escaped = false;
    let end = body.bytes().position(|byte| {
        let closes = byte == quote && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })?;
    Some(end + 1)
}

/// The functions that have a body, in order of their beginning, nested ones too.
pub fn functions<'a>(tokens: &[Token<'a>]) -> Vec<Function<'a>> {
    let begins = tokens.windows(2).enumerate().filter(|(_, pair)| {
        // `fn(u8)` is a type and has no name.
        pair[0].text == "fn"
            && pair[1].text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
    });
    let found = begins.filter_map(|(index, pair)| {
        let open = body_begins(&tokens[index..])? + index;
        Some(Function { name: pair[1].text, first: pair[0].line, last: block_ends(&tokens[open..])? })
    });
    found.collect()
}

/// The index of a function's opening brace; None for a declaration that ends in `;`.
fn body_begins(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" => depth += 1,
            ")" | "]" => depth = depth.saturating_sub(1),
            "{" if depth == 0 => return Some(index),
            ";" if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The line of the brace that closes the first one.
fn block_ends(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for token in tokens {
        match token.text {
            "{" => depth += 1,
            "}" if depth == 1 => return Some(token.line),
            "}" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// The line of the `#[cfg(test)]` that stands before `mod tests`.
pub fn tests_begin(tokens: &[Token<'_>]) -> Option<usize> {
    const WORDS: [&str; 9] = ["#", "[", "cfg", "(", "test", ")", "]", "mod", "tests"];
    let begins = |window: &&[Token<'_>]| window.iter().zip(WORDS).all(|(token, word)| token.text == word);
    tokens.windows(WORDS.len()).find(begins).map(|window| window[0].line)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, words: &[&str]) {
        let found: Vec<&str> = tokens(text).iter().map(|token| token.text).collect();
        assert_eq!(found, words, "{text}");
    }

    #[test]
    fn comments_strings_and_characters_are_skipped() {
        check("a // { b\nc", &["a", "c"]);
        check("a /* { /* nested */ } */ b", &["a", "b"]);
        check(r#"a "{ \" {" b"#, &["a", "b"]);
        check(r##"a r#"{ " \"# b"##, &["a", "b"]);
        check(r#"b"{" c"{" br"\" x"#, &["x"]);
        check(r"'{' '\'' '\u{7b}' b'{' b'\\' x", &["x"]);
        check("'é' '\"' x", &["x"]);
    }

    #[test]
    fn lifetimes_and_raw_words_are_no_characters() {
        check("&'a str", &["&", "'", "a", "str"]);
        check("r#fn", &["r", "#", "fn"]);
        check("'a'..='z'", &[".", ".", "="]);
    }

    #[test]
    fn any_text_gives_tokens() {
        for text in ["\"", "'", "/*", "r#\"", "b'", "'\\", "\\", "é{", "r####", "*/ }"] {
            let _ = functions(&tokens(text));
        }
    }

    #[test]
    fn functions_end_at_their_own_brace() {
        let text = "impl X {\n    fn a(x: [u8; 4]) -> fn(u8) {\n        if y { \"}\"; }\n    }\n    fn b();\n}\nfn c() {}\n";
        let tokens = tokens(text);
        let found: Vec<_> = functions(&tokens).into_iter().map(|f| (f.name, f.first, f.last)).collect();
        assert_eq!(found, [("a", 2, 4), ("c", 7, 7)]);
    }

    #[test]
    fn lines_count_over_strings_and_comments() {
        let text = "\"a\nb\"\n/* c\n */ d";
        assert_eq!(tokens(text), [Token { text: "d", line: 4 }]);
    }

    #[test]
    fn tests_begin_at_their_attribute() {
        assert_eq!(tests_begin(&tokens("fn a() {}\n\n#[cfg(test)]\nmod tests {}\n")), Some(3));
        assert_eq!(tests_begin(&tokens("// #[cfg(test)] mod tests\n#[cfg(test)]\nfn a() {}")), None);
    }
}
