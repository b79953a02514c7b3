//! Files put back: what was there at each turn, undone byte for byte, and nothing outside of the target, whatever is recorded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use proptest::prelude::*;
use scrollback_app::edit::{self, EditPlan, LiveCheck};
use scrollback_app::files::moment::{At, end_of_turn};
use scrollback_app::files::restore::{self, Restore, RestoreTarget};
use scrollback_app::files::transcripts::TranscriptSet;
use scrollback_format::digest::backup_name;
use scrollback_format::generation::Generation;
use scrollback_format::time::Time;
use scrollback_testkit::home::Store;
use serde_json::json;

use super::client::{Client, Clock};
use super::lines::{ID, Lines, shelf};
use crate::editing::{all, library, watch};

fn wanted(paths: Vec<String>, at: At, target: RestoreTarget, project: &str) -> Restore {
    Restore {
        paths,
        at,
        target,
        project: Some(project.to_owned()),
        named: false,
        renamed: Vec::new(),
        partial: false,
        title: "restore".into(),
        command: vec!["files".into(), "restore".into()],
        now: Time(1_900_000_000_000),
    }
}

fn apply(store: &Store, plan: &EditPlan) -> u64 {
    edit::apply(plan, &store.home().join("data"), &seen(store)).unwrap().number
}

fn seen(store: &Store) -> LiveCheck {
    watch(store.home())
}

/// The files below a directory.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    all(directory).into_iter().filter_map(|(path, bytes)| Some((path, bytes?))).collect()
}

#[derive(Debug, Clone)]
enum Act {
    Prompt,
    Write(usize, String),
    Edit(usize, String),
}

const NAMES: [&str; 3] = ["a.txt", "src/b.rs", "src/deep/c"];

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        Just(Act::Prompt),
        (0..NAMES.len(), "[a-c]{0,3}\n[x-z]{0,4}").prop_map(|(file, text)| Act::Write(file, text)),
        (0..NAMES.len(), "[A-Z]{1,4}").prop_map(|(file, text)| Act::Edit(file, text)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn each_turn_comes_back_in_place_and_is_undone(
        acts in prop::collection::vec(act(), 4..16),
        generation in prop::sample::select(vec![Generation::V2_0_29, Generation::V2_1_9, Generation::V2_1_325]),
    ) {
        let store = Store::new();
        let project = std::fs::canonicalize(store.home()).unwrap().join("work");
        let cwd = project.to_str().unwrap().to_owned();
        let clock = Clock::starting(1_800_000_000_000);
        let mut client = Client::new(&store, generation, &cwd, &clock);
        client.prompt("Begin.");
        let mut turns = Vec::new();
        for act in acts.iter().chain(&[Act::Prompt]) {
            let path = |file: &usize| format!("{cwd}/{}", NAMES[*file]);
            match act {
                Act::Prompt => {
                    client.reply();
                    turns.push(client.disk.clone());
                    client.prompt("Go on.");
                }
                Act::Write(file, text) => client.write(&path(file), text),
                Act::Edit(file, text) => {
                    let now = client.now(&path(file)).and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
                    let old: String = now.chars().take(1).collect();
                    client.edit(&path(file), &old, text, true, false);
                }
            }
        }
        client.reply();
        let last = client.disk.clone();
        client.commit(&store);
        std::fs::create_dir(&project).unwrap();
        for (path, bytes) in last.iter().filter_map(|(path, bytes)| Some((path, bytes.as_ref()?))) {
            std::fs::create_dir_all(Path::new(path).parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let before = all(&project);
        let library = library(store.root());
        let session = library.sessions().next().unwrap();
        let shelf = Arc::new(TranscriptSet::of_session(&library, &session).unwrap());
        for (turn, disk) in turns.iter().enumerate() {
            let time = end_of_turn(&library, &session, Some(turn as u32 + 1)).unwrap();
            let plan = restore::plan(&shelf, &wanted(shelf.changed(), At::Time(time), RestoreTarget::InPlace, &cwd)).unwrap();
            if plan.transaction.ops().is_empty() {
                continue;
            }
            let record = apply(&store, &plan);
            let expected: BTreeMap<PathBuf, Vec<u8>> =
                disk.iter().filter_map(|(path, bytes)| Some((path.into(), bytes.clone()?))).collect();
            prop_assert_eq!(files(&project), expected, "turn {}", turn + 1);
            edit::undo(Some(record), &store.home().join("data"), &seen(&store)).unwrap();
            prop_assert_eq!(all(&project), before.clone());
        }
    }
}

/// A store and a project beside it, with everything outside of the project remembered.
struct Ground {
    store: Store,
    project: PathBuf,
}

impl Ground {
    fn new() -> Self {
        let store = Store::new();
        let project = std::fs::canonicalize(store.home()).unwrap().join("work/app");
        std::fs::create_dir_all(&project).unwrap();
        Self { store, project }
    }

    fn cwd(&self) -> &str {
        self.project.to_str().unwrap()
    }

    fn at(&self, name: &str) -> PathBuf {
        self.project.join(name)
    }

    /// What is neither in a directory nor our own.
    fn outside(&self, directory: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
        let home = std::fs::canonicalize(self.store.home()).unwrap();
        let ours = home.join("data");
        all(&home)
            .into_iter()
            .filter(|(path, _)| !path.starts_with(directory) && !path.starts_with(&ours))
            .collect()
    }

    fn plan(&self, target: RestoreTarget) -> EditPlan {
        let shelf = Arc::new(shelf(&self.store));
        restore::plan(&shelf, &wanted(shelf.changed(), At::Newest, target, self.cwd())).unwrap()
    }

    fn warnings(&self, plan: &EditPlan) -> Vec<String> {
        plan.preview(&seen(&self.store)).warnings
    }
}

#[test]
fn nothing_is_ever_put_outside_of_the_target() {
    let ground = Ground::new();
    let home = std::fs::canonicalize(ground.store.home()).unwrap();
    let elsewhere = home.join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("kept"), "kept").unwrap();
    std::os::unix::fs::symlink(&elsewhere, ground.at("link")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("kept"), ground.at("leaf")).unwrap();
    std::os::unix::fs::symlink(elsewhere.join("new"), ground.at("nowhere")).unwrap();
    let cwd = ground.cwd().to_owned();
    let evil = |name: &str| home.join(name).display().to_string();
    let mut lines = Lines::new(&cwd).write(&format!("{cwd}/good.txt"), "good");
    for name in ["../../evil1", "../evil2", "sub/../../../evil3"] {
        let absolute = scrollback_app::files::path::absolute(name, Some(&cwd)).unwrap();
        let backup = backup_name(&absolute, 1);
        ground.store.put(format!("file-history/{ID}/{backup}"), "evil");
        lines = lines.checkpoint(name, json!(backup), 1);
    }
    lines = lines
        .write(&evil("evil4"), "evil")
        .write(&format!("{cwd}/../../evil5"), "evil")
        .write(&format!("{cwd}/link/evil6"), "evil")
        .write(&format!("{cwd}/leaf"), "evil")
        .write(&format!("{cwd}/nowhere"), "evil")
        .write(&format!("{cwd}/a\nb"), "evil")
        .write(&format!("{cwd}/\u{1b}[31m"), "evil")
        .write(&evil("elsewhere/kept"), "evil")
        .write("C:\\Windows\\evil7", "evil");
    lines.put(&ground.store);

    let before = ground.outside(&ground.project);
    let plan = ground.plan(RestoreTarget::InPlace);
    let record = apply(&ground.store, &plan);
    assert_eq!(ground.outside(&ground.project), before);
    assert_eq!(std::fs::read(ground.at("good.txt")).unwrap(), b"good");
    let warnings = ground.warnings(&plan);
    assert_eq!(warnings.len(), 12, "{warnings:#?}");
    edit::undo(Some(record), &ground.store.home().join("data"), &seen(&ground.store)).unwrap();
    assert!(!ground.at("good.txt").exists());

    let target = home.join("copies/here");
    let before = ground.outside(&home.join("copies"));
    let plan = ground.plan(RestoreTarget::Into(target.clone()));
    let record = apply(&ground.store, &plan);
    assert_eq!(ground.outside(&home.join("copies")), before);
    assert_eq!(std::fs::read(target.join("good.txt")).unwrap(), b"good");
    // Below a directory of its own a file has no links in its way.
    assert_eq!(std::fs::read(target.join("link/evil6")).unwrap(), b"evil");
    let outside = target.join(format!("outside{}", evil("evil4")));
    assert_eq!(std::fs::read(outside).unwrap(), b"evil");
    assert_eq!(std::fs::read(target.join("outside/C/Windows/evil7")).unwrap(), b"evil");
    edit::undo(Some(record), &ground.store.home().join("data"), &seen(&ground.store)).unwrap();
    assert!(!home.join("copies").exists());
}

#[test]
fn binary_files_modes_links_and_missing_files_come_back() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::new();
    let cwd = ground.cwd().to_owned();
    let bytes: Vec<u8> = (0..=255).collect();
    let (tool, gone) = (format!("{cwd}/bin/tool"), format!("{cwd}/later.txt"));
    let blob = format!("file-history/{ID}/{}", backup_name(&tool, 1));
    ground.store.put(&blob, &bytes);
    std::fs::set_permissions(ground.store.root().join(&blob), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::write(ground.at("later.txt"), "to go").unwrap();
    std::fs::write(ground.at("real.txt"), "old").unwrap();
    std::fs::set_permissions(ground.at("real.txt"), PermissionsExt::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("real.txt", ground.at("alias.txt")).unwrap();
    Lines::new(&cwd)
        .checkpoint("bin/tool", json!(backup_name(&tool, 1)), 1)
        .checkpoint("later.txt", json!(null), 1)
        .write(&format!("{cwd}/alias.txt"), "new")
        .put(&ground.store);
    assert!(shelf(&ground.store).files.contains_key(&gone));
    let before = all(&ground.project);
    let plan = ground.plan(RestoreTarget::InPlace);
    assert_eq!(ground.warnings(&plan), Vec::<String>::new());
    let record = apply(&ground.store, &plan);
    let mode = |name: &str| std::fs::metadata(ground.at(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(std::fs::read(ground.at("bin/tool")).unwrap(), bytes);
    assert_eq!((mode("bin/tool"), mode("bin"), mode("real.txt")), (0o755, 0o755, 0o640));
    assert!(!ground.at("later.txt").exists());
    assert!(std::fs::symlink_metadata(ground.at("alias.txt")).unwrap().is_symlink());
    assert_eq!(std::fs::read(ground.at("real.txt")).unwrap(), b"new");
    let trashed = edit::trash::trashed(&ground.store.home().join("data")).unwrap();
    let mut paths: Vec<&str> = trashed.iter().map(|item| item.path.as_str()).collect();
    paths.sort_unstable();
    assert_eq!(paths, ["later.txt", "real.txt"]);
    edit::undo(Some(record), &ground.store.home().join("data"), &seen(&ground.store)).unwrap();
    assert_eq!(all(&ground.project), before);
    assert_eq!(mode("real.txt"), 0o640);
}

#[test]
fn a_file_that_changed_after_it_was_shown_is_not_overwritten() {
    let ground = Ground::new();
    let path = format!("{}/a.txt", ground.cwd());
    Lines::new(ground.cwd()).write(&path, "recorded").put(&ground.store);
    std::fs::write(&path, "mine").unwrap();
    let plan = ground.plan(RestoreTarget::InPlace);
    std::fs::write(&path, "mine, and more").unwrap();
    let error = edit::apply(&plan, &ground.store.home().join("data"), &seen(&ground.store)).unwrap_err();
    assert!(error.to_string().contains("has changed since it was read"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"mine, and more");
    let plan = ground.plan(RestoreTarget::InPlace);
    let record = apply(&ground.store, &plan);
    std::fs::write(&path, "edited again").unwrap();
    let error =
        edit::undo(Some(record), &ground.store.home().join("data"), &seen(&ground.store)).unwrap_err();
    assert!(
        error.to_string().contains("was modified since") || error.to_string().contains("moved on"),
        "{error}"
    );
}

#[test]
fn what_is_known_in_part_is_restored_only_on_request() {
    let ground = Ground::new();
    let path = format!("{}/a.txt", ground.cwd());
    let file = json!({"type": "text", "file": {"filePath": path, "content": "b\nc", "numLines": 2, "startLine": 2, "totalLines": 9}});
    Lines::new(ground.cwd()).call("Read", json!({"file_path": path}), Some(file)).put(&ground.store);
    let shelf = Arc::new(shelf(&ground.store));
    let mut restore = wanted(vec![path.clone()], At::Newest, RestoreTarget::InPlace, ground.cwd());
    let plan = restore::plan(&shelf, &restore).unwrap();
    assert!(plan.transaction.ops().is_empty());
    assert!(
        ground.warnings(&plan)[0].contains("only lines 2-3 of 9 are known"),
        "{:?}",
        ground.warnings(&plan)
    );
    restore.partial = true;
    apply(&ground.store, &restore::plan(&shelf, &restore).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), b"b\nc\n");
}

#[test]
fn our_own_directory_is_never_restored_into() {
    let ground = Ground::new();
    let data = std::fs::canonicalize(ground.store.home()).unwrap().join("data");
    std::fs::create_dir(&data).unwrap();
    let home = data.parent().unwrap().to_str().unwrap().to_owned();
    Lines::new(&home).write(&format!("{home}/data/journal/evil"), "x").put(&ground.store);
    let shelf = Arc::new(shelf(&ground.store));
    let restore = wanted(shelf.changed(), At::Newest, RestoreTarget::InPlace, &home);
    let plan = restore::plan(&shelf, &restore).unwrap();
    let error = edit::apply(&plan, &data, &seen(&ground.store)).unwrap_err();
    assert!(
        matches!(&error, scrollback_app::error::AppError::Journal(inner)
        if matches!(**inner, scrollback_app::JournalError::Inside { .. })),
        "{error}"
    );
    // A home that holds it is no reason not to restore elsewhere in it.
    Lines::new(&home).write(&format!("{home}/notes.txt"), "x").put(&ground.store);
    let shelf = Arc::new(super::lines::shelf(&ground.store));
    let restore = wanted(shelf.changed(), At::Newest, RestoreTarget::InPlace, &home);
    edit::apply(&restore::plan(&shelf, &restore).unwrap(), &data, &seen(&ground.store)).unwrap();
    assert_eq!(std::fs::read(format!("{home}/notes.txt")).unwrap(), b"x");
}
