//! What is broken, missing or made up by someone hostile: a version less, a problem more, never a panic.

use scrollback_format::digest::backup_name;
use scrollback_testkit::home::Store;
use serde_json::json;

use super::lines::{ID, Lines, shelf, told};

const FILE: &str = "/srv/x/a.txt";

fn blob(store: &Store, name: &str, bytes: &[u8]) {
    store.put(format!("file-history/{ID}/{name}"), bytes);
}

#[test]
fn a_backup_that_is_gone_is_named() {
    let store = Store::new();
    let name = backup_name(FILE, 1);
    Lines::new("/srv/x")
        .checkpoint("a.txt", json!(name), 1)
        .edit(FILE, "a", "b")
        .write(FILE, "c")
        .put(&store);
    let lost = format!("lost lost backup !backup {name} is not there any more");
    let edit = format!("lost lost edit !session {ID} line 4: the file that is edited is not known");
    assert_eq!(told(&shelf(&store), FILE), [lost, edit, "content exact write \"c\"".to_owned()]);
}

#[test]
fn a_backup_that_is_gone_is_a_lost_version_and_edits_after_it_are_partial() {
    let store = Store::new();
    let name = backup_name(FILE, 2);
    Lines::new("/srv/x")
        .write(FILE, "a\n")
        .checkpoint("a.txt", json!(name), 2)
        .edit(FILE, "a", "b")
        .put(&store);
    let lost = format!("lost lost backup !backup {name} is not there any more");
    let edit = "content partial edit \"b\\n\" !it is replayed on what was known before a backup that is lost";
    assert_eq!(told(&shelf(&store), FILE), ["content exact write \"a\\n\"", &lost, edit]);
}

/// An edit whose result tells what the file was before.
fn edit_of(original: &str, old: &str, new: &str) -> (serde_json::Value, serde_json::Value) {
    (
        json!({"file_path": FILE, "old_string": old, "new_string": new}),
        json!({"filePath": FILE, "oldString": old, "newString": new, "originalFile": original, "structuredPatch": []}),
    )
}

#[test]
fn a_backup_that_is_gone_takes_nothing_from_what_is_known_otherwise() {
    let name = backup_name(FILE, 2);
    let after = |original: &str| {
        let store = Store::new();
        let (input, account) = edit_of(original, "a", "b");
        Lines::new("/srv/x")
            .write(FILE, "a\n")
            .checkpoint("a.txt", json!(name), 2)
            .call("Edit", input, Some(account))
            .put(&store);
        told(&shelf(&store), FILE)
    };
    let same = format!("content exact write+original_file \"a\\n\" !backup {name} is not there any more");
    assert_eq!(after("a\n"), [same, "content replayed edit \"b\\n\"".to_owned()]);
    let other = format!(
        "content exact unseen backup+original_file \"a too\\n\" !backup {name} is not there any more"
    );
    assert_eq!(
        after("a too\n"),
        ["content exact write \"a\\n\"".to_owned(), other, "content replayed edit \"b too\\n\"".to_owned()]
    );
}

#[test]
fn a_backup_that_is_gone_is_not_what_the_next_one_shows() {
    let store = Store::new();
    let names: Vec<String> = (1..=4).map(|version| backup_name(FILE, version)).collect();
    blob(&store, &names[0], b"one\n");
    blob(&store, &names[3], b"one\n");
    let mut lines = Lines::new("/srv/x");
    for (name, version) in names.iter().zip(1..) {
        lines = lines.checkpoint("a.txt", json!(name), version);
    }
    lines.put(&store);
    let lost = |name: &str| format!("lost lost backup !backup {name} is not there any more");
    let one = "content exact backup \"one\\n\"".to_owned();
    assert_eq!(told(&shelf(&store), FILE), [one.clone(), lost(&names[1]), lost(&names[2]), one]);
}

#[test]
fn backups_that_are_no_plain_files_or_lead_elsewhere_are_not_opened() {
    let store = Store::new();
    std::fs::write(store.home().join("secret"), "secret").unwrap();
    let (link, folder) = (backup_name("/srv/x/link", 1), backup_name("/srv/x/folder", 1));
    store.put(format!("file-history/{ID}/{folder}/inside"), "x");
    std::os::unix::fs::symlink(
        store.home().join("secret"),
        store.root().join(format!("file-history/{ID}/{link}")),
    )
    .unwrap();
    Lines::new("/srv/x")
        .checkpoint("link", json!(link), 1)
        .checkpoint("folder", json!(folder), 1)
        .checkpoint("up", json!("../../../secret"), 1)
        .checkpoint("absolute", json!(store.home().join("secret")), 1)
        .checkpoint("dots", json!(".."), 1)
        .checkpoint("number", json!(7), 1)
        .checkpoint("list", json!([]), 1)
        .put(&store);
    let shelf = shelf(&store);
    for name in ["link", "folder"] {
        let told = told(&shelf, &format!("/srv/x/{name}"));
        assert!(told.len() == 1 && told[0].ends_with("is no plain file"), "{told:?}");
    }
    for name in ["up", "absolute", "dots"] {
        let told = told(&shelf, &format!("/srv/x/{name}"));
        assert!(told.len() == 1 && told[0].ends_with("has a name that no client gives"), "{told:?}");
    }
    assert_eq!(shelf.files.len(), 5);
}

#[test]
fn broken_lines_and_wrong_types_tell_nothing_and_stop_nothing() {
    let store = Store::new();
    Lines::new("/srv/x")
        .raw(r#"{"type":"file-history-snapshot","messageId":"m","snapshot":{"trackedFileBackups":{"a.txt":{"backupFi"#)
        .raw(r#"{"type":"file-history-snapshot","messageId":"m","snapshot":"none","isSnapshotUpdate":7}"#)
        .raw(r#"{"type":"file-history-snapshot","snapshot":{"trackedFileBackups":["a.txt"]}}"#)
        .raw(r#"{"type":"file-history-snapshot","snapshot":{"trackedFileBackups":{"a.txt":"v1"}}}"#)
        .raw(r#"{"type":"file-history-delta","trackingPath":["a.txt"],"backup":{}}"#)
        .raw(r#"{"type":"file-history-delta","trackingPath":"a.txt","backup":7}"#)
        .call("Write", json!({"file_path": FILE, "content": ["no", "text"]}), None)
        .call("Edit", json!({"file_path": FILE, "old_string": 1, "new_string": 2}), Some(json!({"filePath": FILE, "oldString": null})))
        .call("MultiEdit", json!({"file_path": FILE, "edits": "none"}), Some(json!([1])))
        .call("Read", json!({"file_path": FILE}), Some(json!({"type": "text", "file": "none"})))
        .call("Read", json!({"file_path": FILE}), Some(json!({"type": "image", "file": {"base64": "%%%", "originalSize": 3}})))
        .call("NotebookEdit", json!({"notebook_path": FILE}), Some(json!({"original_file": 7, "updated_file": {}})))
        .call("Write", json!({"file_path": "", "content": "x"}), None)
        .call("Write", json!({"file_path": "/", "content": "x"}), None)
        .write(FILE, "in the end")
        .put(&store);
    assert_eq!(told(&shelf(&store), FILE), ["content exact write \"in the end\""]);
}

#[test]
fn a_failed_step_is_named_and_what_was_known_stays() {
    let store = Store::new();
    Lines::new("/srv/x")
        .write(FILE, "one two two\n")
        .edit(FILE, "three", "3")
        .edit(FILE, "two", "2")
        .edit(FILE, "one", "1")
        .call(
            "Read",
            json!({"file_path": FILE}),
            Some(json!({"type": "text", "file":
            {"filePath": FILE, "content": "1 2 two\n", "numLines": 2, "startLine": 1, "totalLines": 2}})),
        )
        .put(&store);
    let expected = [
        "content exact write \"one two two\\n\"".to_owned(),
        format!(
            "content partial edit \"one two two\\n\" !session {ID} line 5: the replaced text is not in the known content"
        ),
        format!(
            "content partial edit \"one two two\\n\" !session {ID} line 7: the replaced text occurs 2 times in the known content"
        ),
        "content partial edit \"1 two two\\n\"".to_owned(),
        "content exact unseen read \"1 2 two\\n\"".to_owned(),
    ];
    assert_eq!(told(&shelf(&store), FILE), expected);
}

#[test]
fn a_part_that_was_read_is_a_part() {
    let store = Store::new();
    let read = |from: u64, lines: &str| json!({"type": "text", "file": {"filePath": FILE, "content": lines, "numLines": 2, "startLine": from, "totalLines": 9}});
    Lines::new("/srv/x")
        .call("Read", json!({"file_path": FILE}), Some(read(1, "a\nb")))
        .call("Read", json!({"file_path": FILE}), Some(read(5, "e\nf")))
        .call("Read", json!({"file_path": FILE}), Some(read(1, "x\ny")))
        .put(&store);
    assert_eq!(
        told(&shelf(&store), FILE),
        [
            "part partial read+read \"a\\nb\\ne\\nf\" (1-2, 5-6 of 9)",
            "part partial unseen read \"x\\ny\" (1-2 of 9)"
        ]
    );
}

#[test]
fn pictures_that_were_kept_whole_are_exact_and_others_are_none() {
    let store = Store::new();
    let image = |size: u64| json!({"type": "image", "file": {"base64": "iVBORw==", "type": "image/png", "originalSize": size}});
    Lines::new("/srv/x")
        .call("Read", json!({"file_path": "/srv/x/a.png"}), Some(image(4)))
        .call("Read", json!({"file_path": "/srv/x/b.png"}), Some(image(4000)))
        .put(&store);
    let shelf = shelf(&store);
    let trail = shelf.trail("/srv/x/a.png", &|_| true);
    let scrollback_app::files::version::ContentState::Held(body) = &trail.versions[0].state else { panic!() };
    assert_eq!(&*body.load().unwrap(), b"\x89PNG");
    assert!(shelf.trail("/srv/x/b.png", &|_| true).versions.is_empty());
}

#[test]
fn what_the_user_made_of_an_edit_counts() {
    let store = Store::new();
    let result = json!({"filePath": FILE, "oldString": "a", "newString": "the user's", "originalFile": "a\n",
        "structuredPatch": [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+the user's"]}],
        "userModified": true, "replaceAll": false});
    Lines::new("/srv/x")
        .call(
            "Edit",
            json!({"file_path": FILE, "old_string": "a", "new_string": "the model's"}),
            Some(result),
        )
        .put(&store);
    assert_eq!(
        told(&shelf(&store), FILE),
        ["content exact original_file \"a\\n\"", "content replayed edit \"the user's\\n\""]
    );
}

#[test]
fn a_large_backup_is_never_held() {
    let store = Store::new();
    let name = backup_name(FILE, 1);
    blob(&store, &name, b"x");
    let path = store.root().join(format!("file-history/{ID}/{name}"));
    std::fs::File::options().write(true).open(&path).unwrap().set_len(100 << 20).unwrap();
    Lines::new("/srv/x").checkpoint("a.txt", json!(name), 1).edit(FILE, "x", "y").put(&store);
    let shelf = shelf(&store);
    let trail = shelf.trail(FILE, &|_| true);
    assert_eq!(trail.versions[0].bytes, Some(100 << 20));
    assert!(trail.versions[1].problems[0].contains("too large to replay"), "{:?}", trail.versions[1]);
    assert_eq!(trail.versions[1].certainty.name(), "partial");
}

#[test]
fn a_copied_session_tells_nothing_twice() {
    let store = Store::new();
    let lines = Lines::new("/srv/x").write(FILE, "a").edit(FILE, "a", "b");
    lines.put(&store);
    let own = store.read(format!("projects/-x/{ID}.jsonl"));
    let copy = String::from_utf8(own).unwrap().replace(ID, "bbbb1111-0000-4000-8000-000000000002");
    store.put("projects/-x/bbbb1111-0000-4000-8000-000000000002.jsonl", copy);
    let library = crate::editing::library(store.root());
    let place = scrollback_app::catalogue::CachePlace::Nowhere;
    let time = scrollback_format::time::Time(0);
    let index = scrollback_app::catalogue::Index::open(&library, &place, time, &|_| {}).unwrap();
    let query = scrollback_app::files::history::FileQuery { path: FILE.into(), ..Default::default() };
    let log = scrollback_app::files::history::FileHistory::find(&index, &query).unwrap().log(&index, None);
    assert_eq!((log.versions.len(), log.sessions), (2, 2));
    assert_eq!(log.versions[0].evidence[0].also_in.len(), 1);
}
