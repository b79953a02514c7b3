//! What a first-rate command-line tool does: exit codes, closed pipes, harmless text, missing stores, colours.

use std::io::Read;
use std::process::Stdio;

use scrollback_testkit::home::Store;

use crate::program::Program;

fn code(program: &Program, arguments: &[&str]) -> i32 {
    program.run(arguments).status.code().unwrap()
}

#[test]
fn a_missing_store_is_the_sample_or_an_error_where_it_was_named() {
    let program = Program::new();
    std::fs::remove_dir_all(program.root()).unwrap();
    let told = program.told(&["ls"]);
    assert!(told.contains("There is no store at ~/.claude: this is the built-in sample."), "{told}");
    assert_eq!(code(&program, &["ls", "--json"]), 5);
    assert_eq!(code(&program, &["ls", "--root", "/nowhere"]), 5);
    let named = program.command(&["ls"]).env("CLAUDE_CONFIG_DIR", "/nowhere/else").output().unwrap();
    assert_eq!(named.status.code(), Some(5));
    assert!(String::from_utf8_lossy(&named.stderr).contains("no store at /nowhere/else"));
    assert_eq!(code(&program, &["ls", "--json", "--sample"]), 0);
}

#[test]
fn an_empty_store_is_told_and_not_the_sample() {
    let program = Program::with(Store::new().folder("projects"));
    let told = program.told(&[]);
    assert!(told.contains("No conversations in this store yet."), "{told}");
    assert_eq!(code(&program, &["ls"]), 1);
    assert_eq!(code(&program, &["verify"]), 0);
    assert_eq!(code(&program, &["show", "last"]), 1);
}

#[test]
fn exit_codes_are_as_documented() {
    let program = Program::new();
    for (arguments, expected) in [
        (&["--sample", "ls"][..], 0),
        (&["--sample", "ls", "no such thing"], 1),
        (&["--sample", "show", "no such thing"], 1),
        (&["--sample", "show", "the"], 2),
        (&["--sample", "ls", "--since", "someday"], 2),
        (&["nonsense"], 2),
        (&["--sample", "verify"], 3),
        (&["--sample", "verify", "/nowhere"], 5),
        (&["--help"], 0),
        (&["--version"], 0),
    ] {
        assert_eq!(code(&program, arguments), expected, "{arguments:?}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let program = Program::new();
    let mut child = program
        .command(&["--sample", "show", "1fab43cc", "--all", "--tools", "--json"])
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

#[test]
fn control_characters_in_transcripts_are_harmless() {
    let text = r"\u001b]0;owned\u0007 \u001b[2J\u001b[31mred\u001b[0m \u202egnp.exe \u009b5n \u0000";
    let line = |kind: &str, content: &str, uuid: &str, parent: &str| {
        format!(
            r#"{{"type":"{kind}","uuid":"{uuid}","parentUuid":{parent},"timestamp":"2026-11-01T10:00:00.000Z","cwd":"/x{text}","message":{{"id":"m","role":"{kind}","model":"{text}","content":{content}}}}}"#
        )
    };
    let store = Store::new().lines(
        "projects/-x/aaaa1111-0000-4000-8000-000000000001.jsonl",
        [
            line("user", &format!("\"{text}\""), "u1", "null"),
            line("assistant", &format!("[{{\"type\":\"text\",\"text\":\"{text}\"}},{{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"Bash\",\"input\":{{\"command\":\"{text}\"}}}}]"), "a1", "\"u1\""),
            line("user", &format!("[{{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"{text}\"}}]"), "u2", "\"a1\""),
        ],
    );
    let program = Program::with(store);
    for arguments in [&["show", "aaaa", "--tools"][..], &["ls"], &["tree", "aaaa"], &["info", "aaaa"], &[]] {
        let output = program.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        let odd =
            told.chars().find(|c| (c.is_control() && *c != '\n') || matches!(c, '\u{202a}'..='\u{202e}'));
        assert_eq!(odd, None, "{arguments:?}: {told}");
    }
}

#[test]
fn colour_is_asked_for_and_not_needed() {
    let program = Program::new();
    let plain = program.run(&["--sample", "ls"]);
    assert!(!plain.stdout.contains(&0x1b));
    let coloured = program.run(&["--sample", "ls", "--color", "always"]);
    assert!(coloured.stdout.contains(&0x1b));
    let forced = program.command(&["--sample", "ls"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(forced.stdout.contains(&0x1b));
    let declined = program
        .command(&["--sample", "ls"])
        .env("CLICOLOR_FORCE", "1")
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(!declined.stdout.contains(&0x1b));
}

#[test]
fn raw_is_the_file_itself() {
    let program = Program::new();
    let path = program.root().join("sample");
    assert_eq!(code(&program, &["sample", path.to_str().unwrap()]), 0);
    assert_eq!(code(&program, &["sample", path.to_str().unwrap()]), 4, "it does not overwrite");
    let root = path.to_str().unwrap();
    let listed = program.json(&["--root", root, "ls", "--all", "--json"]);
    let sessions = listed["sessions"].as_array().unwrap();
    assert!(sessions.len() > 15);
    for session in sessions {
        let id = session["session_id"].as_str().unwrap();
        let raw = program.run(&["--root", root, "show", id, "--raw"]);
        assert_eq!(raw.stdout, std::fs::read(session["path"].as_str().unwrap()).unwrap(), "{id}");
    }
}

#[test]
fn json_of_every_command_says_the_same_of_a_session() {
    let program = Program::new();
    let listed = program.json(&["--sample", "ls", "--json", "fc6154f9"]);
    let of_ls = &listed["sessions"][0];
    let of_info = program.json(&["--sample", "info", "fc6154f9", "--json"]);
    let of_show = program.json(&["--sample", "show", "fc6154f9", "--json"]);
    for key in
        ["session_id", "title", "turns", "bytes", "first_time", "last_time", "tokens", "models", "agents"]
    {
        assert_eq!(of_ls[key], of_info[key], "{key}");
        assert_eq!(of_ls[key], of_show["session"][key], "{key}");
    }
    assert_eq!(of_show["turn_list"].as_array().unwrap().len() as u64, of_ls["turns"].as_u64().unwrap());
}

#[test]
fn completions_and_manual_are_printed() {
    let program = Program::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = program.run(&["completions", shell]);
        assert!(String::from_utf8_lossy(&output.stdout).contains("scrollback"), "{shell}");
    }
    assert!(program.told(&["man"]).contains(".TH scrollback"));
    assert!(program.told(&["man", "show"]).contains(".TH scrollback-show"));
    assert!(program.told(&["man", "shwo"]).contains("did you mean show?"));
}

#[test]
fn several_roots_are_read_together() {
    let program = Program::new();
    let trees =
        ["2.0.29", "2.1.9"].map(|version| scrollback_testkit::corpus::tree(version).display().to_string());
    let one = |root: &str| program.json(&["--root", root, "ls", "--json"])["matched"].as_u64().unwrap();
    let both = program.json(&["--root", &trees[0], "--root", &trees[1], "ls", "--json"]);
    assert_eq!(both["matched"].as_u64().unwrap(), one(&trees[0]) + one(&trees[1]));
}

#[cfg(unix)]
#[test]
fn a_name_that_is_not_utf_8_costs_nothing_but_a_remark() {
    use std::os::unix::ffi::OsStrExt;

    let user = r#"{"type":"user","uuid":"u","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"hi"}}"#;
    let store = Store::new().lines("projects/-x/plain.jsonl", [user]);
    let odd = store.root().join("projects/-x").join(std::ffi::OsStr::from_bytes(b"na\xffme.jsonl"));
    std::fs::write(odd, format!("{user}\n")).unwrap();
    std::fs::write(store.root().join("projects/.DS_Store"), "x").unwrap();
    let program = Program::with(store);
    let listed = program.json(&["ls", "--json"]);
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(listed["troubles"].as_array().unwrap().len(), 2);
    let verdict = program.json(&["verify", "--json"]);
    assert_eq!(verdict["odd_paths"].as_array().unwrap().len(), 2);
    assert_eq!(code(&program, &["verify"]), 0, "what is odd is no problem");
}

#[test]
fn a_file_outside_of_any_store_can_be_shown() {
    let program = Program::new();
    let case = scrollback_testkit::corpus::oracle_cases("2.1.9")
        .into_iter()
        .find(|case| case.name == "mut-cycle")
        .unwrap();
    let path = case.session().display().to_string();
    for command in ["show", "tree", "info"] {
        let output = program.run(&[command, &path]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let in_a_store = scrollback_testkit::corpus::jsonl_files(
        &scrollback_testkit::corpus::tree("2.1.200").join("projects"),
    );
    let path = in_a_store[0].display().to_string();
    assert_eq!(code(&program, &["info", &path]), 0);
}

#[test]
fn every_agent_of_a_workflow_is_reachable() {
    let program = Program::new();
    let shown = program.told(&["--sample", "show", "1fab43cc"]);
    let tree = program.told(&["--sample", "tree", "1fab43cc"]);
    let info = program.json(&["--sample", "info", "1fab43cc", "--json"]);
    let agents = info["agent_list"].as_array().unwrap();
    assert!(agents.len() > 1);
    for agent in agents {
        let id = agent["agent_id"].as_str().unwrap();
        assert!(shown.contains(id) && tree.contains(id), "{id}");
        assert_eq!(code(&program, &["--sample", "show", &format!("1fab43cc/{id}")]), 0);
        assert_eq!(code(&program, &["--sample", "info", &format!("1fab43cc/{id}")]), 2);
    }
}

#[test]
fn a_live_file_is_read_as_far_as_it_has_come() {
    let whole = r#"{"type":"user","uuid":"u1","timestamp":"2026-11-01T10:00:00.000Z","message":{"role":"user","content":"hi"}}"#;
    let store = Store::new()
        .file("projects/-x/aaaa1111-0000-4000-8000-000000000001.jsonl", format!("{whole}\n{}", &whole[..40]));
    let program = Program::with(store);
    let told = program.told(&["show", "aaaa"]);
    assert!(told.starts_with("status 0") && told.contains("▌ hi"), "{told}");
    let verdict = program.json(&["verify", "--json"]);
    assert_eq!(verdict["problems"][0]["class"], "torn_line");
}

#[test]
fn documents_of_one_session_parse_back_to_what_was_printed() {
    let program = Program::new();
    let rows: &[(&str, &[&str])] = &[
        ("show", &["show", "85835976"]),
        ("tree", &["tree", "e9609126"]),
        ("info", &["info", "8bd1a279"]),
        ("resume", &["resume", "fc6154f9", "--print"]),
        ("resume-explain", &["resume", "fc6154f9", "--explain", "--client", "2.1.9", "--client", "2.1.325"]),
    ];
    for (name, arguments) in rows {
        let all: Vec<&str> = ["--sample", "--json"].iter().chain(*arguments).copied().collect();
        let printed = String::from_utf8(program.run(&all).stdout).unwrap();
        assert!(printed.contains(&format!("\"schema\": \"{name}/1\"")), "{name}: {printed}");
        let reprinted = scrollback_app::documents::find(name).unwrap().reprint(&printed).unwrap();
        assert_eq!(reprinted, printed, "{name}");
    }
    let parts = program.run(&["--sample", "--json", "tail", "85835976", "--no-follow"]).stdout;
    for line in String::from_utf8(parts).unwrap().lines() {
        let part: scrollback_app::follow::TurnPart = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&part).unwrap(), line);
    }
}
