//! What is refused, and that nothing is changed then.

use std::fs;

use scrollback_app::JournalError;
use scrollback_app::edit::moving::{move_project, move_session};
use scrollback_app::edit::{self, EditPlan, LiveCheck, Moment, RecordView, Trim, remove, rename};
use scrollback_app::error::AppError;
use scrollback_app::library::Library;
use scrollback_compose::source::Counter;
use scrollback_format::time::Time;
use scrollback_testkit::half::{self, Death};
use scrollback_testkit::home::Store;

use super::moving::line;
use super::{Field, same, watch};

pub(super) const A: &str = "aaaaaaaa-0000-4000-8000-000000000001";

pub(super) fn field() -> Field {
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
    let refused = edit::apply(&plan, &field.data, &LiveCheck { now: Time(now), ..watch() });
    let Err(AppError::Journal(error)) = refused else { panic!("{refused:?}") };
    assert!(matches!(*error, JournalError::Live(_)), "{error}");
    assert!(error.to_string().contains(A), "{error}");
    same(&before, &field.tree(), "refused");
}

/// A made-up system in which one client runs.
#[cfg(unix)]
fn client_in(field: &Field, cwd: &str, pid_file: &str) -> LiveCheck {
    let proc = field.store.home().join("proc");
    let process = proc.join("50");
    let _ = fs::remove_dir_all(&proc);
    fs::create_dir_all(&process).unwrap();
    fs::write(process.join("cmdline"), "claude\0--resume\0").unwrap();
    let stat = "50 (claude) S 1 1 1 0 -1 4 1 0 0 0 0 0 0 0 20 0 1 0 5 9\n";
    fs::write(process.join("stat"), stat).unwrap();
    std::os::unix::fs::symlink(cwd, process.join("cwd")).unwrap();
    field.store.put("sessions/50.json", pid_file);
    LiveCheck { processes: Some(proc), own: 99, ..watch() }
}

/// Every edit that changes a session where it is.
#[cfg(unix)]
fn changing(library: &Library) -> Vec<EditPlan> {
    let files = library.sessions().find(|files| files.id.as_str() == A).unwrap();
    let trim = Trim { drop: vec![1..=1], in_place: true, ..Trim::default() };
    vec![
        rename::rename(library, &files, "new", Vec::new()).unwrap(),
        remove::remove(library, std::slice::from_ref(&files), Vec::new()).unwrap(),
        move_session(library, &files, "/b", Vec::new()).unwrap(),
        move_project(library, "/a", "/b", Vec::new()).unwrap(),
        edit::trim(library, &files, &trim, &mut Counter::starting(Moment::from_millis(1_700_000_000_000)))
            .unwrap(),
    ]
}

#[cfg(unix)]
fn refusal(done: Result<RecordView, AppError>) -> String {
    match done {
        Err(AppError::Journal(error)) if matches!(*error, JournalError::Live(_)) => error.to_string(),
        other => panic!("{other:?}"),
    }
}

#[cfg(unix)]
#[test]
fn a_client_that_does_not_report_its_session_keeps_all_sessions_of_its_directory_from_being_changed() {
    let store = Store::new().lines(
        format!("projects/-a/{A}.jsonl"),
        [line(A, 1, None, "/a", "hello"), line(A, 2, Some(1), "/a", "more")],
    );
    let field = Field::of(store);
    // It was started with another session, as the files of 2.1.80 say, and has resumed this one.
    let old = r#"{"pid":50,"sessionId":"another","cwd":"/a","startedAt":5}"#;
    let watching = client_in(&field, "/a", old);
    let before = field.tree();
    for plan in changing(&field.library()) {
        let title = plan.transaction.title();
        let held = plan.preview(&watching).held;
        assert!(held.len() == 1 && held[0].contains("may be in use"), "{title}: {held:?}");
        let why = refusal(edit::apply(&plan, &field.data, &watching));
        assert!(why.contains("process 50) runs in /a and does not report which session"), "{title}: {why}");
        same(&before, &field.tree(), title);
    }
}

#[cfg(unix)]
#[test]
fn a_client_that_reports_another_session_keeps_nothing_from_being_changed() {
    let store = Store::new().lines(
        format!("projects/-a/{A}.jsonl"),
        [line(A, 1, None, "/a", "hello"), line(A, 2, Some(1), "/a", "more")],
    );
    let field = Field::of(store);
    let new = r#"{"pid":50,"sessionId":"another","cwd":"/a","procStart":"5","version":"2.1.200"}"#;
    let watching = client_in(&field, "/a", new);
    for at in 0..changing(&field.library()).len() {
        let plan = changing(&field.library()).remove(at);
        edit::apply(&plan, &field.data, &watching).unwrap();
        edit::undo(None, &field.data, &watching).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn what_a_client_may_have_opened_since_is_not_undone() {
    let field = Field::of(Store::new().lines(
        format!("projects/-a/{A}.jsonl"),
        [line(A, 1, None, "/a", "hello"), line(A, 2, Some(1), "/a", "more")],
    ));
    let old = |cwd: &str| format!(r#"{{"pid":50,"sessionId":"another","cwd":"{cwd}","startedAt":5}}"#);
    for (at, cwd) in ["/a", "/a", "/b", "/b", "/a"].into_iter().enumerate() {
        let plan = changing(&field.library()).remove(at);
        let _ = fs::remove_file(field.store.root().join("sessions/50.json"));
        field.apply(&plan).unwrap();
        let watching = client_in(&field, cwd, &old(cwd));
        let after = field.tree();
        let why = refusal(edit::undo(None, &field.data, &watching));
        assert!(why.contains(cwd), "{}: {why}", plan.transaction.title());
        same(&after, &field.tree(), plan.transaction.title());
        field.undo().unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_new_session_that_a_client_has_open_is_not_taken_away_by_undoing_the_fork() {
    let field = field();
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let plan = edit::fork(
        &library,
        &files,
        &crate::editing::ALL,
        &mut Counter::starting(Moment::from_millis(1_700_000_000_000)),
    )
    .unwrap();
    let id = plan.after()[0].session_id.clone();
    field.apply(&plan).unwrap();
    let open = format!(r#"{{"pid":50,"sessionId":"{id}","cwd":"/z","procStart":"5","version":"2.1.325"}}"#);
    let why = refusal(edit::undo(None, &field.data, &client_in(&field, "/z", &open)));
    assert!(why.contains(&id), "{why}");
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
fn a_plan_that_was_made_of_a_half_made_edit_is_refused_once_that_is_rolled_back() {
    let field = field();
    let before = field.tree();
    let file = format!("projects/-a/{A}.jsonl");
    let more = line(A, 2, Some(1), "/a", "never said") + "\n";
    half::edit(field.store.root(), &field.data, "half", (&file, &more), Death::HalfMade);
    assert_eq!(edit::interrupted(&field.data).unwrap().title, "half");
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let ids = || Counter::starting(Moment::from_millis(1_700_000_000_000));
    let stale = edit::fork(&library, &files, &crate::editing::ALL, &mut ids()).unwrap();
    let refused = field.apply(&stale);
    assert!(
        matches!(&refused, Err(AppError::NoEdit { why, .. }) if why.contains("edit 1 (half)")),
        "{refused:?}"
    );
    same(&before, &field.tree(), "rolled back");
    assert!(edit::interrupted(&field.data).is_none());

    half::edit(field.store.root(), &field.data, "half", (&file, &more), Death::HalfMade);
    let desk = edit::Editor::new(&field.data, &watch());
    let recovered = desk.recover().unwrap();
    assert_eq!((recovered[0].number, recovered[0].title.as_deref()), (2, Some("half")));
    assert!(desk.recover().unwrap().is_empty());
    let library = field.library();
    let files = library.sessions().next().unwrap();
    let fresh = edit::fork(&library, &files, &crate::editing::ALL, &mut ids()).unwrap();
    desk.apply(&fresh).unwrap();
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
