//! Every environment variable that the program reads, in one place.
//!
//! | variable | what it does |
//! |---|---|
//! | `CLAUDE_CONFIG_DIR` | the store, if `--root` does not say otherwise |
//! | `HOME`, `USERPROFILE` | where `.claude` is, if neither does |
//! | `SCROLLBACK_CACHE_DIR` | where the index is kept; empty: nowhere |
//! | `XDG_CACHE_HOME`, `LOCALAPPDATA` | where caches are kept, if that does not say |
//! | `SCROLLBACK_DATA_DIR` | where the journal with the trash is kept |
//! | `XDG_DATA_HOME`, `APPDATA` | where such data is kept, if that does not say |
//! | `SCROLLBACK_MANAGED_DIR` | where managed settings are, instead of the system's place |
//! | `NO_COLOR`, `CLICOLOR_FORCE`, `TERM` | whether to use colour, if `--color` does not say |
//! | `PATH` | where the client is, to start it |
//! | `COLUMNS` | how wide to paint, if there is no terminal to ask |
//! | `SCROLLBACK_PAGER`, `PAGER` | the program that long output goes through; empty: none |
//! | `SCROLLBACK_CONFIG` | the config file |
//! | `XDG_CONFIG_HOME`, `APPDATA` | where `scrollback/config.toml` is, if that does not say |
//! | `TMPDIR`, `TEMP` | where clients leave the output of background tasks; `/tmp` if they do not say |
//! | `TZ` | the time zone of the times that people read (read by the time library) |
//! | `SCROLLBACK_NOW` | the present, as RFC 3339: for tests and screenshots |
//! | `SCROLLBACK_SEED` | a number that new ids are drawn from, instead of by chance: for tests and screenshots |

#![allow(
    clippy::disallowed_methods,
    reason = "this is the one room that reads the environment and the clock"
)]

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use scrollback_format::time::Time;

/// What the environment says.
#[derive(Debug, Clone, Default)]
pub struct Env {
    /// `CLAUDE_CONFIG_DIR`, if it is set and not empty.
    pub config_dir: Option<PathBuf>,
    /// The home directory.
    pub home: Option<PathBuf>,
    /// Where the index is kept; none: nowhere.
    pub cache_dir: Option<PathBuf>,
    /// Where the journal is kept; none: nowhere, and then nothing is edited.
    pub data_dir: Option<PathBuf>,
    /// The config file, whether it is there or not.
    pub config_file: Option<PathBuf>,
    /// Where temporary files are.
    pub temp_dir: Option<PathBuf>,
    /// Where managed settings are.
    pub managed_dir: Option<PathBuf>,
    /// The working directory.
    pub cwd: Option<PathBuf>,
    /// `NO_COLOR` is set, or the terminal is `dumb`.
    pub no_color: bool,
    /// `CLICOLOR_FORCE` is set.
    pub force_color: bool,
    /// `COLUMNS`.
    pub columns: Option<usize>,
    /// `PATH`.
    pub path: Option<OsString>,
    /// The pager; `Some` of an empty text means none.
    pub pager: Option<String>,
    /// The present.
    pub now: Option<Time>,
    /// What new ids are drawn from, if not by chance.
    pub seed: Option<u64>,
}

impl Env {
    /// Reads the process's own environment.
    pub fn read() -> Self {
        let text = |name: &str| std::env::var(name).ok();
        let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let set = |name: &str| text(name).is_some_and(|value| !value.is_empty() && value != "0");
        let fixed = text("SCROLLBACK_NOW").and_then(|value| Time::decode(&value));
        let home = path("HOME").or_else(|| path("USERPROFILE"));
        let cache_dir = match std::env::var_os("SCROLLBACK_CACHE_DIR") {
            Some(dir) if dir.is_empty() => None,
            Some(dir) => Some(PathBuf::from(dir)),
            None => caches(home.as_deref(), &path).map(|caches| caches.join("scrollback")),
        };
        let data_dir = path("SCROLLBACK_DATA_DIR")
            .or_else(|| data(home.as_deref(), &path).map(|data| data.join("scrollback")));
        let config_file = path("SCROLLBACK_CONFIG").or_else(|| {
            configs(home.as_deref(), &path).map(|configs| configs.join("scrollback/config.toml"))
        });
        Self {
            config_dir: path("CLAUDE_CONFIG_DIR"),
            home,
            cache_dir,
            data_dir,
            config_file,
            temp_dir: path("TMPDIR").or_else(|| path("TEMP")).or_else(|| cfg!(unix).then(|| "/tmp".into())),
            managed_dir: path("SCROLLBACK_MANAGED_DIR").or_else(|| Some(managed())),
            cwd: std::env::current_dir().ok(),
            no_color: set("NO_COLOR") || text("TERM").as_deref() == Some("dumb"),
            force_color: set("CLICOLOR_FORCE"),
            columns: text("COLUMNS").and_then(|value| value.parse().ok()),
            path: std::env::var_os("PATH"),
            pager: text("SCROLLBACK_PAGER").or_else(|| text("PAGER")),
            now: fixed.or_else(|| Some(Time(jiff::Timestamp::now().as_millisecond()))),
            seed: text("SCROLLBACK_SEED").and_then(|value| value.parse().ok()),
        }
    }
}

/// The platform's directory for caches.
fn caches(home: Option<&Path>, path: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(dir) = path("XDG_CACHE_HOME").filter(|dir| dir.is_absolute()) {
        return Some(dir);
    }
    if cfg!(windows) {
        return path("LOCALAPPDATA");
    }
    let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    home.map(|home| home.join(below))
}

/// The platform's directory for data that is more than a cache.
fn data(home: Option<&Path>, path: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(dir) = path("XDG_DATA_HOME").filter(|dir| dir.is_absolute()) {
        return Some(dir);
    }
    if cfg!(windows) {
        return path("APPDATA");
    }
    let below = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    home.map(|home| home.join(below))
}

/// The system's folder of settings that a user cannot change.
fn managed() -> PathBuf {
    let place = if cfg!(windows) {
        r"C:\Program Files\ClaudeCode"
    } else if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else {
        "/etc/claude-code"
    };
    PathBuf::from(place)
}

/// The platform's directory for config files.
fn configs(home: Option<&Path>, path: &dyn Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    if let Some(dir) = path("XDG_CONFIG_HOME").filter(|dir| dir.is_absolute()) {
        return Some(dir);
    }
    if cfg!(windows) {
        return path("APPDATA");
    }
    let below = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".config" };
    home.map(|home| home.join(below))
}
