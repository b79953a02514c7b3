//! What the raw bytes of a line must hold if a text in it is to match.
//!
//! JSON writes most characters as they are. From the expression this takes a part of which every match has a part
//! of its own, made of nothing but such characters: `"foo\nbar_\w+"` needs `bar_`. What looks around (word boundaries,
//! line ends) is dropped, since an escape beside a word reads as something else: `\nfoo` has no boundary before `foo`.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Repetition};

/// The part of the expression that raw bytes must match, unless an escape stands for one of its characters.
///
/// `None`: nothing is known, any line may match.
pub fn of(hir: &Hir) -> Option<Hir> {
    let found = match reduce(hir) {
        Part::Plain(hir) => Some(match hir.kind() {
            HirKind::Concat(subs) => trimmed(subs.clone()),
            _ => hir,
        }),
        Part::Broken(inside) => inside,
    };
    found.filter(|hir| weight(hir) > 0)
}

/// Every character that a match of this can have.
pub fn characters(hir: &Hir) -> ClassUnicode {
    let mut all = ClassUnicode::empty();
    gather(hir, &mut all);
    all
}

/// Is this character written as it is? A quote, a backslash and controls are not; U+FFFD stands for what is broken.
pub fn is_plain(c: char) -> bool {
    !matches!(c, '"' | '\\' | '\0'..='\x1f' | '\u{fffd}')
}

/// An expression seen as what JSON writes.
enum Part {
    /// All its characters are written as they are.
    Plain(Hir),
    /// Some are not; what it needs all the same.
    Broken(Option<Hir>),
}

fn reduce(hir: &Hir) -> Part {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Part::Plain(Hir::empty()),
        HirKind::Literal(literal) => join(literal_parts(&literal.0)),
        HirKind::Class(class) => match unicode(class) {
            Some(class) if is_plain_class(&class) => Part::Plain(Hir::class(Class::Unicode(class))),
            _ => Part::Broken(None),
        },
        HirKind::Repetition(repetition) => repeated(repetition),
        HirKind::Capture(capture) => reduce(&capture.sub),
        HirKind::Concat(subs) => {
            let mut parts = Vec::with_capacity(subs.len());
            for sub in subs {
                match sub.kind() {
                    HirKind::Literal(literal) => parts.extend(literal_parts(&literal.0)),
                    _ => parts.push(reduce(sub)),
                }
            }
            join(parts)
        }
        HirKind::Alternation(subs) => alternated(subs),
    }
}

fn repeated(repetition: &Repetition) -> Part {
    match reduce(&repetition.sub) {
        Part::Plain(sub) => Part::Plain(Hir::repetition(repetition.with(sub))),
        Part::Broken(inside) => Part::Broken(inside.filter(|_| repetition.min > 0)),
    }
}

fn alternated(subs: &[Hir]) -> Part {
    let mut all_plain = true;
    let mut needs = Vec::with_capacity(subs.len());
    for sub in subs {
        let need = match reduce(sub) {
            Part::Plain(sub) => Some(sub),
            Part::Broken(inside) => {
                all_plain = false;
                inside
            }
        };
        match need {
            Some(need) => needs.push(need),
            None => return Part::Broken(None),
        }
    }
    let either = Hir::alternation(needs);
    if all_plain { Part::Plain(either) } else { Part::Broken(Some(either)) }
}

/// A literal as runs of plain characters and what is between them.
fn literal_parts(bytes: &[u8]) -> Vec<Part> {
    let Ok(text) = std::str::from_utf8(bytes) else { return vec![Part::Broken(None)] };
    let mut parts = Vec::new();
    for (at, run) in text.split(|c| !is_plain(c)).enumerate() {
        if at > 0 {
            parts.push(Part::Broken(None));
        }
        if !run.is_empty() {
            parts.push(Part::Plain(Hir::literal(run.as_bytes())));
        }
    }
    parts
}

/// Parts side by side: all of them if they are plain, else the weightiest run or inside of them.
fn join(parts: Vec<Part>) -> Part {
    let mut best: Option<Hir> = None;
    let mut run = Vec::new();
    let mut broken = false;
    let mut offer = |hir: Hir| {
        let better = best.as_ref().is_none_or(|best| weight(best) < weight(&hir));
        if better && weight(&hir) > 0 {
            best = Some(hir);
        }
    };
    for part in parts {
        match part {
            Part::Plain(hir) => run.push(hir),
            Part::Broken(inside) => {
                broken = true;
                offer(trimmed(std::mem::take(&mut run)));
                if let Some(inside) = inside {
                    offer(inside);
                }
            }
        }
    }
    if !broken {
        return Part::Plain(Hir::concat(run));
    }
    offer(trimmed(run));
    Part::Broken(best)
}

/// A run without what narrows nothing down at its ends, such as `\w+`.
fn trimmed(mut run: Vec<Hir>) -> Hir {
    while run.last().is_some_and(|hir| weight(hir) == 0) {
        run.pop();
    }
    let start = run.iter().position(|hir| weight(hir) > 0).unwrap_or(run.len());
    Hir::concat(run.split_off(start))
}

/// How much an expression narrows down: the length of its longest stretch of letters, those of few forms counted half.
fn weight(hir: &Hir) -> usize {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => 2 * literal.0.len(),
        HirKind::Class(class) => usize::from(is_small(class)),
        HirKind::Repetition(repetition) if repetition.min == 0 => 0,
        HirKind::Repetition(repetition) => weight(&repetition.sub),
        HirKind::Capture(capture) => weight(&capture.sub),
        HirKind::Alternation(subs) => subs.iter().map(weight).min().unwrap_or(0),
        HirKind::Concat(subs) => {
            let (mut longest, mut running) = (0, 0);
            for sub in subs {
                let own = weight(sub);
                running = match sub.kind() {
                    HirKind::Literal(_) | HirKind::Class(_) if own > 0 => running + own,
                    HirKind::Empty | HirKind::Look(_) => running,
                    _ => 0,
                };
                longest = longest.max(running).max(own);
            }
            longest
        }
    }
}

fn is_small(class: &Class) -> bool {
    const FEW: usize = 8;
    let count: usize = match class {
        Class::Unicode(class) => class.iter().map(ClassUnicodeRange::len).sum(),
        Class::Bytes(class) => class.iter().map(|range| range.len()).sum(),
    };
    count <= FEW
}

fn unicode(class: &Class) -> Option<ClassUnicode> {
    match class {
        Class::Unicode(class) => Some(class.clone()),
        Class::Bytes(class) => class.to_unicode_class(),
    }
}

fn is_plain_class(class: &ClassUnicode) -> bool {
    let odd = ['"', '\\', '\u{fffd}'].map(|c| ClassUnicodeRange::new(c, c));
    let mut odd = ClassUnicode::new(odd.into_iter().chain([ClassUnicodeRange::new('\0', '\x1f')]));
    odd.intersect(class);
    odd.ranges().is_empty()
}

fn gather(hir: &Hir, all: &mut ClassUnicode) {
    match hir.kind() {
        HirKind::Literal(literal) => {
            for c in String::from_utf8_lossy(&literal.0).chars() {
                all.push(ClassUnicodeRange::new(c, c));
            }
        }
        HirKind::Class(class) => {
            if let Some(class) = unicode(class) {
                all.union(&class);
            }
        }
        kind => kind.subs().iter().for_each(|sub| gather(sub, all)),
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use regex_syntax::ParserBuilder;

    fn check(expression: &str, expected: &str) {
        let hir = ParserBuilder::new().multi_line(true).build().parse(expression).unwrap();
        let need = of(&hir).map(|need| need.to_string()).unwrap_or_default();
        assert_eq!(need, expected, "{expression}");
    }

    #[test]
    fn the_longest_plain_run_is_needed() {
        check("reconnect", "(?:reconnect)");
        check(r#"say "hello world"\n"#, "(?:hello world)");
        check(r"foo.*barbar", "(?:barbar)");
        check(r"\bfoo\b", "(?:foo)");
        check(r"(foo|ba[rz])+", "(?:(?:foo)|(?:(?:ba)[rz]))+");
        check(r#"foo|"quoted""#, "(?:(?:foo)|(?:quoted))");
        check(r"(?:fo\no)+x?", "(?:fo)");
        check(r".+=[0-9]+;", "(?:=[0-9]+;)");
    }

    #[test]
    fn where_nothing_is_needed_every_line_may_match() {
        for expression in ["", ".*", r"\w+", r"\d{4}", "(foo)?", r#"foo|\n"#, r#"["']+"#, "\u{fffd}"] {
            check(expression, "");
        }
    }
}
