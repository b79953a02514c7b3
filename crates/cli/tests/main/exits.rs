//! Exit codes as they are documented: a script that looks at nothing else must not be misled.

use scrollback_testkit::home::Store;

use crate::program::Program;

const FILE: &str = "projects/-x/aaaa1111-0000-4000-8000-000000000001.jsonl";
const LINE: &str = r#"{"parentUuid":null,"isSidechain":false,"type":"user","uuid":"00000000-0000-4000-8000-000000000001","timestamp":"2026-11-01T10:00:00.000Z","cwd":"/x","sessionId":"aaaa1111-0000-4000-8000-000000000001","version":"2.1.200","message":{"role":"user","content":"hello"}}"#;

fn code(program: &Program, arguments: &[&str]) -> Option<i32> {
    program.run(arguments).status.code()
}

#[test]
fn usage_of_nothing_is_nothing_found() {
    let program = Program::with(Store::of_tree("2.1.200"));
    for flags in [&[][..], &["--json"], &["--csv"]] {
        assert_eq!(code(&program, &[&["usage"], flags].concat()), Some(0), "{flags:?}");
        assert_eq!(code(&program, &[&["usage", "-p", "nosuch"], flags].concat()), Some(1), "{flags:?}");
    }
    assert_eq!(code(&program, &["usage", "blocks", "-p", "nosuch"]), Some(1));
    // Nothing spent is within every budget.
    assert_eq!(code(&program, &["usage", "-p", "nosuch", "--budget", "1/day"]), Some(0));
}

#[test]
fn an_edit_that_nobody_could_confirm_is_refused() {
    let program = Program::with(Store::new().lines(FILE, [LINE]));
    for flags in [&[][..], &["--json"]] {
        let output = program.run(&[&["rename", "aaaa", "other"], flags].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(4), "{said}");
        assert!(said.contains("--yes"), "{said}");
    }
    assert_eq!(code(&program, &["rename", "aaaa", "other", "--dry-run"]), Some(0));
    assert!(!program.told(&["ls"]).contains("other"));
    assert_eq!(code(&program, &["rename", "aaaa", "other", "--yes"]), Some(0));
    assert!(program.told(&["ls"]).contains("other"));
}

#[test]
fn a_store_that_cannot_be_read_is_not_taken_for_none() {
    let program = Program::new();
    std::fs::remove_dir(program.root()).unwrap();
    assert!(program.told(&[]).starts_with("status 0"), "without a store there is the sample");
    std::fs::write(program.root(), "no directory").unwrap();
    for arguments in [&[][..], &["ls"], &["--json"]] {
        let told = program.told(arguments);
        assert!(told.starts_with("status 5"), "{told}");
        assert!(told.contains("cannot read HOME/.claude"), "{told}");
    }
}

#[test]
fn what_asks_no_store_says_nothing_of_one() {
    let program = Program::new();
    std::fs::remove_dir(program.root()).unwrap();
    for arguments in [&["json-schema"][..], &["index", "tables"]] {
        let told = program.told(arguments);
        assert!(told.starts_with("status 0") && !told.contains("no store at"), "{told}");
    }
}

#[test]
fn a_session_without_files_is_nothing_found_as_json_too() {
    let program = Program::with(Store::new().lines(FILE, [LINE]));
    for flags in [&[][..], &["--json"]] {
        assert_eq!(code(&program, &[&["files", "ls", "aaaa"], flags].concat()), Some(1), "{flags:?}");
    }
}
