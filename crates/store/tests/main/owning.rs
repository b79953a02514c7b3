//! Files of ours beside the journal, and the client's own lock.

use std::fs;

use scrollback_format::time::Time;
use scrollback_store::client_lock::{ClientLock, LockError, STALE_MS};
use scrollback_store::data::{self, Note, Notes};
use scrollback_store::{Disk, JournalError};

use crate::faults::{Field, MORE_MODES, file};

fn note(tags: &[&str], pinned: bool) -> Note {
    Note { tags: tags.iter().map(ToString::to_string).collect(), pinned, hidden: false }
}

#[test]
fn notes_are_kept_with_all_that_we_do_not_know() {
    let field = Field::new();
    let data = field.open();
    assert_eq!(Notes::load(&data).unwrap().of("1"), Note::default());
    file(&field.data, "data.json", br#"{"later":1,"sessions":{"1":{"tags":["x",5],"color":"red"},"2":7}}"#);
    assert_eq!(Notes::load(&data).unwrap().of("1"), note(&["x"], false));
    data::change(&data, |notes| {
        notes.set("1", &note(&["x", "y"], true));
        notes.set("2", &Note { hidden: true, ..Note::default() });
        notes.set("3", &Note::default());
    })
    .unwrap();
    let notes = Notes::load(&data).unwrap();
    assert_eq!(notes.of("1"), note(&["x", "y"], true));
    assert_eq!(notes.all().len(), 2);
    let text = fs::read_to_string(field.data.join("data.json")).unwrap();
    assert!(text.contains("\"color\": \"red\"") && text.contains("\"later\": 1") && !text.contains("\"3\""));
}

#[test]
fn broken_or_newer_notes_are_not_written_over() {
    let field = Field::new();
    let data = field.open();
    for text in ["{\"torn", "[]", "{\"format\":2}"] {
        file(&field.data, "data.json", text.as_bytes());
        let result = data::change(&data, |notes| notes.set("1", &note(&["x"], false)));
        assert!(matches!(result, Err(JournalError::Damaged { .. })), "{text}: {result:?}");
        assert_eq!(fs::read_to_string(field.data.join("data.json")).unwrap(), text);
    }
}

#[test]
fn notes_are_old_or_new_at_every_failpoint() {
    for mode in MORE_MODES {
        for at in 1.. {
            let field = Field::new();
            let data = field.open();
            data::change(&data, |notes| notes.set("1", &note(&["old"], false))).unwrap();
            let lock = data.lock().unwrap();
            let mut notes = Notes::load(&data).unwrap();
            notes.set("1", &note(&["new"], false));
            let faults = crate::faults::Faults::new(at, mode, None);
            let _ = notes.save(&data, &Disk::behind(faults.clone()), &lock);
            if !faults.was_hit() {
                break;
            }
            let tags = Notes::load(&data).unwrap().of("1").tags;
            assert!(tags == ["old"] || tags == ["new"], "{mode:?} at {at}: {tags:?}");
            // What a dead process left does not stand in the way.
            notes.save(&data, &Disk::real(), &lock).unwrap();
            assert_eq!(Notes::load(&data).unwrap().of("1").tags, ["new"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn our_directory_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let field = Field::new();
    fs::create_dir(&field.data).unwrap();
    fs::set_permissions(&field.data, fs::Permissions::from_mode(0o755)).unwrap();
    field.open();
    assert_eq!(fs::metadata(&field.data).unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn client_lock_is_taken_held_and_given_back() {
    let field = Field::new();
    let (disk, file) = (Disk::real(), field.root.join(".claude.json"));
    let dir = field.root.join(".claude.json.lock");
    let now = Time(1_800_000_000_000);
    let mut lock = ClientLock::take(&disk, &file, now).unwrap();
    assert!(dir.is_dir());
    let second = ClientLock::take(&disk, &file, Time(now.0 + STALE_MS));
    assert!(matches!(second, Err(LockError::Held { at, .. }) if at == now), "{second:?}");
    lock.refresh(Time(now.0 + 5_000)).unwrap();
    assert!(ClientLock::take(&disk, &file, Time(now.0 + STALE_MS + 1)).is_err());
    lock.release().unwrap();
    assert!(!dir.exists());
    drop(ClientLock::take(&disk, &file, now).unwrap());
    assert!(!dir.exists());
}

#[test]
fn stale_client_lock_is_taken_over_and_the_old_holder_notices() {
    let field = Field::new();
    let (disk, file) = (Disk::real(), field.root.join(".claude.json"));
    let now = Time(1_800_000_000_000);
    let mut first = ClientLock::take(&disk, &file, now).unwrap();
    let later = Time(now.0 + STALE_MS + 1);
    let second = ClientLock::take(&disk, &file, later).unwrap();
    assert!(matches!(first.refresh(later), Err(LockError::Lost { .. })));
    drop(first);
    assert!(
        field.root.join(".claude.json.lock").is_dir(),
        "the new holder's lock was given back by the old one"
    );
    drop(second);
}
