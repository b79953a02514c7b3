//! Pools of text to cut pieces from: prose, code, command output and base64, made once at the start.
//!
//! A piece is a run of whole lines of a pool, so it costs no more than a copy. Words follow a rough Zipf
//! law over common English words and made-up identifiers, with numbers, paths, quotes and other scripts mixed in.

use super::random::Dice;

const SEED: u64 = 0x7465_7874;
const POOL: usize = 3 << 20;

const WORDS: &str = "the of and to a in is that it for was on are as with his they at be this from have or by one had not \
but what all were when we there can an your which their said if do will each about how up out them then she many some so \
these would other into has more her two like him see time could no make than first been its who now people my made over did \
down only way find use may water long little very after words called just where most know get through back much before go \
good new write our used me man too any day same right look think also around another came come work three word must because \
does part even place well such here take why things help put years different away again off went old number great tell men \
say small every found still between name should home big give air line set own under read last never us left end along while \
might next sound below saw something thought both few those always show large often together asked house world going want \
test build cache error retry timeout request response server client thread queue parser token index schema migration commit \
branch merge review deploy config module function struct trait field buffer stream socket handler closure borrow lifetime \
panic channel mutex future await query column table row key value pointer string bytes length offset cursor page block";

const PARTS: &str = "user session order cart item price token auth cache store index page query result batch job task worker \
pool retry backoff limit rate window bucket shard replica leader node edge graph tree leaf root path file blob chunk span frame \
event metric trace log level filter sink source reader writer codec frame packet header body status code kind state phase step";

const COMMENTS: [&str; 6] = [
    "// Keep the order stable: the caller compares snapshots.",
    "/* größere Blöcke zuerst – sonst läuft der Puffer über */",
    "# TODO(ada): the \"fast\" path skips validation",
    "// 再試行は最大五回まで",
    "\t/* a tab-indented note with a back\\slash and \"quotes\" */",
    "// ✅ covered by tests/integration.rs",
];

/// The pools.
#[derive(Debug)]
pub struct Pools {
    prose: Pool,
    code: Pool,
    output: Pool,
    base64: String,
}

/// What a piece of text should look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    /// Sentences, with Markdown now and then.
    Prose,
    /// Source code.
    Code,
    /// What commands print.
    Output,
}

#[derive(Debug)]
struct Pool {
    text: String,
    starts: Vec<usize>,
}

impl Pool {
    fn new(lines: impl FnMut(&mut String)) -> Self {
        let mut text = String::with_capacity(POOL + 4096);
        let mut starts = Vec::new();
        let mut lines = lines;
        while text.len() < POOL {
            starts.push(text.len());
            lines(&mut text);
            text.push('\n');
        }
        Self { text, starts }
    }

    /// Whole lines of about `size` bytes; the last may be cut, between characters.
    fn piece(&self, dice: &mut Dice, size: usize) -> &str {
        let room = self.starts.partition_point(|start| start + size < self.text.len()).max(1);
        let start = self.starts[dice.index(room)];
        let mut end = (start + size).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        self.text[start..end].trim_end_matches('\n')
    }
}

impl Pools {
    /// Makes the pools; always the same ones.
    pub fn new() -> Self {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let parts: Vec<&str> = PARTS.split_whitespace().collect();
        let (mut a, mut b, mut c) = (Dice::new(SEED, 1), Dice::new(SEED, 2), Dice::new(SEED, 3));
        let mut d = Dice::new(SEED, 4);
        let alphabet: Vec<char> = ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(['+', '/']).collect();
        Self {
            prose: Pool::new(|line| prose_line(line, &mut a, &words, &parts)),
            code: Pool::new(|line| code_line(line, &mut b, &words, &parts)),
            output: Pool::new(|line| output_line(line, &mut c, &words, &parts)),
            base64: (0..1 << 20).map(|_| d.pick(&alphabet)).collect(),
        }
    }

    /// A piece of about `size` bytes.
    pub fn piece(&self, dice: &mut Dice, flavour: Flavour, size: usize) -> &str {
        let pool = match flavour {
            Flavour::Prose => &self.prose,
            Flavour::Code => &self.code,
            Flavour::Output => &self.output,
        };
        pool.piece(dice, size)
    }

    /// A line of prose, for titles and prompts.
    pub fn line(&self, dice: &mut Dice, most: usize) -> &str {
        let piece = self.piece(dice, Flavour::Prose, most);
        piece.lines().find(|line| line.len() > 8).unwrap_or("Look at the failing test")
    }

    /// Base64 of any size.
    pub fn base64(&self, dice: &mut Dice, size: usize) -> String {
        let start = dice.index(self.base64.len() / 2);
        let mut text = String::with_capacity(size);
        while text.len() < size {
            let end = (start + size - text.len()).min(self.base64.len());
            text.push_str(&self.base64[start..end]);
        }
        text
    }

    /// Output of any size, beyond what the pool holds.
    pub fn long_output(&self, dice: &mut Dice, size: usize) -> String {
        let mut text = String::with_capacity(size + POOL);
        while text.len() < size {
            let wanted = (size - text.len()).min(POOL / 2);
            text.push_str(self.piece(dice, Flavour::Output, wanted));
            text.push('\n');
        }
        text
    }
}

/// A word: mostly a common one, now and then an identifier that is rare.
fn word(line: &mut String, dice: &mut Dice, words: &[&str], parts: &[&str]) {
    // The smaller of two draws favours the front of the list, as languages do.
    let place = dice.index(words.len()).min(dice.index(words.len()));
    match dice.below(24) {
        0 => identifier(line, dice, parts),
        1 => line.push_str(&format!("`{}_{}`", dice.pick(parts), dice.pick(parts))),
        2 => line.push_str(&dice.below(10_000).to_string()),
        _ => line.push_str(words[place]),
    }
}

fn identifier(line: &mut String, dice: &mut Dice, parts: &[&str]) {
    line.push_str(dice.pick(parts));
    for _ in 0..dice.between(1, 2) {
        line.push('_');
        line.push_str(dice.pick(parts));
    }
    if dice.chance(200) {
        line.push_str(&dice.below(97).to_string());
    }
}

fn prose_line(line: &mut String, dice: &mut Dice, words: &[&str], parts: &[&str]) {
    match dice.below(20) {
        0 => return,
        1 => line.push_str("## "),
        2..=4 => line.push_str("- "),
        5 => line.push_str("1. **"),
        _ => {}
    }
    let bold = line.ends_with("**");
    for place in 0..dice.between(6, 34) {
        if place > 0 {
            line.push_str(if dice.chance(60) { ", " } else { " " });
        }
        word(line, dice, words, parts);
    }
    line.push_str(if bold { "**" } else { "." });
    match dice.below(60) {
        0 => line.push_str(" Das wäre die übliche Lösung — “so gut wie” sicher."),
        1 => line.push_str(" 日本語のテキストも混ざっています。"),
        2 => line.push_str(" \"quoted\" and C:\\path\\to\\it 🚀"),
        _ => {}
    }
}

fn code_line(line: &mut String, dice: &mut Dice, words: &[&str], parts: &[&str]) {
    let indent = 4 * dice.index(4);
    line.extend(std::iter::repeat_n(' ', indent));
    match dice.below(12) {
        0 => {}
        1 => line.push_str(dice.pick(&COMMENTS)),
        2 => {
            line.push_str("fn ");
            identifier(line, dice, parts);
            line.push_str("(&self, input: &str) -> Result<Vec<u8>, Error> {");
        }
        3 => line.push('}'),
        4 => {
            line.push_str("if (");
            identifier(line, dice, parts);
            line.push_str(" === \"");
            line.push_str(dice.pick(words));
            line.push_str("\\n\") {");
        }
        5 => {
            line.push_str("return self.");
            identifier(line, dice, parts);
            line.push_str("(key=\"x\", value=None)");
        }
        _ => {
            line.push_str("let ");
            identifier(line, dice, parts);
            line.push_str(" = ");
            identifier(line, dice, parts);
            line.push_str(&format!("({}, 0x{:x});", dice.below(100), dice.below(65_536)));
        }
    }
}

fn output_line(line: &mut String, dice: &mut Dice, words: &[&str], parts: &[&str]) {
    match dice.below(8) {
        0 => line.push_str(&format!(
            "src/{}/{}.rs:{}:{}: ",
            dice.pick(parts),
            dice.pick(parts),
            dice.below(900),
            dice.below(80)
        )),
        1 => {
            line.push_str("test ");
            identifier(line, dice, parts);
            line.push_str(" ... \u{1b}[32mok\u{1b}[0m");
            return;
        }
        2 => line.push_str(&format!(
            "2026-0{}-1{}T0{}:{:02}:00Z INFO ",
            dice.between(1, 9),
            dice.below(9),
            dice.below(9),
            dice.below(60)
        )),
        3 => line.push_str(&format!("{:08x}{:08x}\t", dice.below(1 << 32), dice.below(1 << 32))),
        4 => line.push_str(&format!(
            "-rw-r--r--  1 ada ada {:>8} Nov {:>2} 10:0{} ",
            dice.below(99_999_999),
            dice.between(1, 28),
            dice.below(9)
        )),
        _ => {}
    }
    for place in 0..dice.between(3, 12) {
        if place > 0 {
            line.push(' ');
        }
        word(line, dice, words, parts);
    }
}

#[cfg(test)]
mod tests {
    use super::{Flavour, Pools};
    use crate::corpus::random::Dice;

    #[test]
    fn pieces_have_about_the_size_asked_for() {
        let pools = Pools::new();
        let mut dice = Dice::new(3, 4);
        for size in [50, 1000, 100_000] {
            let piece = pools.piece(&mut dice, Flavour::Code, size);
            assert!(piece.len() <= size && piece.len() + 200 > size, "{size} {}", piece.len());
        }
        assert_eq!(pools.base64(&mut dice, 3 << 20).len(), 3 << 20);
    }
}
