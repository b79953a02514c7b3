//! Heads as people write them, as YAML allows them, and as nobody should.

use proptest::prelude::*;

use super::{FieldValue, FrontMatter, FrontMatterOddity, MAX_HEAD};

/// The value of `key` in a head of these lines, which must not be odd.
fn value(head: &str) -> FieldValue {
    let text = format!("---\n{head}\n---\nBody\n");
    let found = FrontMatter::parse(&text);
    assert_eq!(found.odd, [], "{head}");
    assert_eq!(found.body, "Body\n");
    found.get("key").cloned().unwrap()
}

fn check(head: &str, expected: &str) {
    assert_eq!(value(head), FieldValue::from(expected), "{head}");
}

fn list(items: &[&str]) -> FieldValue {
    FieldValue::List(items.iter().map(|item| FieldValue::from(*item)).collect())
}

#[test]
fn heads_are_read_as_people_write_them() {
    let text = "---\nname: scout # mine\ndescription: \"Looks: around\"\ntools: [Read, Grep]\nmodel:\n  - a\n  - 'b'\nlong: >\n  one\n  two\nfolded: begins\n  goes on\n---\nBody\n";
    let found = FrontMatter::parse(text);
    assert_eq!(found.odd, []);
    assert_eq!(found.text("name").as_deref(), Some("scout"));
    assert_eq!(found.text("description").as_deref(), Some("Looks: around"));
    assert_eq!(found.get("tools"), Some(&FieldValue::List(vec!["Read".into(), "Grep".into()])));
    assert_eq!(found.get("model"), Some(&FieldValue::List(vec!["a".into(), "b".into()])));
    assert_eq!(found.text("long").as_deref(), Some("one two"));
    assert_eq!(found.text("folded").as_deref(), Some("begins goes on"));
    assert_eq!(found.body, "Body\n");
}

#[test]
fn what_is_odd_is_told_with_its_line_and_the_rest_is_kept() {
    for (text, odd) in [
        ("---\nname: x\n", vec![(1, FrontMatterOddity::NoEnd)]),
        ("---\nname x\n---\n", vec![(2, FrontMatterOddity::NoName)]),
        ("---\nname: x\nname: y\n---\n", vec![(3, FrontMatterOddity::Twice)]),
        ("---\nname: \"x\n---\n", vec![(2, FrontMatterOddity::Quote)]),
        ("---\n\tname: x\n---\n", vec![(2, FrontMatterOddity::Tab)]),
    ] {
        assert_eq!(FrontMatter::parse(text).odd, odd, "{text}");
    }
    let none = FrontMatter::parse("# Just text\n---\n");
    assert!(!none.exists && none.body.starts_with("# Just"));
    for text in ["", "---", "---\n---", "---\r\na: b\r\n---\r\nx", "\u{feff}---\na: [\n---\n"] {
        let _ = FrontMatter::parse(text);
    }
    assert_eq!(FrontMatter::parse("---\r\na: b\r\n---\r\nx").text("a").as_deref(), Some("b"));
}

#[test]
fn escapes_mean_what_yaml_says() {
    check(r#"key: "C:\\new\\table""#, r"C:\new\table");
    check(r#"key: "a\nb\t\"c\" \u00e9 \x41""#, "a\nb\t\"c\" é A");
    check(r"key: 'C:\new'", r"C:\new");
    check("key: 'it''s'", "it's");
    check(r"key: C:\new", r"C:\new");
    check("key: \"two\n  lines\"", "two lines");
}

#[test]
fn blocks_keep_or_fold_their_lines() {
    check("key: |\n  one\n    two\n\n  three", "one\n  two\n\nthree");
    check("key: |-\n  one\n  two", "one\ntwo");
    check("key: >\n  one\n  two\n\n  three", "one two\nthree");
    check("key: |2\n   one\n  two", " one\ntwo");
    check("key: |\n  # no remark\n  a: b", "# no remark\na: b");
}

#[test]
fn scalars_are_told_as_they_were_written() {
    for text in ["true", "3", "1.50", "0x1F", "null", "2026-01-01", "a, b, c"] {
        check(&format!("key: {text}"), text);
    }
    check("key:", "");
    check("key: ~", "");
    check("key: ''", "");
    check("key: a # remark", "a");
    check("key: a#b", "a#b");
}

#[test]
fn lists_and_maps_nest() {
    assert_eq!(value("key: []"), FieldValue::List(Vec::new()));
    assert_eq!(value("key: [a, 'b, c', \"d\"]"), list(&["a", "b, c", "d"]));
    assert_eq!(value("key:\n- a\n- b"), list(&["a", "b"]));
    assert_eq!(value("key: [\n  a,\n  b\n]"), list(&["a", "b"]));
    let hooks = value("key:\n  PreToolUse:\n    - matcher: Bash\n      hooks: [{type: command}]\n  Stop: []");
    let command = FieldValue::Map(vec![("type".into(), "command".into())]);
    let hook = FieldValue::Map(vec![
        ("matcher".into(), "Bash".into()),
        ("hooks".into(), FieldValue::List(vec![command])),
    ]);
    assert_eq!(
        hooks,
        FieldValue::Map(vec![
            ("PreToolUse".into(), FieldValue::List(vec![hook])),
            ("Stop".into(), FieldValue::List(Vec::new())),
        ])
    );
    assert_eq!(hooks.to_string(), "PreToolUse: [{matcher: Bash, hooks: [{type: command}]}], Stop: []");
}

#[test]
fn aliases_stand_for_what_they_name() {
    let found = FrontMatter::parse("---\na: &x [b, c]\nkey: *x\nd: &y e\nf: *y\n---\n");
    assert_eq!(found.odd, []);
    assert_eq!(found.get("key"), Some(&list(&["b", "c"])));
    assert_eq!(found.text("f").as_deref(), Some("e"));
}

#[test]
fn aliases_that_grow_without_bound_are_refused() {
    let mut bomb = String::from("---\nname: x\na0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for level in 1..20 {
        let inside = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.push_str(&format!("a{level}: &a{level} [{inside}]\n"));
    }
    bomb.push_str("---\nBody\n");
    let found = FrontMatter::parse(&bomb);
    assert_eq!(found.text("name").as_deref(), Some("x"));
    assert_eq!(found.get("a0").map(|field| matches!(field, FieldValue::List(_))), Some(true));
    assert!(found.odd.len() >= 15, "{:?}", found.odd);
    assert_eq!(found.body, "Body\n");
    let held: usize = found.fields.iter().map(|(_, field)| field.to_string().len()).sum();
    assert!(held < 1 << 20, "{held}");
    // One that stands in itself has no value.
    assert_eq!(FrontMatter::parse("---\na: &x [*x]\n---\n").odd, [(2, FrontMatterOddity::NotYaml)]);
}

#[test]
fn what_is_no_yaml_is_kept_as_text_and_costs_no_other_name() {
    let text = "---\nname: scout\ndescription: Use this: when lost\n  <example>a: b: c</example>\ntools:\n  - Read\nodd: @x\nlast: 'y'\n---\n";
    let found = FrontMatter::parse(text);
    assert_eq!(found.odd, [(3, FrontMatterOddity::NotYaml), (7, FrontMatterOddity::NotYaml)]);
    assert_eq!(found.text("name").as_deref(), Some("scout"));
    let said = "Use this: when lost <example>a: b: c</example>";
    assert_eq!(found.text("description").as_deref(), Some(said));
    assert_eq!(found.get("tools"), Some(&list(&["Read"])));
    assert_eq!(found.text("odd").as_deref(), Some("@x"));
    assert_eq!(found.text("last").as_deref(), Some("y"));
}

#[test]
fn depth_and_length_are_bounded() {
    let deep = format!("---\nname: x\nkey: {}{}\n---\n", "[".repeat(200), "]".repeat(200));
    let found = FrontMatter::parse(&deep);
    assert_eq!(found.odd, [(3, FrontMatterOddity::TooLarge)]);
    assert_eq!(found.text("name").as_deref(), Some("x"));
    assert_eq!(found.text("key").map(|text| text.len()), Some(400));
    let long = format!("---\nname: x\nkey: {}\n---\nBody\n", "a".repeat(MAX_HEAD));
    let found = FrontMatter::parse(&long);
    assert_eq!(found.odd, [(1, FrontMatterOddity::TooLarge)]);
    assert_eq!(found.text("key").map(|text| text.len()), Some(MAX_HEAD));
    assert_eq!(found.body, "Body\n");
}

#[test]
fn marks_and_endings_of_other_systems_are_understood() {
    let text =
        "\u{feff}---\r\nname: x\r\ntools:\r\n  - a\r\n  - b\r\nlong: |\r\n  one\r\n  two\r\n---\r\nBody\r\n";
    let found = FrontMatter::parse(text);
    assert_eq!(found.odd, []);
    assert_eq!(found.text("name").as_deref(), Some("x"));
    assert_eq!(found.get("tools"), Some(&list(&["a", "b"])));
    assert_eq!(found.text("long").as_deref(), Some("one\ntwo"));
    assert_eq!(found.body, "Body\r\n");
    assert_eq!(FrontMatter::parse("---\n# remark\n\n---\nx").fields, []);
    assert_eq!(FrontMatter::parse("---\n# remark\n\n---\nx").odd, []);
}

fn scrap() -> impl Strategy<Value = String> {
    let bits = [
        "a: ",
        "- ",
        "? ",
        ": ",
        "[",
        "]",
        "{",
        "}",
        ",",
        "\n",
        "\n  ",
        "\t",
        "\"",
        "'",
        "|\n",
        ">-\n",
        "&x ",
        "*x",
        "!!str ",
        "%YAML 1.2\n",
        "---\n",
        "...\n",
        "#",
        "\\",
        "\\u",
        "@",
        "`",
        "\u{feff}",
        "é",
        "\u{2028}",
        "\r",
        "\0",
        "~",
        "<<: ",
        "1",
    ];
    prop_oneof![4 => prop::sample::select(bits.to_vec()).prop_map(str::to_owned), 1 => ".{0,3}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn any_head_is_read(scraps in prop::collection::vec(scrap(), 0..40)) {
        let head = scraps.concat();
        let text = format!("---\n{head}\n---\nBody\n");
        let found = FrontMatter::parse(&text);
        prop_assert!(found.exists);
        prop_assert!(found.body.ends_with("Body\n"));
        prop_assert!(found.odd.iter().all(|(line, _)| *line >= 1 && *line <= text.lines().count() as u64 + 64));
    }
}
