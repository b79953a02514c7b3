//! `cargo xtask prices`: the price table, from a price list that others keep.
//!
//! The list is a file in a package of a public registry, downloaded by that registry's own client; nothing of the package is
//! run. It says what models cost now, and forgets those that are retired; so the table is a fold over releases, told
//! in its first line: each adds what it knows, and what it says differently begins on its day. `--rebuild` makes the
//! table anew from all of them and comes to the same text.

mod facts;
mod history;
mod list;
mod release;
mod wrong;

use jiff::civil::Date;
use scrollback_pricing::{Release, Table};

const USAGE: &str = "\
usage: cargo xtask prices [--check] [--rebuild] [--release VERSION] [--date DAY]

  --check             tell what would change, write nothing; fails if something would
  --rebuild           read every release of the table's first line again, oldest first
  --release VERSION   take this release instead of the newest one
  --date DAY          when it was published, 2026-11-12; without: as the release says, or else today";

/// The package that has the list.
const PACKAGE: &str = "litellm";

#[derive(Default)]
struct Options {
    check: bool,
    rebuild: bool,
    release: Option<String>,
    date: Option<Date>,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let mut options = Self::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--check" => options.check = true,
                "--rebuild" => options.rebuild = true,
                "--release" => options.release = Some(words.next().ok_or(USAGE)?.clone()),
                "--date" => {
                    let day = words.next().ok_or(USAGE)?;
                    options.date = Some(day.parse().map_err(|_| format!("{day} is no day\n\n{USAGE}"))?);
                }
                other => return Err(format!("{other} is no option of prices\n\n{USAGE}")),
            }
        }
        if options.rebuild && (options.release.is_some() || options.date.is_some()) {
            return Err(format!("--rebuild reads the releases of the table, with their days\n\n{USAGE}"));
        }
        Ok(options)
    }
}

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let options = Options::parse(arguments)?;
    let path = scrollback_testkit::workspace().join("crates/pricing/data/prices.jsonl");
    let text = std::fs::read_to_string(&path).map_err(|cause| format!("{}: {cause}", path.display()))?;
    let mut table = Table::decode(&text).map_err(|cause| cause.to_string())?;
    if options.rebuild {
        table.rows.clear();
        for release in table.head.releases.clone() {
            let fetched = release::fetch(Some(&release.version))?;
            take(&mut table, &fetched.list, &release)?;
        }
    } else {
        let fetched = release::fetch(options.release.as_deref())?;
        let date = options.date.or(fetched.date).unwrap_or_else(release::today);
        let release = Release { version: fetched.version, date: Some(date) };
        if table.head.releases.iter().any(|known| known.version == release.version) {
            println!("{PACKAGE} {} is in the table already", release.version);
            return Ok(());
        }
        if table.head.releases.last().is_some_and(|last| last.date > release.date) {
            return Err(format!("{PACKAGE} {} is older than the table", release.version));
        }
        take(&mut table, &fetched.list, &release)?;
        table.head.releases.push(release);
    }
    let new = table.encode().map_err(|cause| cause.to_string())?;
    let models: std::collections::BTreeSet<&str> = table.rows.iter().map(|row| row.model.as_str()).collect();
    println!("{} models, {} rows", models.len(), table.rows.len());
    match (new == text, options.check) {
        (true, _) => println!("the table is up to date"),
        (false, true) => return Err("the table is out of date: run cargo xtask prices".into()),
        (false, false) => {
            std::fs::write(&path, new).map_err(|cause| format!("{}: {cause}", path.display()))?;
            println!("written: {}", path.display());
        }
    }
    Ok(())
}

/// Adds a release to the table and tells what it says anew.
fn take(table: &mut Table, list: &str, release: &Release) -> Result<(), String> {
    let date = release.date.ok_or("a release of the table has no date")?;
    println!("{PACKAGE} {} of {date}", release.version);
    let (models, notes) = list::read(list)?;
    for note in notes {
        println!("  note: {note}");
    }
    for change in history::apply(&mut table.rows, &models, PACKAGE, release)? {
        println!("  {change}");
    }
    Ok(())
}
