//! The picker on a terminal of its own: keys are pressed, and what comes of them is looked at.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use scrollback_testkit::home::Store;
use serde_json::{Value, json};

const NEWER: &str = "bbbb2222-0000-4000-8000-000000000002";
const OLDER: &str = "aaaa1111-0000-4000-8000-000000000001";

/// A home with two sessions of one project, and a client that writes down how it was called.
struct Desk {
    store: Store,
    project: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let store = Store::new();
        let project = std::fs::canonicalize(store.home()).unwrap().join("my project");
        std::fs::create_dir(&project).unwrap();
        let line = |text: &str, day: u8| {
            json!({
                "type": "user", "uuid": "u1", "parentUuid": null, "cwd": project, "sessionId": "s",
                "timestamp": format!("2026-11-{day:02}T10:00:00.000Z"),
                "message": { "role": "user", "content": text },
            })
            .to_string()
        };
        let store = store
            .lines(format!("projects/-p/{OLDER}.jsonl"), [line("Why does the nightly job die?", 1)])
            .lines(format!("projects/-p/{NEWER}.jsonl"), [line("Paint the chart in \u{1b}[31mred", 2)]);
        Self { store, project }
    }

    /// A client that writes down how it is called.
    fn with_client(self) -> Self {
        let folder = self.store.home().join("bin");
        std::fs::create_dir(&folder).unwrap();
        let script = "#!/bin/sh\nprintf '%s\\n' \"$@\" \"$PWD\" \"${CLAUDE_CONFIG_DIR-unset}\" > \"$HOME/called\"\nexit 7\n";
        std::fs::write(folder.join("claude"), script).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let may_run = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(folder.join("claude"), may_run).unwrap();
        }
        self
    }

    fn called(&self) -> Vec<String> {
        let told = std::fs::read_to_string(self.store.home().join("called")).unwrap();
        told.lines().map(str::to_owned).collect()
    }

    fn run(&self, arguments: &[&str], size: Option<(u16, u16)>, stdout: &str, steps: &Value) -> Value {
        let mut argv = vec![env!("CARGO_BIN_EXE_scrollback")];
        argv.extend(arguments);
        let home = self.store.home();
        let wanted = json!({
            "argv": argv,
            "cwd": self.project,
            "env": {
                "HOME": home, "TZ": "UTC", "TERM": "xterm-256color", "PATH": home.join("bin"),
                "SCROLLBACK_NOW": "2026-11-15T18:00:00.000Z", "SCROLLBACK_PAGER": "",
            },
            "size": size, "stdout": stdout, "steps": steps,
        });
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/main/keyboard.py");
        let mut driver = Command::new("python3");
        let mut driver = driver
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        driver.stdin.take().unwrap().write_all(wanted.to_string().as_bytes()).unwrap();
        let output = driver.wait_with_output().unwrap();
        let failed = String::from_utf8_lossy(&output.stderr);
        let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{failed}"));
        assert_eq!(told["restored"], true, "{told}");
        if size.is_some() {
            let drawn = told["drawn"].as_str().unwrap();
            assert!(drawn.contains("\u{1b}[?1049l"), "the screen is left: {drawn:?}");
        }
        told
    }

    fn press(&self, arguments: &[&str], steps: &Value) -> Value {
        self.run(arguments, Some((100, 30)), "terminal", steps)
    }
}

#[test]
fn enter_resumes_in_the_directory_of_the_session() {
    let desk = Desk::new().with_client();
    let told = desk.press(
        &["pick"],
        &json!([["see", "here 2 of 2"], ["press", "nigtly"], ["see", "here 1 of 2"], ["press", "\r"]]),
    );
    assert_eq!(told["status"], 7, "the client's own status: {told}");
    assert_eq!(desk.called(), ["--resume", OLDER, desk.project.to_str().unwrap(), "unset"]);
}

#[test]
fn a_store_that_was_named_is_named_to_the_client() {
    let desk = Desk::new().with_client();
    let other = desk.store.home().join("other");
    std::fs::rename(desk.store.root(), &other).unwrap();
    let root = other.to_str().unwrap();
    desk.press(&["--root", root, "pick", "chart"], &json!([["see", "here 1 of 2"], ["press", "\r"]]));
    assert_eq!(desk.called(), ["--resume", NEWER, desk.project.to_str().unwrap(), root]);
}

#[test]
fn standard_output_gets_what_was_picked_and_nothing_else() {
    let desk = Desk::new();
    let told = |arguments: &[&str], key: &str| {
        let steps = json!([["see", "here 2 of 2"], ["press", key]]);
        let told = desk.run(arguments, Some((100, 30)), "pipe", &steps);
        assert_eq!(told["status"], 0, "{told}");
        told["stdout"].as_str().unwrap().to_owned()
    };
    assert_eq!(told(&["pick", "--print"], "\r"), format!("{NEWER}\n"));
    assert_eq!(told(&["pick"], "\u{1b}[B\r"), format!("{OLDER}\n"), "there is no terminal to resume in");
    assert_eq!(told(&["pick"], "\u{19}"), format!("{NEWER}\n"));
    let path = desk.store.root().join(format!("projects/-p/{NEWER}.jsonl"));
    assert_eq!(told(&["pick"], "\u{6}"), format!("{}\n", path.display()));
    let view: Value = serde_json::from_str(&told(&["pick", "--json"], "\r")).unwrap();
    assert_eq!(view["session_id"], NEWER);
    assert!(told(&["pick"], "\u{f}").contains("Paint the chart in"));
}

#[test]
fn what_is_pinned_comes_first_and_what_is_hidden_not_at_all() {
    let desk = Desk::new();
    let edit = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scrollback"));
        command.args(arguments).env_clear().env("HOME", desk.store.home());
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    };
    let picked = |seen: &str| {
        let steps = json!([["see", seen], ["press", "\r"]]);
        desk.run(&["pick"], Some((100, 30)), "pipe", &steps)["stdout"].as_str().unwrap().to_owned()
    };
    edit(&["pin", "aaaa"]);
    assert_eq!(picked("here 2 of 2"), format!("{OLDER}\n"));
    edit(&["hide", "aaaa"]);
    assert_eq!(picked("here 1 of 1"), format!("{NEWER}\n"));
}

#[test]
fn the_id_is_given_to_the_clipboard() {
    let told = Desk::new().press(&["pick"], &json!([["see", "here 2 of 2"], ["press", "\u{19}"]]));
    let drawn = told["drawn"].as_str().unwrap();
    assert!(drawn.contains("\u{1b}]52;c;YmJiYjIyMjItMDAwMC00MDAwLTgwMDAtMDAwMDAwMDAwMDAy\u{7}"), "{drawn:?}");
}

#[test]
fn every_way_out_has_its_status_and_gives_the_terminal_back() {
    let desk = Desk::new();
    let status =
        |step: &Value| desk.press(&["pick"], &json!([["see", "here 2 of 2"], step]))["status"].clone();
    assert_eq!(status(&json!(["press", "\u{1b}"])), 1);
    assert_eq!(status(&json!(["press", "\u{3}"])), 130);
    assert_eq!(status(&json!(["signal", 15])), 130);
    let told = desk.press(&["pick"], &json!([["see", "here 2 of 2"], ["press", "\r"]]));
    assert_eq!(told["status"], 5, "there is no client");
    let said = told["drawn"].as_str().unwrap();
    assert!(said.contains("'claude' is not on the PATH"), "{said}");
    assert!(said.contains(&format!("my project' && claude --resume {NEWER}")), "{said}");
}

#[test]
fn a_directory_that_is_gone_is_told() {
    let desk = Desk::new().with_client();
    let gone = desk.project.with_file_name("gone");
    std::fs::create_dir(&gone).unwrap();
    std::fs::rename(&desk.project, desk.project.with_file_name("moved")).unwrap();
    let desk = Desk { project: gone, ..desk };
    let told = desk.press(&["pick"], &json!([["see", "all 2 of 2"], ["press", "\r"]]));
    assert_eq!(told["status"], 1);
    assert!(told["drawn"].as_str().unwrap().contains("the directory of the session is missing"), "{told}");
}

#[test]
fn the_terminal_may_change_its_size() {
    let steps = json!([
        ["see", "here 2 of 2"],
        ["size", [10, 3]],
        ["see", "Paint t"],
        ["size", [120, 40]],
        ["see", "here 2 of 2"],
        ["press", "\u{1b}"],
    ]);
    assert_eq!(Desk::new().press(&["pick"], &steps)["status"], 1);
}

#[test]
fn control_characters_of_a_transcript_are_harmless() {
    let steps = json!([["see", "You  10:00"], ["press", "\u{1b}"]]);
    let told = Desk::new().press(&["pick", "--color", "never"], &steps);
    assert!(!told["drawn"].as_str().unwrap().contains("\u{1b}[31m"), "{told}");
}

#[test]
fn without_a_terminal_it_says_so() {
    let told = Desk::new().run(&["pick"], None, "pipe", &json!([]));
    assert_eq!(told["status"], 2);
    assert_eq!(told["stdout"], "");
    let said = told["drawn"].as_str().unwrap();
    assert!(said.contains("error: there is no terminal to pick in"), "{said}");
}
