//! `scrollback resume`: whole outputs over the sample and over recorded cases, and how the client is started.

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;

use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

use crate::program::Program;

/// A recorded case by the path of its file, which is no session of any store.
fn case(version: &str, name: &str) -> String {
    let case = corpus::oracle_cases(version).into_iter().find(|case| case.name == name).unwrap();
    case.session().to_str().unwrap().to_owned()
}

fn told(version: &str, name: &str, arguments: &[&str]) -> String {
    let path = case(version, name);
    let all: Vec<&str> = ["resume", &path, "--explain"].iter().chain(arguments).copied().collect();
    Program::new().told(&all)
}

macro_rules! snapshots {
    ($( $name:ident: $told:expr; )*) => { $(
        #[test]
        fn $name() {
            insta::assert_snapshot!(stringify!($name), $told);
        }
    )* };
}

snapshots! {
    resume_help: Program::new().told(&["resume", "--help"]);
    resume_explained: Program::new().told(&["--sample", "resume", "fc6154f9", "--explain"]);
    resume_compaction: Program::new().told(&["--sample", "resume", "1fab43cc", "--explain", "--prompt", "And now?"]);
    resume_as_json: told("2.1.200", "killed-after-result", &["--client", "2.1.200", "--json"]);
    resume_compared: told("2.1.9", "mut-middle-line-deleted", &["--client", "2.1.9", "--client", "2.1.200"]);
    resume_compared_alike: told("2.1.325", "plain", &["--client", "2.1.200", "--client", "2.1.325"]);
    resume_a_cycle: told("2.1.9", "mut-cycle", &["--client", "2.1.9"]);
    resume_compared_refusal: told("2.1.325", "mut-timestamps-missing", &["--client", "2.1.9", "--client", "2.1.325"]);
    resume_no_such_version: told("2.1.325", "plain", &["--client", "newest"]);
    resume_three_clients: told("2.1.325", "plain", &["--client", "2.1.9", "--client", "2.1.80", "--client", "2.1.200"]);
    resume_an_agent: Program::new().told(&["--sample", "resume", "e9609126/a1", "--explain"]);
    resume_nothing: Program::new().told(&["--sample", "resume", "no such thing", "--explain"]);
    resume_of_the_sample: Program::new().told(&["--sample", "resume", "fc6154f9"]);
    resume_json_tells_nothing: Program::new().told(&["--sample", "resume", "fc6154f9", "--json"]);
}

fn session() -> Store {
    Store::new().lines(
        "projects/-x/aaaa1111-0000-4000-8000-000000000001.jsonl",
        [r#"{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-11-01T10:00:00.000Z","cwd":"/x y","message":{"role":"user","content":"hi"}}"#],
    )
}

#[test]
fn print_gives_the_command_and_starts_nothing() {
    let told = Program::with(session()).told(&["resume", "aaaa", "--print"]);
    let expected = "status 0\n--- stdout\ncd '/x y' && claude --resume aaaa1111-0000-4000-8000-000000000001\n--- stderr\n";
    assert_eq!(told, expected);
}

#[test]
fn the_client_is_started_in_the_directory_of_the_session() {
    let place = tempfile::tempdir().unwrap();
    let (bin, work) = (place.path().join("bin"), place.path().join("work"));
    std::fs::create_dir(&bin).unwrap();
    std::fs::create_dir(&work).unwrap();
    let client = bin.join("claude");
    std::fs::write(&client, "#!/bin/sh\necho \"$@\"\npwd\n").unwrap();
    std::fs::set_permissions(&client, std::fs::Permissions::from_mode(0o755)).unwrap();
    let line = format!(
        r#"{{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-11-01T10:00:00.000Z","cwd":"{}","message":{{"role":"user","content":"hi"}}}}"#,
        work.display()
    );
    let id = "aaaa1111-0000-4000-8000-000000000001";
    let program = Program::with(Store::new().lines(format!("projects/-w/{id}.jsonl"), [line]));
    let output = program.command(&["resume", "aaaa"]).env("PATH", &bin).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(told, format!("--resume {id}\n{}\n", work.canonicalize().unwrap().display()));
    let without = program.run(&["resume", "aaaa"]);
    assert_eq!(without.status.code(), Some(5));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let program = Program::new();
    let path = case("2.1.325", "base");
    let mut child = program
        .command(&["resume", &path, "--explain", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}
