//! A release of the package: downloaded by the registry's own client, opened, never installed or run.

use std::path::Path;
use std::process::Command;

use jiff::civil::Date;

use super::PACKAGE;

/// The list, in the package.
const LIST: &str = "model_prices_and_context_window_backup.json";

/// Takes the list and the bills of materials out of the archive: these alone, for it is large.
const OPEN: &str = "\
import sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
for name in archive.namelist():
    if name.endswith('/' + sys.argv[3]) or '.dist-info/sboms/' in name:
        archive.extract(name, sys.argv[2])
";

/// What was downloaded.
pub struct Fetched {
    /// Its version.
    pub version: String,
    /// The day it was built, where it tells.
    pub date: Option<Date>,
    /// The text of the list.
    pub list: String,
}

/// Downloads a release, or the newest one, into a directory that is gone afterwards.
pub fn fetch(version: Option<&str>) -> Result<Fetched, String> {
    let folder = tempfile::tempdir().map_err(|cause| cause.to_string())?;
    let wanted = version.map_or_else(|| PACKAGE.to_owned(), |version| format!("{PACKAGE}=={version}"));
    let mut download = Command::new("python3");
    // An archive that is built already: making one would run what is in it.
    download.args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet", "--dest"]);
    run(download.arg(folder.path()).arg(&wanted))?;
    let archive = files(folder.path())?
        .into_iter()
        .find(|name| name.ends_with(".whl"))
        .ok_or_else(|| format!("no archive of {wanted} was downloaded"))?;
    let version = archive.split('-').nth(1).ok_or_else(|| format!("{archive} has no version"))?.to_owned();
    let mut open = Command::new("python3");
    run(open.args(["-c", OPEN]).arg(folder.path().join(&archive)).arg(folder.path()).arg(LIST))?;
    let list = folder.path().join(PACKAGE).join(LIST);
    let list = std::fs::read_to_string(&list).map_err(|cause| format!("{LIST} of {wanted}: {cause}"))?;
    let date = built(&folder.path().join(format!("{PACKAGE}-{version}.dist-info/sboms")));
    Ok(Fetched { version, date, list })
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|cause| format!("python3: {cause}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("python3 failed: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

fn files(folder: &Path) -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder).map_err(|cause| cause.to_string())?;
    Ok(entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect())
}

/// Archives carry no times; a bill of materials does, but not every release has one.
fn built(bills: &Path) -> Option<Date> {
    let name = files(bills).ok()?.into_iter().min()?;
    let bill: serde_json::Value = serde_json::from_slice(&std::fs::read(bills.join(name)).ok()?).ok()?;
    bill["metadata"]["timestamp"].as_str()?.get(..10)?.parse().ok()
}

/// The day on which a release is downloaded: no later one can be its own.
pub fn today() -> Date {
    jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}
