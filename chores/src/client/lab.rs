//! The lab: a directory with clients, recordings and a copy of the scripts. It runs the scripts, in order.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory.
pub struct Lab {
    root: PathBuf,
}

impl Lab {
    /// Makes the directory and puts the scripts of this checkout into it.
    pub fn at(root: &Path) -> Result<Self, String> {
        let scripts = scrollback_testkit::workspace().join("tools/lab/bin");
        let bin = root.join("bin");
        fs::create_dir_all(&bin).map_err(|cause| format!("{}: {cause}", bin.display()))?;
        let entries = fs::read_dir(&scripts).map_err(|cause| format!("{}: {cause}", scripts.display()))?;
        for entry in entries.flatten().filter(|entry| entry.path().is_file()) {
            let to = bin.join(entry.file_name());
            fs::copy(entry.path(), &to).map_err(|cause| format!("{}: {cause}", to.display()))?;
        }
        let root = root.canonicalize().map_err(|cause| format!("{}: {cause}", root.display()))?;
        Ok(Self { root })
    }

    /// The store that a version wrote.
    pub fn tree(&self, version: &str) -> PathBuf {
        self.root.join("trees").join(version)
    }

    /// The cases that a version was asked about.
    pub fn cases(&self, version: &str) -> PathBuf {
        self.root.join("oracle").join(version)
    }

    /// Installs a version and records its store and cases; refuses what still holds texts of the vendor's.
    pub fn record(&self, version: &str) -> Result<(), String> {
        if !self.root.join(format!("cc-{version}/node_modules/.bin/claude")).exists() {
            self.script("install.sh", &[version])?;
        }
        self.script("run_version.sh", &[version])?;
        self.script("make_trees.py", &[version])?;
        self.script("oracle_cases.py", &[version])?;
        self.script("check_scrub.py", &[version])
    }

    fn script(&self, name: &str, arguments: &[&str]) -> Result<(), String> {
        let path: &Path = &self.root.join("bin").join(name);
        println!("{name} {}", arguments.join(" "));
        let mut command = if name.ends_with(".py") { Command::new("python3") } else { Command::new("bash") };
        let status = command
            .arg(path)
            .args(arguments)
            .env("LAB_ROOT", &self.root)
            .status()
            .map_err(|cause| format!("{name}: {cause}"))?;
        if status.success() { Ok(()) } else { Err(format!("{name}: {status}")) }
    }
}
