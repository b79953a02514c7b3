//! Signs of life: pid files, processes, fresh writes; on a made-up list of processes.

use std::fs;
use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::live::{self, EditedSession, LiveCheck, Liveness, Sign};
use scrollback_store::{Root, stamp};

use crate::faults::{Field, file};

struct System {
    field: Field,
    proc: PathBuf,
}

impl System {
    fn new() -> Self {
        let field = Field::full();
        let proc = field.root.parent().unwrap().join("proc");
        fs::create_dir(&proc).unwrap();
        Self { field, proc }
    }

    fn process(&self, pid: u32, line: &str, start: &str, cwd: &Path) {
        let dir = self.proc.join(pid.to_string());
        fs::create_dir_all(&dir).unwrap();
        fs::write(dir.join("cmdline"), line.replace(' ', "\0")).unwrap();
        let fields = "S 1 1 1 0 -1 4 1 0 0 0 0 0 0 0 20 0 1 0";
        fs::write(dir.join("stat"), format!("{pid} (odd ) name) {fields} {start} 9 9\n")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(cwd, dir.join("cwd")).unwrap();
    }

    fn pid_file(&self, pid: u32, text: &str) {
        file(&self.field.root, &format!("sessions/{pid}.json"), text.as_bytes());
        file(&self.field.root, &format!("sessions/{pid}.00.key"), b"secret");
    }

    fn liveness(&self, now: i64) -> Liveness {
        let path = self.field.root.join("projects/-a/2222.jsonl");
        let session = EditedSession {
            id: "2222".to_owned(),
            file: path,
            directories: vec![PathBuf::from("/home/dev/a")],
        };
        let watch = LiveCheck { now: Time(now), processes: Some(self.proc.clone()), own: 99 };
        live::look(&Root::new(&self.field.root), &session, &watch, false)
    }

    fn look(&self, now: i64) -> Vec<(Option<u32>, Sign)> {
        self.liveness(now).held.into_iter().map(|held| (held.pid, held.sign)).collect()
    }
}

const LATER: i64 = 1_800_000_000_000;

#[test]
fn quiet_session_is_not_live() {
    let system = System::new();
    system.process(7, "vim /home/dev/a/x", "5", Path::new("/home/dev/a"));
    system.process(8, "claude", "5", Path::new("/home/dev/b"));
    system.process(99, "claude", "5", Path::new("/home/dev/a"));
    assert_eq!(system.look(LATER), []);
}

#[cfg(unix)]
#[test]
fn pid_file_of_a_living_client_counts() {
    let system = System::new();
    let sign = |pid: u32| Sign::PidFile(system.field.root.join(format!("sessions/{pid}.json")));
    // Dead; alive; the number belongs to another process by now; an older form without a start time, by its command.
    for pid in [10, 11, 12, 13, 14] {
        let start = if pid > 12 { "" } else { ",\"procStart\":\"444105\"" };
        system.pid_file(pid, &format!("{{\"pid\":{pid},\"sessionId\":\"2222\",\"startedAt\":5{start}}}"));
    }
    system.process(11, "claude", "444105", Path::new("/x"));
    system.process(12, "claude", "999", Path::new("/x"));
    system.process(13, "node /lib/@anthropic-ai/claude-code/cli.js", "1", Path::new("/x"));
    system.process(14, "bash", "1", Path::new("/x"));
    assert_eq!(system.look(LATER), [(Some(11), sign(11)), (Some(13), sign(13))]);
}

#[cfg(unix)]
#[test]
fn client_in_the_directory_counts_unless_it_says_otherwise() {
    let system = System::new();
    let here = Path::new("/home/dev/a");
    system.process(20, "claude --resume", "1", here);
    system.process(21, "claude", "2", here);
    system.pid_file(21, "{\"pid\":21,\"sessionId\":\"other\",\"procStart\":\"2\",\"version\":\"2.1.200\"}");
    // Half-written: it says nothing, so it counts.
    system.process(22, "claude", "3", here);
    system.pid_file(22, "{\"pid\":22,\"sess");
    let sign = || Sign::Directory(here.to_owned());
    assert_eq!(system.look(LATER), [(Some(20), sign()), (Some(22), sign())]);
}

/// What 2.1.80 writes: the session that the process was started with, neither version nor start of the process.
fn old_file(pid: u32, cwd: &str) -> String {
    format!("{{\"pid\":{pid},\"sessionId\":\"first\",\"cwd\":\"{cwd}\",\"startedAt\":5}}")
}

#[cfg(unix)]
#[test]
fn client_that_does_not_report_its_session_may_have_any_session_of_its_directories() {
    let system = System::new();
    let here = "/home/dev/a";
    // Its process is there; only its file says so; neither: in another directory; its process is gone.
    system.process(40, "claude --continue", "1", Path::new(here));
    system.pid_file(40, &old_file(40, "/elsewhere"));
    system.process(41, "claude", "1", Path::new("/elsewhere"));
    system.pid_file(41, &old_file(41, here));
    system.process(42, "claude", "1", Path::new("/elsewhere"));
    system.pid_file(42, &old_file(42, "/elsewhere"));
    system.pid_file(43, &old_file(43, here));
    let sign = || Sign::Unreported(here.into());
    assert_eq!(system.look(LATER), [(Some(40), sign()), (Some(41), sign())]);
}

#[cfg(unix)]
#[test]
fn client_that_does_not_report_its_session_counts_for_the_folder_of_its_directory() {
    // The session records no directory, but it lies where a client that runs in /a looks for sessions.
    let system = System::new();
    system.process(44, "claude", "1", Path::new("/a"));
    system.pid_file(44, &old_file(44, "/a"));
    system.process(45, "claude", "1", Path::new("/a"));
    assert_eq!(
        system.look(LATER),
        [(Some(44), Sign::Unreported("/a".into())), (Some(45), Sign::Directory("/a".into()))]
    );
}

#[cfg(unix)]
#[test]
fn clients_are_believed_from_the_version_on_that_reports_its_session() {
    let here = "/home/dev/a";
    let check = |version: &str, believed: bool| {
        let system = System::new();
        system.process(46, "claude", "7", Path::new(here));
        system.pid_file(
            46,
            &format!("{{\"pid\":46,\"sessionId\":\"other\",\"cwd\":\"{here}\",\"procStart\":\"7\",\"version\":\"{version}\"}}"),
        );
        assert_eq!(system.look(LATER).is_empty(), believed, "{version}");
    };
    check("2.1.80", false);
    check("2.1.199", false);
    check("2.1.200", true);
    check("2.1.325", true);
    check("3.0.0", true);
    check("odd", false);
}

#[cfg(unix)]
#[test]
fn file_that_a_dead_client_left_does_not_excuse_a_living_one_of_the_same_number() {
    let system = System::new();
    system.process(47, "claude", "9", Path::new("/home/dev/a"));
    system.pid_file(47, "{\"sessionId\":\"other\",\"procStart\":\"2\",\"version\":\"2.1.200\"}");
    assert_eq!(system.look(LATER), [(Some(47), Sign::Directory("/home/dev/a".into()))]);
}

#[cfg(unix)]
#[test]
fn refusal_says_why_a_session_may_be_in_use_and_what_to_do() {
    let system = System::new();
    system.process(48, "claude", "1", Path::new("/home/dev/a"));
    system.pid_file(48, &old_file(48, "/home/dev/a"));
    let held = system.liveness(LATER).held.remove(0);
    assert_eq!(
        held.to_string(),
        "session 2222 may be in use: a client (process 48) runs in /home/dev/a and does not report which session it \
         has open (clients before 2.1.200 do not)"
    );
    assert_eq!(held.advice(), "quit the client in /home/dev/a (process 48), then try again");
}

#[test]
fn fresh_write_counts_for_a_minute() {
    let system = System::new();
    let path = system.field.root.join("projects/-a/2222.jsonl");
    let at = stamp::take(&path).unwrap().mtime_ns / 1_000_000;
    assert_eq!(system.look(at + 5_000), [(None, Sign::Recent(5_000))]);
    assert_eq!(system.look(at + 60_000), []);
}

#[cfg(unix)]
#[test]
fn client_of_another_namespace_is_told_as_unseen() {
    let system = System::new();
    fs::create_dir_all(system.proc.join("self/ns")).unwrap();
    std::os::unix::fs::symlink("pid:[1]", system.proc.join("self/ns/pid")).unwrap();
    system.pid_file(30, "{\"sessionId\":\"2222\",\"pidDomain\":\"linux:00:pid:[2]\"}");
    let path = system.field.root.join("projects/-a/2222.jsonl");
    let session = EditedSession { id: "2222".to_owned(), file: path, directories: Vec::new() };
    let watch = LiveCheck { now: Time(LATER), processes: Some(system.proc.clone()), own: 99 };
    let liveness = live::look(&Root::new(&system.field.root), &session, &watch, false);
    assert!(liveness.held.is_empty());
    assert_eq!(liveness.blind.len(), 1);
}
