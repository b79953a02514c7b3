//! What is refused, and that nothing is changed then.

use std::fs;

use scrollback_app::JournalError;
use scrollback_app::edit::moving::{move_project, move_session};
use scrollback_app::edit::{self, Watch, remove, rename};
use scrollback_app::error::AppError;
use scrollback_format::time::Time;
use scrollback_testkit::home::Store;

use super::moving::line;
use super::{Field, same, watch};

const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";

fn field() -> Field {
    Field::of(Store::new().lines(format!("projects/-a/{A}.jsonl"), [line(A, 1, None, "/a", "hello")]))
}

#[test]
fn hostile_paths_and_titles_are_refused() {
    let field = field();
    let library = field.library();
    let files = library.sessions().next().unwrap();
    for path in ["../x", "x", "", "/a/../b", "/a/./b", "/a\n/b", "/b\0", "~/x"] {
        for moved in [
            move_session(&library, &files, path, Vec::new()),
            move_project(&library, "/a", path, Vec::new()),
            move_project(&library, path, "/b", Vec::new()),
        ] {
            assert!(matches!(moved, Err(AppError::NoEdit { .. })), "{path:?}");
        }
    }
    assert!(matches!(move_project(&library, "/", "/b", Vec::new()), Err(AppError::NoEdit { .. })));
    assert!(matches!(move_project(&library, "/a/", "/a", Vec::new()), Err(AppError::NothingToEdit(_))));
    assert!(matches!(move_project(&library, "/b", "/c", Vec::new()), Err(AppError::NothingToEdit(_))));
    for title in ["", "  ", "a\nb", "a\u{1b}[31m"] {
        assert!(matches!(rename::rename(&library, &files, title, Vec::new()), Err(AppError::NoEdit { .. })));
    }
    let long = format!("/{}", "d".repeat(300));
    let plan = move_session(&library, &files, &long, Vec::new()).unwrap();
    assert!(plan.transaction.ops().iter().all(|op| op.path().as_str().len() < 300), "names are cut");
}

#[test]
fn a_session_in_use_is_refused() {
    let field = field();
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let plan = remove::remove(&library, std::slice::from_ref(&files), Vec::new()).unwrap();
    let written = fs::metadata(&files.found.path).unwrap().modified().unwrap();
    let now = written.duration_since(std::time::UNIX_EPOCH).unwrap().as_millis() as i64 + 5000;
    let before = field.tree();
    let refused = edit::apply(&plan, &field.data, &Watch { now: Time(now), ..watch() });
    let Err(AppError::Journal(error)) = refused else { panic!("{refused:?}") };
    assert!(matches!(*error, JournalError::Live(_)), "{error}");
    assert!(error.to_string().contains(A), "{error}");
    same(&before, &field.tree(), "refused");
}

#[test]
fn what_changed_since_it_was_read_is_refused() {
    let field = field();
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let plans = [
        remove::remove(&library, std::slice::from_ref(&files), Vec::new()).unwrap(),
        rename::rename(&library, &files, "x", Vec::new()).unwrap(),
        move_session(&library, &files, "/b", Vec::new()).unwrap(),
        move_project(&library, "/a", "/b", Vec::new()).unwrap(),
    ];
    field.store.append(format!("projects/-a/{A}.jsonl"), line(A, 2, Some(1), "/a", "more") + "\n");
    let before = field.tree();
    for plan in plans {
        assert!(matches!(field.apply(&plan), Err(AppError::Journal(_))), "{}", plan.transaction.title());
        same(&before, &field.tree(), plan.transaction.title());
    }
}

#[test]
fn an_undo_over_a_later_line_is_refused() {
    let field = field();
    let plan = move_project(&field.library(), "/a", "/b", Vec::new()).unwrap();
    field.apply(&plan).unwrap();
    field.store.append(format!("projects/-b/{A}.jsonl"), line(A, 2, Some(1), "/b", "more") + "\n");
    let before = field.tree();
    let refused = field.undo();
    assert!(matches!(refused, Err(AppError::Journal(_))), "{refused:?}");
    same(&before, &field.tree(), "refused");
}

#[test]
fn one_edits_at_a_time() {
    let field = field();
    let plan = move_project(&field.library(), "/a", "/b", Vec::new()).unwrap();
    let data = scrollback_store::DataDir::open(&field.data).unwrap();
    let held = scrollback_store::Journal::open(&data).unwrap();
    let Err(AppError::Journal(error)) = field.apply(&plan) else { panic!("two at once") };
    assert!(matches!(*error, JournalError::Busy { .. }));
    drop(held);
    field.apply(&plan).unwrap();
}

#[test]
fn a_second_file_of_a_session_keeps_what_both_share() {
    let field = field();
    field.store.put(format!("projects/-c/{A}.jsonl"), line(A, 1, None, "/c", "a copy") + "\n");
    field.store.put(format!("todos/{A}-agent-{A}.json"), "[]");
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let plan = remove::remove(&library, std::slice::from_ref(&files), Vec::new()).unwrap();
    field.there_and_back(&plan, |field| {
        assert!(field.store.root().join(format!("todos/{A}-agent-{A}.json")).is_file());
        assert!(field.store.root().join(format!("projects/-c/{A}.jsonl")).is_file());
    });
}
