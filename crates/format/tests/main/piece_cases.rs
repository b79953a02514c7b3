//! Every known way a line can be broken, and what is made of it.

use scrollback_format::entry::Dialect;
use scrollback_format::line;
use scrollback_format::piece::{Parser, PieceKind};

const USER: &str = r#"{"type":"user","uuid":"u1","sessionId":"s","message":{"role":"user","content":"hi"}}"#;
const NOTE: &str = r#"{"type":"mode","mode":"normal","sessionId":"s"}"#;

fn pieces(file: &[u8]) -> String {
    let mut parser = Parser::for_dialect(Dialect::Session);
    let mut out = Vec::new();
    for line in line::split(file) {
        parser.each(line, |piece| {
            let kind = match piece.kind {
                PieceKind::Entry(entry) => entry.kind_name(),
                PieceKind::Blank => "blank".into(),
                PieceKind::ByteOrderMark => "bom".into(),
                PieceKind::Nuls => "nuls".into(),
                PieceKind::Value => "value".into(),
                PieceKind::Stub => "stub".into(),
                PieceKind::Torn => "torn".into(),
                PieceKind::Fragment => "fragment".into(),
                other => format!("{other:?}"),
            };
            let problems: Vec<_> = piece.problems.iter().map(|problem| problem.class.name()).collect();
            out.push(format!("{}:{kind}[{}]", piece.line, problems.join(" ")));
        });
    }
    out.join(" ")
}

fn check(file: impl AsRef<[u8]>, expected: &str) {
    assert_eq!(pieces(file.as_ref()), expected);
}

#[test]
fn whole_lines_have_no_problem() {
    check(format!("{USER}\n{NOTE}\n"), "1:user[] 2:mode[]");
    check(format!("{USER}\n{NOTE}"), "1:user[] 2:mode[]");
    check("", "");
    check("{ \"type\" : \"mode\" , \"mode\":\"\u{2028}\u{85}\"} \n", "1:mode[]");
}

#[test]
fn a_torn_last_line_is_kept() {
    check(format!("{NOTE}\n{}", &USER[..40]), "1:mode[] 2:torn[torn_line]");
    check(&USER[..40], "1:torn[torn_line]");
}

#[test]
fn a_cut_line_in_the_middle_is_a_fragment() {
    check(format!("{}\n{NOTE}\n", &USER[..40]), "1:fragment[fragment] 2:mode[]");
    check("ZWFzdXJlLg==\"}]}\n", "1:fragment[fragment]");
}

#[test]
fn objects_glued_on_one_line_are_told_apart() {
    check(format!("{USER}{NOTE}\n"), "1:user[] 1:mode[glued_objects]");
    check(format!("{USER}{NOTE}{USER}\n"), "1:user[] 1:mode[glued_objects] 1:user[glued_objects]");
}

#[test]
fn a_stub_before_a_whole_object_does_not_cost_it() {
    check(format!("{}{USER}\n", &NOTE[..20]), "1:stub[stub] 1:user[]");
    check(format!("{}{NOTE}\n", &USER[..40]), "1:stub[stub] 1:mode[]");
    check(format!("{}{USER}{NOTE}\n", &USER[..70]), "1:stub[stub] 1:user[] 1:mode[glued_objects]");
}

#[test]
fn an_object_inside_a_torn_one_is_no_entry() {
    check(r#"{"type":"user","message":{"type":"mode","mode":"x"}"#, "1:torn[torn_line]");
    check(r#"{"a":[{"type":"text","text":"x"}"#, "1:torn[torn_line]");
}

#[test]
fn nul_runs_are_pieces_of_their_own() {
    check(b"\0\0\0\n", "1:nuls[nul_run]");
    check([USER.as_bytes(), &[0; 9000]].concat(), "1:user[] 1:nuls[nul_run]");
    check([&[0; 300], USER.as_bytes(), b"\n"].concat(), "1:nuls[nul_run] 1:user[]");
    check(
        [&USER.as_bytes()[..30], &[0; 30], NOTE.as_bytes(), b"\n"].concat(),
        "1:stub[stub] 1:nuls[nul_run] 1:mode[]",
    );
}

#[test]
fn marks_of_editors_and_transfers_are_noted() {
    check(format!("\u{feff}{USER}\n"), "1:bom[byte_order_mark] 1:user[]");
    check(format!("{USER}\r\n{NOTE}\r\n"), "1:user[crlf] 2:mode[crlf]");
    check(
        format!("\n{NOTE}\n  \n\n"),
        "1:blank[blank_line] 2:mode[] 3:blank[blank_line] 4:blank[blank_line]",
    );
}

#[test]
fn bad_text_inside_a_whole_object_does_not_cost_it() {
    check(b"{\"type\":\"mode\",\"mode\":\"\xff\"}\n", "1:mode[invalid_utf8]");
    check(r#"{"type":"mode","mode":"\ud83d"}"#, "1:mode[lone_surrogate]");
    check("{\"type\":\"mode\",\"mode\":\"a\tb\"}\n", "1:fragment[fragment]");
}

#[test]
fn values_and_objects_without_a_type_are_kept() {
    check("[1]\n\"x\"\n7\n", "1:value[not_an_object] 2:value[not_an_object] 3:value[not_an_object]");
    check("{\"uuid\":\"x\"}\n", "1:?[no_type]");
    check(
        "{\"type\":\"brand-new\"}\n{\"type\":\"system\",\"subtype\":\"newer\"}\n",
        "1:brand-new[] 2:system/newer[]",
    );
}

#[test]
fn deep_nesting_keeps_the_entry() {
    let deep = format!("{{\"type\":\"mode\",\"x\":{}1{}}}", "[".repeat(500), "]".repeat(500));
    check(deep, "1:mode[too_deep]");
}

#[test]
fn nesting_without_end_is_noted_and_kept() {
    check("[".repeat(3 << 20), "1:fragment[too_deep]");
    check(format!("{}\n{NOTE}\n", "{\"a\":".repeat(2 << 20)), "1:fragment[too_deep] 2:mode[]");
    check("{\"a\":".repeat(200_000), "1:torn[torn_line]");
}
