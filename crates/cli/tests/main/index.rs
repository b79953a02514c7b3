//! The cache behind `ls` and `search`, as a user meets it: killed, shared, damaged, forbidden, asked in SQL.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use scrollback_testkit::corpus;
use scrollback_testkit::home::Store;

use crate::program::Program;

/// How often a refresh is killed.
const KILLS: u64 = 200;
/// How long writers and readers run beside each other; a minute if `SCROLLBACK_SOAK` is set.
const BESIDE: Duration = Duration::from_secs(15);
const QUERIES: [&str; 4] = ["hello", "alpha OR grown", "tool:Bash", "grown"];

fn grown() -> Program {
    Program::with(Store::of_tree("2.1.9"))
}

fn sessions(program: &Program) -> Vec<PathBuf> {
    corpus::jsonl_files(&program.root().join("projects"))
}

fn append(path: &Path, bytes: &[u8]) {
    std::fs::OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

/// A prompt of its own, as a line.
fn prompt(number: u64) -> String {
    format!(
        r#"{{"parentUuid":null,"type":"user","uuid":"00000000-0000-4000-8000-{number:012}","timestamp":"2026-11-01T10:00:00.000Z","cwd":"/grown","message":{{"role":"user","content":"grown {number}"}}}}"#
    ) + "\n"
}

fn cache(program: &Program) -> PathBuf {
    let told = program.json(&["index", "--json"]);
    PathBuf::from(told["path"].as_str().unwrap())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn run_in(program: &Program, cache: Option<&Path>, arguments: &[&str]) -> Output {
    let mut command = program.command(arguments);
    if let Some(cache) = cache {
        command.env("SCROLLBACK_CACHE_DIR", cache);
    }
    command.output().unwrap()
}

/// What the index tells, by counts and by searches.
fn answers(program: &Program, cache: Option<&Path>) -> Vec<String> {
    let mut told = Vec::new();
    for table in ["sessions", "agents", "messages", "calls", "prompts"] {
        let sql = format!("SELECT count(*) FROM {table}");
        told.push(
            String::from_utf8(run_in(program, cache, &["index", "sql", &sql, "--csv"]).stdout).unwrap(),
        );
    }
    for query in QUERIES {
        let arguments = ["search", query, "--json", "--limit", "0", "--hits", "0", "--sort", "time"];
        let output = run_in(program, cache, &arguments);
        assert!(matches!(output.status.code(), Some(0 | 1)), "{query}: {}", stderr(&output));
        let mut found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        // How it was found may differ; what was found may not.
        found.as_object_mut().unwrap().remove("scanned_files");
        told.push(found.to_string());
    }
    told
}

#[test]
fn a_refresh_that_is_killed_loses_nothing() {
    let program = grown();
    let files = sessions(&program);
    for round in 0..KILLS {
        let file = &files[(round as usize * 7) % files.len()];
        let line = prompt(round);
        // Some lines come in two pieces, with a kill between.
        let cut = if round % 3 == 0 { line.len() / 2 } else { line.len() };
        append(file, &line.as_bytes()[..cut]);
        let mut child = program
            .command(&["index", "refresh", "--quiet"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_micros(round * 7_919 % 40_000));
        let _ = child.kill();
        child.wait().unwrap();
        append(file, &line.as_bytes()[cut..]);
    }
    let last = program.run(&["index", "refresh"]);
    assert_eq!(last.status.code(), Some(0), "{}", stderr(&last));
    let fresh = tempfile::tempdir().unwrap();
    let fresh = fresh.path().join("fresh");
    assert_eq!(run_in(&program, Some(&fresh), &["index", "refresh"]).status.code(), Some(0));
    let (old, new) = (answers(&program, None), answers(&program, Some(&fresh)));
    assert_eq!(old, new);
}

/// Runs a command over and over until the time is up; every answer has to be one.
fn keep_asking(program: &Program, arguments: &[&str], end: Instant, runs: &AtomicUsize) {
    while Instant::now() < end {
        let output = program.run(arguments);
        let (code, told) = (output.status.code(), stderr(&output));
        assert!(!told.contains("bug"), "{arguments:?}: {told}");
        let value: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {code:?} {error}: {told}"));
        let nothing = value["matched"] == 0;
        assert_eq!(code, Some(i32::from(nothing)), "{arguments:?}: {told}");
        runs.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn writers_and_readers_do_not_disturb_each_other() {
    let program = &grown();
    let files = &sessions(program);
    let soak = std::env::var_os("SCROLLBACK_SOAK").is_some();
    let end = Instant::now() + if soak { Duration::from_secs(60) } else { BESIDE };
    let (runs, done) = (&AtomicUsize::new(0), &AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut round = 0;
            while !done.load(Ordering::Relaxed) {
                append(&files[round as usize % files.len()], prompt(round).as_bytes());
                round += 1;
                std::thread::sleep(Duration::from_millis(3));
            }
        });
        let writer = &["index", "refresh", "--json"][..];
        let readers = [
            &["ls", "--json"][..],
            &["ls", "--all", "--json"],
            &["search", "grown", "--json"],
            &["search", "hello", "--json"],
            &["search", "zebrafish", "--json"],
        ];
        let asking: Vec<_> = [writer, writer]
            .into_iter()
            .chain(readers)
            .map(|arguments| scope.spawn(move || keep_asking(program, arguments, end, runs)))
            .collect();
        let results: Vec<_> = asking.into_iter().map(std::thread::ScopedJoinHandle::join).collect();
        done.store(true, Ordering::Relaxed);
        let failed = results.iter().filter(|result| result.is_err()).count();
        assert_eq!(failed, 0, "what went wrong is told above");
    });
    assert!(runs.load(Ordering::Relaxed) > 20);
}

/// An index, damaged by the test, is built anew with a remark, and the answers stay the same.
fn check_rebuilt(damage: impl FnOnce(&Path), has_remark: bool) {
    let program = grown();
    assert_eq!(program.run(&["index", "refresh"]).status.code(), Some(0));
    let before = answers(&program, None);
    damage(&cache(&program));
    let first = program.run(&["search", "hello", "--json"]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert_eq!(stderr(&first).contains("rebuilding it"), has_remark, "{}", stderr(&first));
    assert_eq!(answers(&program, None), before);
}

#[test]
fn garbage_for_a_catalogue_is_built_anew() {
    check_rebuilt(
        |cache| {
            for name in ["catalogue.db-wal", "catalogue.db-shm"] {
                let _ = std::fs::remove_file(cache.join(name));
            }
            std::fs::write(cache.join("catalogue.db"), vec![b'x'; 20_000]).unwrap();
        },
        true,
    );
}

#[test]
fn a_catalogue_of_another_version_is_built_anew() {
    check_rebuilt(
        |cache| {
            let script = "import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
assert c.execute(\"UPDATE meta SET value = '0.0' WHERE key = 'version'\").rowcount == 1
c.commit()";
            let run = Command::new("python3").args(["-c", script]).arg(cache.join("catalogue.db")).status();
            assert!(run.unwrap().success());
        },
        true,
    );
}

#[test]
fn a_cache_that_an_earlier_version_left_is_built_anew() {
    check_rebuilt(
        |cache| {
            let old = corpus::old_index(1);
            std::fs::remove_dir_all(cache).unwrap();
            std::fs::create_dir_all(cache.join("text")).unwrap();
            for below in ["", "text"] {
                for entry in std::fs::read_dir(old.join(below)).unwrap().flatten() {
                    if entry.path().is_file() {
                        std::fs::copy(entry.path(), cache.join(below).join(entry.file_name())).unwrap();
                    }
                }
            }
            assert!(cache.join("catalogue.db").is_file());
        },
        true,
    );
}

/// Flips a bit in the middle of every blob of a column.
fn flip_bits(cache: &Path, table: &str, column: &str) {
    let script = "import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
table, column = sys.argv[2:]
rows = c.execute(f'SELECT rowid, {column} FROM {table}').fetchall()
assert rows
for row, blob in rows:
    blob = bytearray(blob)
    blob[len(blob) // 2] ^= 4
    c.execute(f'UPDATE {table} SET {column} = ? WHERE rowid = ?', (bytes(blob), row))
c.commit()";
    let database = cache.join("catalogue.db");
    let run = Command::new("python3").args(["-c", script]).arg(database).args([table, column]).status();
    assert!(run.unwrap().success());
}

#[test]
fn a_flipped_bit_in_the_catalogue_is_noticed_and_what_it_stood_for_is_built_anew() {
    let messages = "SELECT message_id, model, time, line, output_tokens FROM messages ORDER BY 1, 2, 3, 4";
    let search = &["search", "hello", "--json", "--sort", "time"][..];
    for (table, column, command) in [
        ("skeletons", "body", search),
        ("placings", "runs", search),
        ("row_states", "dead", &["search", "hello -is:dead-branch", "--json", "--sort", "time"]),
        ("charges", "body", &["usage", "--json"]),
        ("charges", "body", &["index", "sql", messages, "--csv"]),
    ] {
        let program = grown();
        assert_eq!(program.run(&["index", "refresh"]).status.code(), Some(0));
        let answer = || {
            let output = program.run(command);
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), stderr(&output))
        };
        let (code, before, _) = answer();
        assert_eq!(code, Some(0), "{table}: {command:?}");
        flip_bits(&cache(&program), table, column);
        let (first, mut after, told) = answer();
        if first != code {
            // It says so, and has it right the next time.
            assert!(first != Some(70) && told.contains("cannot be read"), "{table}: {first:?} {told}");
            after = answer().1;
        }
        assert_eq!(after, before, "{table}: {command:?}");
    }
}

#[test]
fn garbage_in_the_text_index_costs_no_answer() {
    check_rebuilt(|cache| std::fs::write(cache.join("text/meta.json"), "{garbage").unwrap(), false);
}

#[test]
fn a_text_index_with_a_lost_or_damaged_piece_costs_no_answer() {
    for kind in ["term", "idx", "pos", "store", "fast", "fieldnorm"] {
        let pieces = |cache: &Path| -> Vec<PathBuf> {
            let entries = std::fs::read_dir(cache.join("text")).unwrap().flatten().map(|entry| entry.path());
            entries.filter(|path| path.extension().is_some_and(|extension| extension == kind)).collect()
        };
        check_rebuilt(
            |cache| pieces(cache).iter().for_each(|path| std::fs::remove_file(path).unwrap()),
            false,
        );
        check_rebuilt(|cache| pieces(cache).iter().for_each(|path| std::fs::write(path, "").unwrap()), false);
    }
}

#[cfg(unix)]
#[test]
fn a_directory_of_somebody_else_is_left_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let program = grown();
    let shared = program.root().with_file_name("shared");
    std::fs::create_dir_all(shared.join("text")).unwrap();
    std::fs::write(shared.join("text/mine.txt"), "mine").unwrap();
    std::fs::write(shared.join("lock"), "x").unwrap();
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o755)).unwrap();
    for arguments in [&["search", "hello"][..], &["index", "refresh"], &["index", "clear"]] {
        let output = run_in(&program, Some(&shared), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        if arguments != ["index", "clear"] {
            assert!(shared.join("scrollback/catalogue.db").is_file());
        }
    }
    assert!(!shared.join("scrollback").exists());
    assert_eq!(std::fs::read(shared.join("text/mine.txt")).unwrap(), b"mine");
    assert_eq!(std::fs::read(shared.join("lock")).unwrap(), b"x");
    assert_eq!(std::fs::metadata(&shared).unwrap().permissions().mode() & 0o777, 0o755);
}

#[test]
fn nothing_is_kept_inside_the_store() {
    let program = grown();
    let inside = program.root().join("cache-of-mine");
    let output = run_in(&program, Some(&inside), &["ls"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("it is inside the store"), "{}", stderr(&output));
    assert!(!inside.exists());
}

#[test]
fn a_store_that_is_named_twice_is_one() {
    let program = grown();
    let root = program.root().display().to_string();
    let once = program.json(&["--root", &root, "search", "hello", "--json"]);
    let twice = program.json(&["--root", &root, "--root", &format!("{root}/."), "search", "hello", "--json"]);
    assert!(once["matched"].as_u64().unwrap() > 0);
    assert_eq!(once, twice);
    assert_eq!(program.json(&["--root", &root, "search", "hello", "--json"]), once);
    let listed = |arguments: &[&str]| program.json(arguments)["matched"].clone();
    assert_eq!(listed(&["--root", &root, "--root", &root, "ls", "--json"]), listed(&["ls", "--json"]));
}

#[test]
fn an_edit_before_an_append_is_noticed() {
    let program = Program::with(Store::new().lines(
        "projects/-p/11111111-0000-4000-8000-000000000000.jsonl",
        [prompt(1).trim_end().replace("grown 1", "secretword"), prompt(2).trim_end().to_owned()],
    ));
    let hits = |word: &str| program.json(&["search", word, "--json"])["matched"].as_u64().unwrap();
    program.run(&["index", "refresh"]);
    assert_eq!((hits("secretword"), hits("otherwords")), (1, 0));
    // As an editor saves: another file in its place. Then the client appends.
    let path = &sessions(&program)[0];
    let text = std::fs::read_to_string(path).unwrap().replace("secretword", "otherwords");
    let beside = path.with_extension("new");
    std::fs::write(&beside, text + &prompt(3)).unwrap();
    std::fs::rename(&beside, path).unwrap();
    assert_eq!((hits("secretword"), hits("otherwords")), (0, 1));
}

#[test]
fn a_folder_that_was_renamed_tells_its_sessions_anew() {
    let program = grown();
    program.run(&["index", "refresh"]);
    let folder = sessions(&program)[0].parent().unwrap().to_owned();
    std::fs::rename(&folder, folder.with_file_name("-renamed-by-hand")).unwrap();
    let kept = program.json(&["ls", "--all", "--json"]);
    let fresh = run_in(&program, Some(Path::new("")), &["ls", "--all", "--json"]);
    let fresh: serde_json::Value = serde_json::from_slice(&fresh.stdout).unwrap();
    assert_eq!(kept["sessions"], fresh["sessions"]);
}

#[test]
fn a_condition_cannot_reach_beyond_its_place() {
    let program = grown();
    for condition in ["1=1) or (1=1", "nonsense(", "1; DROP TABLE sessions"] {
        let output = program.run(&["ls", "--where", condition]);
        assert_eq!(output.status.code(), Some(2), "{condition}");
    }
    assert_eq!(program.run(&["ls", "--where", "turns > 0 -- all"]).status.code(), Some(0));
}

#[test]
fn answers_do_not_need_a_cache() {
    let program = grown();
    let blocked = program.root().join("a-file");
    std::fs::write(&blocked, "").unwrap();
    let below = blocked.join("cache");
    for arguments in [&["ls"][..], &["search", "hello", "--hits", "1"]] {
        let usual = run_in(&program, None, arguments);
        let nowhere = run_in(&program, Some(Path::new("")), arguments);
        let refused = run_in(&program, Some(&below), arguments);
        assert_eq!(usual.status.code(), Some(0), "{}", stderr(&usual));
        for other in [&nowhere, &refused] {
            assert_eq!(other.status.code(), Some(0), "{arguments:?}: {}", stderr(other));
            assert_eq!(
                String::from_utf8_lossy(&other.stdout),
                String::from_utf8_lossy(&usual.stdout),
                "{arguments:?}"
            );
        }
        assert_eq!(stderr(&nowhere), "");
        assert!(stderr(&refused).contains("cannot keep an index in"), "{}", stderr(&refused));
    }
}

#[cfg(unix)]
#[test]
fn the_cache_is_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let program = grown();
    assert_eq!(program.run(&["index", "refresh"]).status.code(), Some(0));
    let mode = std::fs::metadata(cache(&program)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[test]
fn the_index_can_be_asked_and_thrown_away() {
    let program = grown();
    let ask = |arguments: &[&str]| {
        let output = program.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(ask(&["index"]).contains("none yet"));
    ask(&["index", "refresh", "--quiet"]);
    assert!(ask(&["index", "status"]).contains("up to date"));
    let sql = "SELECT 'a,b' AS x, count(*) > 0 AS y FROM sessions";
    assert_eq!(ask(&["index", "sql", sql, "--csv"]), "x,y\r\n\"a,b\",1\r\n");
    let told: serde_json::Value = serde_json::from_str(&ask(&["index", "sql", sql, "--json"])).unwrap();
    assert_eq!(told["rows"], serde_json::json!([{ "x": "a,b", "y": 1 }]));
    assert!(ask(&["index", "sql", sql]).contains("a,b"));
    assert!(ask(&["index", "tables"]).starts_with("sessions"));
    let place = cache(&program);
    ask(&["index", "clear"]);
    assert!(!place.exists());
    ask(&["index", "clear"]);
}

#[test]
fn sql_that_writes_or_is_none_is_refused() {
    let program = grown();
    let count = || program.json(&["index", "sql", "SELECT count(*) AS n FROM sessions", "--json"]);
    let before = count();
    let other = program.root().with_file_name("other.db");
    let attach = format!("ATTACH DATABASE '{}' AS x", other.display());
    for sql in [
        "DELETE FROM sessions",
        "SELEC",
        "",
        "PRAGMA user_version = 7",
        "PRAGMA query_only = 0",
        "SAVEPOINT x",
        "SELECT 1; DELETE FROM sessions",
        &attach,
    ] {
        let output = program.run(&["index", "sql", sql]);
        assert_eq!(output.status.code(), Some(2), "{sql}: {}", stderr(&output));
    }
    assert_eq!(count(), before);
    assert!(!other.exists());
    assert_eq!(program.run(&["index", "sql", "PRAGMA table_info(sessions)"]).status.code(), Some(0));
}

#[test]
fn sql_sees_the_stores_that_were_asked_for_and_no_others() {
    let (one, other) = (Store::of_tree("2.1.9"), Store::of_tree("2.1.200"));
    let both = [one.root().display().to_string(), other.root().display().to_string()];
    let program = Program::with(one);
    let sql = "SELECT (SELECT count(*) FROM sessions) AS s, (SELECT count(*) FROM messages) AS m, (SELECT count(*) FROM files) AS f";
    let counts = |roots: &[&String]| {
        let roots: Vec<&str> = roots.iter().flat_map(|root| ["--root", root.as_str()]).collect();
        let told = program.json(&[&roots[..], &["index", "sql", sql, "--json"]].concat());
        ["s", "m", "f"].map(|name| told["rows"][0][name].as_u64().unwrap())
    };
    let (first, second) = (counts(&[&both[0]]), counts(&[&both[1]]));
    let together = counts(&[&both[0], &both[1]]);
    assert_eq!(counts(&[&both[0]]), first, "what was seen once is not added");
    for at in 0..3 {
        assert!(first[at] > 0 && second[at] > 0);
        assert_eq!(first[at] + second[at], together[at]);
    }
}

#[test]
fn sql_without_an_end_is_ended() {
    let program = grown();
    let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";
    let large = "SELECT length(hex(zeroblob(400000000)))";
    let condition = format!("({endless}) > 0");
    for (arguments, why) in [
        (&["index", "sql", endless][..], "takes too long"),
        (&["index", "sql", large], "takes too much memory"),
        (&["ls", "--where", &condition], "takes too long"),
    ] {
        let output = program.run_in_time(arguments);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(why), "{arguments:?}: {said}");
    }
}
