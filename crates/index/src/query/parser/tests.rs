//! One row a query: what it becomes, or what is wrong with it and where.

use scrollback_format::time::Time;

use super::super::{Classes, Expr, Filter};
use super::parse;

fn show(expr: &Expr) -> String {
    let all = |list: &[Expr]| list.iter().map(show).collect::<Vec<_>>();
    match expr {
        Expr::And(list) => format!("({})", all(list).join(" & ")),
        Expr::Or(list) => format!("({})", all(list).join(" | ")),
        Expr::Not(inner) => format!("!{}", show(inner)),
        Expr::Words(words) => {
            let star = if words.prefix { "*" } else { "" };
            let scope =
                if words.classes == Classes::ALL { String::new() } else { format!("@{:b}", words.classes.0) };
            format!("{}{star}{scope}", words.tokens.join("+"))
        }
        Expr::Filter(Filter::In(classes)) => format!("in {:b}", classes.0),
        Expr::Filter(filter) => format!("{filter:?}"),
    }
}

fn date(text: &str) -> Result<Time, String> {
    Time::decode(&format!("{text}T00:00:00.000Z")).ok_or_else(|| format!("'{text}' is no date"))
}

fn check(query: &str, expected: &str) {
    let told = match parse(query, &date) {
        Ok(expr) => show(&expr),
        Err(error) => {
            let hint = error.suggestion.map(|hint| format!(" -> {hint}")).unwrap_or_default();
            format!("{}..{}: {}{hint}", error.place.start, error.place.end, error.message)
        }
    };
    assert_eq!(told, expected, "{query}");
}

#[test]
fn words_phrases_and_groups() {
    check("fix", "fix");
    check("fix test", "(fix & test)");
    check("\"flaky test\" fix", "(flaky+test & fix)");
    check("a b OR c d", "((a & b) | (c & d))");
    check("a (b OR c) -d", "(a & (b | c) & !d)");
    check("a NOT (b c)", "(a & !(b & c))");
    check("a --b - c", "(a & b & c)");
    check("a AND b", "(a & b)");
    check("recon* hel** foo-*", "(recon* & hel* & foo)");
    check("foo::bar*", "foo+bar*");
    check("useEffect snake_case 天気", "(useeffect & snake+case & 天+気)");
    check("std:thread http://a.b foo::bar", "(std+thread & http+a+b & foo+bar)");
    check("a => b", "(a & b)");
    check("\"\" x", "x");
    check("a\"b c\"d", "(a & b+c & d)");
}

#[test]
fn fields_and_scopes() {
    check("tool:Bash x", "(Tool(\"bash\", false) & x)");
    check("tool:mcp__*", "Tool(\"mcp__\", true)");
    check("role:user", "Role(\"user\")");
    check("file:src/x.rs", "File([\"src\", \"x\", \"rs\"])");
    check("project:\"my dir\" y", "(Project(\"my dir\") & y)");
    check("is:dead_branch", "DeadBranch");
    check("agent:*", "Agent(\"\")");
    check("in:prompts a b", "(a@1 & b@1 & in 1)");
    check("in:prompts", "in 1");
    check("(in:thinking a) OR b", "((a@100 & in 100) | b)");
    check("in:output (in:input a) b", "((a@1000 & in 1000) & b@10000 & in 10000)");
    check("-in:output a", "(a@101111 & in 101111)");
    check("since:2026-11-01 a", "(Since(Time(1793491200000)) & a)");
}

#[test]
fn errors_have_a_place_and_a_hint() {
    check("", "0..0: no search terms; a word needs a letter or a digit");
    check("-- =>", "0..5: no search terms; a word needs a letter or a digit");
    check("-a", "0..2: only exclusions; add something to search for");
    check("-a OR b", "0..7: only exclusions; add something to search for");
    check("a OR", "4..4: OR needs something on both sides");
    check("OR a", "0..2: OR needs something on both sides");
    check("(a", "0..1: unclosed parenthesis");
    check("a)", "1..2: unmatched closing parenthesis");
    check("a \"b", "2..3: unclosed quote");
    check("rol:user", "0..3: unknown field rol: -> role:user");
    check("role:usr", "5..8: role: must be one of user, assistant, tool -> role:user");
    check("is:eror x", "3..7: is: must be one of error, compacted, dead-branch -> is:error");
    check("since:someday", "6..13: 'someday' is no date");
    check("tool:", "0..5: tool: needs a value");
    check("a NOT", "2..5: nothing to exclude");
}

#[test]
fn deep_nesting_is_an_error() {
    assert!(parse(&"(".repeat(10_000), &date).is_err());
    assert!(parse(&"-".repeat(10_000), &date).is_err());
    assert!(parse(&format!("{}a{}", "(".repeat(200), ")".repeat(200)), &date).is_err());
}
