//! What Markdown looks like.

use super::*;
use crate::paint::{Theme, paint};

fn check(text: &str, expected: &str) {
    check_at(40, text, expected);
}

fn check_at(width: usize, text: &str, expected: &str) {
    let shown = paint(&markdown(text, Canvas::new(width, Theme::plain())), Theme::plain());
    let shown: Vec<&str> = shown.lines().map(str::trim_end).collect();
    let expected: Vec<&str> = expected.trim_matches('\n').lines().collect();
    assert_eq!(shown, expected, "{text}");
}

#[test]
fn paragraphs_wrap_and_stay_apart() {
    check("", "");
    check("one\ntwo  \nthree\n\nfour", "one\ntwo\nthree\n\nfour");
    check("a *b* **c** ***d*** `e` ~~f~~ ~5 or ~6~", "a b c d `e` ~~f~~ ~5 or ~6~");
    check("snake_case and 2 * 3 * 4", "snake_case and 2 * 3 * 4");
}

#[test]
fn headings_stand_close_to_their_text() {
    check("intro\n# One\ntext\n## Two\n- a", "intro\n\n# One\ntext\n\n## Two\n• a");
}

#[test]
fn links_show_their_address_once() {
    check("[docs](https://a.b/c) <https://d.e> <m@x.org>", "docs (https://a.b/c) https://d.e m@x.org");
    check("![a cat](cat.png)", "[image: a cat]");
    check("[`f.rs`](f.rs)", "`f.rs`");
}

#[test]
fn lists_hang_and_nest() {
    check(
        "Steps:\n1. first\n2. second that is long enough to wrap here\n   - inner\n   - other\n3. third\n\nend",
        "
Steps:

1. first
2. second that is long enough to wrap
   here
   ◦ inner
   ◦ other
3. third

end",
    );
    check("- [x] done\n- [ ] open\n-", "• ☑ done\n• ☐ open\n•");
    check("- a\n\n  more\n\n- b", "• a\n\n  more\n\n• b");
    check("- a\n  ```\n  x\n  ```\n- b", "• a\n    x\n\n• b");
}

#[test]
fn quotes_have_a_bar() {
    check("> one\n>\n> - two\n\nafter", "▎ one\n▎\n▎ • two\n\nafter");
    check("> > deep", "▎ ▎ deep");
}

#[test]
fn code_is_indented_and_keeps_its_spaces() {
    check("x\n```rust,ignore\nfn a() {\n    b\n\n}\n```\ny", "x\n\n  rust\n  fn a() {\n      b\n\n  }\n\ny");
    check_at(12, "```\n0123456789abc\n```", "  0123456789\n  abc");
    check("```\nnever closed", "  never closed");
}

#[test]
fn tables_fit_the_width() {
    let table = "| a | name | n |\n|---|:---:|--:|\n| 1 | `x` | 10 |\n| 22 | y | 5<br>6 |";
    check(
        table,
        "
a  │ name │   n
───┼──────┼────
1  │ `x`  │  10
22 │  y   │ 5 6",
    );
    let wide = "| key | value |\n|---|---|\n| one | a sentence that is long |\n| two | b |";
    check_at(
        24,
        wide,
        "
key │ value
────┼───────────────────
one │ a sentence that is
    │ long
────┼───────────────────
two │ b",
    );
    check_at(10, wide, "key: one\nvalue: a\n  sentence\n  that is\n  long\n\nkey: two\nvalue: b");
}

#[test]
fn html_and_entities_are_text() {
    check("<div>\nhi\n</div>\n\na <b>c</b> &lt;", "<div>\nhi\n</div>\n\na <b>c</b> <");
    check("a &#27;[2J b", "a ␛[2J b");
    check("---", "────────────────────────────────────────");
}

#[test]
fn deep_nesting_leaves_room_for_text() {
    let lines = markdown(&format!("{} word", ">".repeat(3000)), Canvas::new(20, Theme::plain()));
    assert!(lines.iter().all(|line| line.width() <= 20), "{lines:?}");
}

proptest::proptest! {
    #[test]
    fn any_text_fits_the_canvas(text in "([a-z ]{0,12}|[-*>#`|~<>\\[\\]()!&\\n 1.日]{0,8}){0,12}", width in 20usize..60) {
        let lines = markdown(&text, Canvas::new(width, Theme::plain()));
        proptest::prop_assert!(lines.iter().all(|line| line.width() <= width), "{lines:?}");
        let kept: String = lines.iter().map(StyledLine::text).collect();
        for letter in 'a'..='z' {
            let count = |text: &str| text.matches(letter).count();
            proptest::prop_assert!(count(&kept) + 9 >= count(&text), "{letter} is lost");
        }
    }
}
