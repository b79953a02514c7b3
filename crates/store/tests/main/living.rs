//! Signs of life: pid files, processes, fresh writes; on a made-up list of processes.

use std::fs;
use std::path::{Path, PathBuf};

use scrollback_format::time::Time;
use scrollback_store::live::{self, Session, Sign, Watch};
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

    fn look(&self, now: i64) -> Vec<(Option<u32>, Sign)> {
        let path = self.field.root.join("projects/-a/2222.jsonl");
        let session =
            Session { id: "2222".to_owned(), file: path, directories: vec![PathBuf::from("/home/dev/a")] };
        let watch = Watch { now: Time(now), processes: Some(self.proc.clone()), own: 99 };
        let liveness = live::look(&Root::new(&self.field.root), &session, &watch, false);
        liveness.held.into_iter().map(|held| (held.pid, held.sign)).collect()
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
    system.pid_file(21, "{\"pid\":21,\"sessionId\":\"other\",\"procStart\":\"2\"}");
    // Half-written: it says nothing, so it counts.
    system.process(22, "claude", "3", here);
    system.pid_file(22, "{\"pid\":22,\"sess");
    let sign = || Sign::Directory(here.to_owned());
    assert_eq!(system.look(LATER), [(Some(20), sign()), (Some(22), sign())]);
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
    let session = Session { id: "2222".to_owned(), file: path, directories: Vec::new() };
    let watch = Watch { now: Time(LATER), processes: Some(system.proc.clone()), own: 99 };
    let liveness = live::look(&Root::new(&system.field.root), &session, &watch, false);
    assert!(liveness.held.is_empty());
    assert_eq!(liveness.blind.len(), 1);
}
