//! Running the program: a hermetic home, a fixed clock, a fixed width.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use scrollback_testkit::home::Store;

/// A home of its own and the program in it.
pub struct Program {
    store: Store,
}

impl Program {
    pub fn new() -> Self {
        Self { store: Store::new() }
    }

    /// With a store that the test has filled.
    pub fn with(store: Store) -> Self {
        Self { store }
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_scrollback"));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.store.home())
            .env("TMPDIR", self.store.home())
            .env("SCROLLBACK_MANAGED_DIR", self.store.home().join("managed"))
            .env("TZ", "UTC")
            .env("COLUMNS", "100")
            .env("SCROLLBACK_NOW", "2026-11-15T18:00:00.000Z")
            .env("SCROLLBACK_SEED", "7")
            .current_dir(self.store.home())
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        let output = self.command(arguments).output().unwrap();
        if arguments.contains(&"--json") && !output.stdout.is_empty() {
            crate::documents::judge(arguments, &output.stdout);
        }
        output
    }

    /// The same for a command that may hang, which then fails.
    pub fn run_in_time(&self, arguments: &[&str]) -> Output {
        let mut child =
            self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let read = |mut from: Box<dyn Read + Send>| {
            std::thread::spawn(move || {
                let mut bytes = Vec::new();
                from.read_to_end(&mut bytes).map(|_| bytes)
            })
        };
        let stdout = read(Box::new(child.stdout.take().unwrap()));
        let stderr = read(Box::new(child.stderr.take().unwrap()));
        let begun = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if begun.elapsed() > Duration::from_secs(100) => {
                    child.kill().unwrap();
                    child.wait().unwrap();
                    panic!("{arguments:?} hangs");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let bytes =
            |thread: std::thread::JoinHandle<std::io::Result<Vec<u8>>>| thread.join().unwrap().unwrap();
        Output { status, stdout: bytes(stdout), stderr: bytes(stderr) }
    }

    pub fn root(&self) -> &Path {
        self.store.root()
    }

    /// Everything that a run gives, in one text.
    pub fn told(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let home = self.store.home().display().to_string();
        let told = format!(
            "status {}\n--- stdout\n{}--- stderr\n{}",
            output.status.code().unwrap_or(-1),
            text(&output.stdout),
            text(&output.stderr)
        );
        hide_sample(&told.replace(&home, "HOME"))
    }

    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let output = self.run(arguments);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
            panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr))
        })
    }
}

/// The sample is unpacked in a place that differs from run to run.
fn hide_sample(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("scrollback-sample-") {
        let start = rest[..at].rfind(['"', ' ', '\n']).map_or(0, |before| before + 1);
        let end = rest[at..].find(['/', '"', ' ', '\n']).map_or(rest.len(), |len| at + len);
        out.push_str(&rest[..start]);
        out.push_str("SAMPLE");
        rest = &rest[end..];
    }
    out + rest
}
