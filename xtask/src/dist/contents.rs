//! What the archive holds: files by name, in order.

use std::collections::BTreeMap;
use std::path::Path;

use super::Release;
use crate::environment::Environment;

const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
const SHELLS: [(&str, &str); 4] = [
    ("bash", "scrollback.bash"),
    ("zsh", "_scrollback"),
    ("fish", "scrollback.fish"),
    ("powershell", "_scrollback.ps1"),
];

/// The files of the archive, by their path below its directory.
pub struct Contents {
    /// Sorted by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Contents {
    /// The program, the texts, and what the program prints for packagers.
    pub fn gather(environment: &Environment, release: &Release) -> Result<Self, String> {
        let mut files = BTreeMap::new();
        files.insert(file_name(&release.program)?, read(&release.program)?);
        for name in TEXTS {
            files.insert(name.to_owned(), read(&crate::workspace().join(name))?);
        }
        for (shell, name) in SHELLS {
            let script = printed(environment, &release.program, &["completions", shell])?;
            files.insert(format!("completions/{name}"), script);
        }
        let whole = printed(environment, &release.program, &["man"])?;
        for command in commands(&String::from_utf8_lossy(&whole)) {
            let page = printed(environment, &release.program, &["man", &command])?;
            files.insert(format!("man/man1/scrollback-{command}.1"), page);
        }
        files.insert("man/man1/scrollback.1".to_owned(), whole);
        Ok(Self { files })
    }
}

/// The commands that the page of the whole program refers to: `scrollback\-ls(1)`.
fn commands(page: &str) -> Vec<String> {
    let names = page.lines().filter_map(|line| line.strip_prefix("scrollback\\-")?.strip_suffix("(1)"));
    names.map(|name| name.replace("\\-", "-")).filter(|name| name != "help").collect()
}

fn printed(environment: &Environment, program: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
    let output = environment.command(program).args(words).output();
    let output = output.map_err(|cause| format!("{}: {cause}", program.display()))?;
    if output.status.success() && !output.stdout.is_empty() {
        return Ok(output.stdout);
    }
    Err(format!("scrollback {}: {}", words.join(" "), String::from_utf8_lossy(&output.stderr)))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|cause| format!("{}: {cause}", path.display()))
}

fn file_name(path: &Path) -> Result<String, String> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.map(str::to_owned).ok_or(format!("{}: no file name", path.display()))
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn commands_are_read_from_the_manual_page() {
        let page = ".SH SUBCOMMANDS\n.TP\nscrollback\\-ls(1)\nList sessions\n.TP\nscrollback\\-two\\-words(1)\n.TP\nscrollback\\-help(1)\n";
        assert_eq!(commands(page), ["ls", "two-words"]);
    }
}
