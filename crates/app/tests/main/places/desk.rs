//! Edits as every front asks for them: by request, at a desk.

use std::sync::{Arc, Mutex};

use scrollback_app::Root;
use scrollback_app::desk::Desk;
use scrollback_app::document::{self, Document};
use scrollback_app::documents;
use scrollback_app::edit::{self, Merge, Preview, Trim, load, moving, remove, rename};
use scrollback_app::edits::EditRequest;
use scrollback_app::marks::Mark;
use scrollback_app::notice::{Notice, Reporter, Work};
use scrollback_app::request::fork::ForkRequest;
use scrollback_app::request::journal::{JournalRequest, UndoRequest};
use scrollback_app::request::mark::MarkRequest;
use scrollback_app::request::merge::MergeRequest;
use scrollback_app::request::relocate::MoveSessionRequest;
use scrollback_app::request::rename::RenameRequest;
use scrollback_app::request::rm::RmRequest;
use scrollback_app::request::trash::{TrashEmptyRequest, TrashRequest};
use scrollback_app::request::trim::TrimRequest;
use scrollback_format::time::Time;
use scrollback_testkit::half::{self, Death};

use super::refusals::{A, field};
use super::{Field, same, watch};

/// Keeps what it hears, but no progress.
#[derive(Default)]
struct Heard(Mutex<Vec<String>>);

impl Reporter for Heard {
    fn begin(&self, work: Work, _: u64) {
        if work == Work::Changes {
            self.0.lock().unwrap().push("changes begin".to_owned());
        }
    }
    fn advance(&self, _: u64) {}
    fn end(&self) {}
    fn notice(&self, notice: &Notice) {
        self.0.lock().unwrap().push(notice.to_string());
    }
}

impl Heard {
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

fn desk(field: &Field) -> (Desk, Arc<Heard>) {
    let heard = Arc::new(Heard::default());
    let desk = Desk {
        data: Some(field.data.clone()),
        seed: Some(7),
        reporter: heard.clone(),
        command: vec!["typed".to_owned()],
        ..Desk::new(vec![Root::new(field.store.root())], watch().now)
    };
    (desk, heard)
}

fn fork() -> ForkRequest {
    ForkRequest { session: A.to_owned(), ..ForkRequest::default() }
}

#[test]
fn reading_hears_of_an_interrupted_edit_once_and_planning_recovers_first() {
    let field = field();
    let before = field.tree();
    let file = format!("projects/-a/{A}.jsonl");
    half::edit(field.store.root(), &field.data, "half", (&file, "{}\n"), Death::HalfMade);
    let (desk, heard) = desk(&field);
    desk.resolve(A).unwrap();
    desk.library().unwrap();
    desk.dry_run(&fork()).unwrap();
    let warning =
        "warning: edit 1 (half) was interrupted and is incomplete; run `scrollback undo` to roll it back";
    assert_eq!(heard.take(), [warning]);

    let plan = desk.plan(&fork()).unwrap();
    same(&before, &field.tree(), "rolled back before it is planned");
    assert_eq!(heard.take(), ["changes begin", "recovered: edit 1 (half) was interrupted; rolled back"]);
    assert_eq!(plan.recovered[0].number, 1);
    let edited = desk.apply(&plan).unwrap();
    assert!(edited.applied && edited.recovered == plan.recovered);
    assert_eq!(edited.record.unwrap().command, ["typed"]);
    assert!(
        desk.plan(&RenameRequest { session: A.to_owned(), title: "x".into() }).unwrap().recovered.is_empty()
    );
}

#[test]
fn an_edit_that_is_told_to_stop_changes_nothing() {
    let field = field();
    let before = field.tree();
    let (desk, _) = desk(&field);
    let plan = desk.plan(&fork()).unwrap();
    desk.stop.set();
    let error = desk.apply(&plan).unwrap_err();
    assert_eq!(error.code(), scrollback_app::error::Code::Stopped, "{error}");
    same(&before, &field.tree(), "stopped");
}

/// A plan in full, but for who is at work.
fn text(plan: &edit::EditPlan) -> String {
    let preview = Preview { held: Vec::new(), ..plan.preview(&watch()) };
    serde_json::to_string_pretty(&preview).unwrap()
}

#[test]
fn edits_without_a_look_at_the_store_are_those_of_the_whole_store() {
    for version in ["2.0.29", "2.1.9", "2.1.325"] {
        let field = Field::of_tree(version);
        let (desk, _) = desk(&field);
        let library = field.library();
        let all: Vec<_> = library.sessions().collect();
        let [first, second] = [&all[0], &all[all.len() - 1]];
        let named =
            |files: &scrollback_app::library::SessionFiles<'_>| files.found.path.display().to_string();
        let mut compared = 0;
        let mut check =
            |whole: Result<edit::EditPlan, _>, request: &dyn Planned| match (whole, request.ask(&desk)) {
                (Ok(whole), Ok(narrow)) => {
                    compared += 1;
                    assert_eq!(text(&whole), text(&narrow), "{version}");
                }
                (Err(whole), Err(narrow)) => {
                    let whole: scrollback_app::error::AppError = whole;
                    assert_eq!(whole.to_string(), narrow.to_string());
                }
                (whole, narrow) => panic!("{version}: {whole:?}\n{narrow:?}"),
            };
        for files in &all {
            let trim = Trim {
                slim: true,
                generation: Some(load::generation(None).unwrap()),
                command: desk.command.clone(),
                ..Trim::default()
            };
            check(
                edit::trim(&library, files, &trim, &mut desk.ids()),
                &TrimRequest { session: named(files), slim: true, ..TrimRequest::default() },
            );
            check(
                remove::remove(&library, std::slice::from_ref(files), desk.command.clone()),
                &RmRequest { sessions: vec![named(files), named(files)] },
            );
            check(
                rename::rename(&library, files, "x", desk.command.clone()),
                &RenameRequest { session: named(files), title: "x".into() },
            );
            check(
                moving::move_session(&library, files, "/w/x", desk.command.clone()),
                &MoveSessionRequest { session: named(files), to: "/w/x".into() },
            );
        }
        let merge = Merge { command: desk.command.clone(), ..Merge::default() };
        check(
            edit::merge(&library, [first, second], &merge, &mut desk.ids()),
            &MergeRequest { first: named(first), second: named(second), ..MergeRequest::default() },
        );
        check(
            remove::remove(&library, &[first.clone(), second.clone()], desk.command.clone()),
            &RmRequest { sessions: vec![named(first), named(second)] },
        );
        assert!(compared > all.len(), "{version}: {compared}");
    }
}

/// A request of any kind.
trait Planned {
    fn ask(&self, desk: &Desk) -> Result<edit::EditPlan, scrollback_app::error::AppError>;
}

impl<R: EditRequest> Planned for R {
    fn ask(&self, desk: &Desk) -> Result<edit::EditPlan, scrollback_app::error::AppError> {
        desk.dry_run(self)
    }
}

/// Prints a document, and reads and prints it again.
fn round_trip<D: Document>(document: &D) {
    let mut text = Vec::new();
    document::write(&mut text, document).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(documents::find(D::NAME).unwrap().reprint(&text).unwrap(), text, "{}", D::NAME);
}

#[test]
fn documents_of_edits_are_read_back_as_they_were_written() {
    let field = field();
    let (desk, _) = desk(&field);
    let plan = desk.plan(&fork()).unwrap();
    round_trip(&desk.preview(&plan));
    round_trip(&desk.apply(&plan).unwrap());
    let file = format!("projects/-a/{A}.jsonl");
    half::edit(field.store.root(), &field.data, "half", (&file, "{}\n"), Death::HalfMade);
    round_trip(&desk.answer(&JournalRequest::default()).unwrap());
    round_trip(&desk.answer(&UndoRequest::default()).unwrap());
    half::edit(field.store.root(), &field.data, "half", (&file, "{}\n"), Death::Unplanned);
    round_trip(&desk.answer(&UndoRequest::default()).unwrap());
    round_trip(&desk.answer(&UndoRequest { number: Some(1) }).unwrap());
    desk.apply(&desk.plan(&RmRequest { sessions: vec![A.into()] }).unwrap()).unwrap();
    round_trip(&desk.answer(&TrashRequest {}).unwrap());
    round_trip(&desk.answer(&UndoRequest::default()).unwrap());
    desk.apply(&desk.plan(&RmRequest { sessions: vec![A.into()] }).unwrap()).unwrap();
    round_trip(&desk.answer(&TrashEmptyRequest { number: None }).unwrap());
    assert_eq!(desk.now(), Time(2_000_000_000_000));
}

#[test]
fn marks_are_kept_for_sessions_that_are_there() {
    let field = field();
    let (desk, _) = desk(&field);
    let mark = |session: &str| MarkRequest { sessions: vec![session.into()], mark: Mark::Pin(true) };
    let marks = desk.answer(&mark(A)).unwrap();
    round_trip(&marks);
    assert!(marks[0].session_id == A && marks[0].pinned);
    assert!(desk.answer(&mark("no such session")).is_err());
}
