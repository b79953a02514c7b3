//! The processes of a Linux system, as `/proc` lists them.

use std::fs;
use std::path::{Path, PathBuf};

/// Processes below a directory of the form of `/proc`.
#[derive(Debug)]
pub(super) struct Processes {
    at: PathBuf,
    own: u32,
}

impl Processes {
    pub fn at(path: &Path, own: u32) -> Self {
        Self { at: path.to_owned(), own }
    }

    /// The process that is asking.
    pub fn own(&self) -> u32 {
        self.own
    }

    /// Where it runs.
    pub fn directory(&self, pid: u32) -> Option<PathBuf> {
        fs::read_link(self.of(pid).join("cwd")).ok()
    }

    fn of(&self, pid: u32) -> PathBuf {
        self.at.join(pid.to_string())
    }

    /// Is there a process of this number?
    pub fn has(&self, pid: u32) -> bool {
        self.of(pid).is_dir()
    }

    /// The namespace that numbers count in here: `pid:[4026531836]`.
    pub fn namespace(&self) -> Option<String> {
        fs::read_link(self.at.join("self/ns/pid")).ok()?.into_os_string().into_string().ok()
    }

    /// When it was started, in ticks since the system was: the 22nd field, counted after the name, which may hold
    /// anything.
    pub fn start(&self, pid: u32) -> Option<String> {
        let stat = fs::read(self.of(pid).join("stat")).ok()?;
        let stat = String::from_utf8_lossy(&stat).into_owned();
        let (_, rest) = stat.rsplit_once(')')?;
        rest.split_whitespace().nth(19).map(str::to_owned)
    }

    /// Does its command line look like the client's? None: it cannot be read, or is empty.
    pub fn is_client(&self, pid: u32) -> Option<bool> {
        let line = fs::read(self.of(pid).join("cmdline")).ok().filter(|line| !line.is_empty())?;
        Some(looks_like_client(&line))
    }

    /// Clients and where they run.
    pub fn clients(&self) -> Vec<(u32, PathBuf)> {
        let entries = fs::read_dir(&self.at).into_iter().flatten().flatten();
        let mut clients: Vec<_> = entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .filter(|pid| *pid != self.own && self.is_client(*pid) == Some(true))
            .filter_map(|pid| Some((pid, self.directory(pid)?)))
            .collect();
        clients.sort();
        clients
    }
}

/// `claude`, a versioned binary below a folder of that name, or a script of the package under some runtime: told from the
/// program and, for a runtime, from the script. What stands further on is arguments, which prove nothing.
fn looks_like_client(line: &[u8]) -> bool {
    let words: Vec<String> = line
        .split(|byte| *byte == 0)
        .take(4)
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    let ours = |word: &str| {
        word.split(['/', '\\'])
            .any(|part| matches!(part, "claude" | "claude.exe" | "claude-code" | "@anthropic-ai"))
    };
    let Some(program) = words.first() else { return false };
    if ours(program) {
        return true;
    }
    let name = program.rsplit('/').next().unwrap_or_default();
    let runtime = ["node", "bun", "deno"].iter().any(|runtime| name.starts_with(runtime));
    let script = words.iter().skip(1).find(|word| !word.starts_with('-'));
    runtime && script.is_some_and(|script| ours(script))
}

#[cfg(test)]
mod tests {
    use super::looks_like_client;

    #[test]
    fn clients_are_told_by_program_or_script() {
        let check = |line: &str, expected: bool| {
            assert_eq!(looks_like_client(line.replace(' ', "\0").as_bytes()), expected, "{line}");
        };
        check("claude", true);
        check("/usr/local/bin/claude --resume", true);
        check("/home/dev/.local/share/claude/versions/2.1.200 -p", true);
        check("node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", true);
        check("node --max-old-space-size=1 /usr/bin/claude", true);
        check("vim /home/dev/claude/notes.txt", false);
        check("node server.js claude", false);
        check("grep claude", false);
        check("", false);
    }
}
