//! Where our answers are held against the judge's. The one place to plug in a further command.
//!
//! Each comparison is a function from what the judge says to the sentences in which the two differ: the `format`
//! crate's lines and entries, the `model` crate's times, tools, models, prompts and tokens, what `verify` and `ls --all`
//! print of the whole root, and that the judge's own sums add up.

use std::fs;

use scrollback_app::catalogue::{CachePlace, Index};
use scrollback_app::library::Library;
use scrollback_app::load::Loader;
use scrollback_app::{FileKind, Root, verify};
use scrollback_format::line;
use scrollback_format::piece::Parser;
use scrollback_format::time::Time;
use scrollback_model::role::Role;
use scrollback_model::transcript::Transcript;
use scrollback_testkit::judge::{FileVerdict, JudgedCounts, Verdict};

/// Every difference, as a sentence.
///
/// # Errors
/// Where a side of the comparison could not be had at all.
pub fn disagreements(verdict: &Verdict) -> Result<Vec<String>, String> {
    let mut found = sums(verdict);
    let mut loader = Loader::new();
    for file in &verdict.files {
        let path = verdict.root.join(&file.path);
        let bytes = fs::read(&path).map_err(|cause| format!("{}: {cause}", path.display()))?;
        let kind = if file.role == "agent" { FileKind::Agent } else { FileKind::Session };
        let transcript = loader.transcript(&path, kind).map_err(|cause| cause.to_string())?;
        let differences = parsed(file, &bytes).into_iter().chain(folded(file, &transcript));
        found.extend(differences.map(|difference| format!("{}: {difference}", file.path)));
    }
    found.extend(whole(verdict)?);
    Ok(found)
}

/// What `verify` and `ls --all` say of the whole root.
fn whole(verdict: &Verdict) -> Result<Vec<String>, String> {
    let library = Library::open(vec![Root::new(&verdict.root)]).map_err(|cause| cause.to_string())?;
    let outside: Vec<_> = ["history.jsonl", "parent-transcript.jsonl", "timeline.jsonl"].into();
    let mut targets = verify::targets(&library);
    targets.retain(|target| !outside.iter().any(|name| target.path.ends_with(name)));
    let ours = verify::verify(&[], &targets, &|_| {});
    let index =
        Index::open(&library, &CachePlace::Nowhere, Time(0), &|_| {}).map_err(|cause| cause.to_string())?;
    let views = index.sessions().map_err(|cause| cause.to_string())?;
    let sessions = verdict.files.iter().filter(|file| file.role == "session");
    let theirs: Vec<&FileVerdict> = sessions.collect();
    let sum = |of: fn(&FileVerdict) -> u64| theirs.iter().map(|file| of(file)).sum::<u64>();
    let totals = &verdict.totals;
    Ok(differing(&[
        ("files verified", ours.files, totals.files),
        ("lines verified", ours.lines, totals.lines),
        ("bytes verified", ours.bytes, totals.bytes),
        ("entries verified", ours.entries, totals.objects),
        ("sessions listed", views.len() as u64, theirs.len() as u64),
        ("messages listed", views.iter().map(|view| view.messages).sum(), sum(|file| file.messages)),
        (
            "output tokens listed",
            views.iter().map(|view| view.tokens.output).sum(),
            sum(|file| file.tokens.output),
        ),
        (
            "tool calls listed",
            views.iter().map(|view| view.tool_calls).sum(),
            sum(|file| file.tool_uses.values().sum()),
        ),
    ]))
}

fn differing(rows: &[(&str, u64, u64)]) -> Vec<String> {
    let rows = rows.iter().filter(|(_, ours, theirs)| ours != theirs);
    rows.map(|(what, ours, theirs)| format!("{what}: {ours} here, {theirs} by the judge")).collect()
}

/// The `model` crate against the judge: what one pass over a file makes of it.
fn folded(file: &FileVerdict, transcript: &Transcript) -> Vec<String> {
    let own = |sidechain: bool| file.role == "agent" || !sidechain;
    let prompts =
        transcript.rows.iter().filter(|row| row.role == Role::Prompt && own(row.is_sidechain())).count();
    let tokens = transcript.tokens();
    let mut tools = JudgedCounts::new();
    for call in &transcript.calls {
        *tools.entry(transcript.text(call.tool).to_owned()).or_default() += 1;
    }
    let models =
        transcript.messages.iter().filter_map(|message| message.model).map(|model| transcript.text(model));
    let models: std::collections::BTreeSet<String> = models.map(str::to_owned).collect();
    let time =
        |pick: fn(&(Time, Time)) -> Time| transcript.span.as_ref().map(pick).map(|time| time.to_string());
    let mut found = differing(&[
        ("messages", transcript.messages.len() as u64, file.messages),
        ("input tokens", tokens.input, file.tokens.input),
        ("output tokens", tokens.output, file.tokens.output),
        ("cache reads", tokens.cache_read, file.tokens.cache_read),
        ("cache writes", tokens.cache_write, file.tokens.cache_write),
        ("5 minute writes", tokens.cache_write_5m, file.tokens.cache_creation_5m),
        ("1 hour writes", tokens.cache_write_1h, file.tokens.cache_creation_1h),
    ]);
    if file.role == "session" {
        found.extend(differing(&[("prompts", prompts as u64, file.prompts)]));
    }
    for (what, same) in [
        ("tool calls", tools == file.tool_uses),
        ("models", models.iter().eq(&file.models)),
        ("first time", time(|span| span.0) == file.first_time),
        ("last time", time(|span| span.1) == file.last_time),
    ] {
        if !same {
            found.push(format!("{what} differ"));
        }
    }
    found
}

/// The judge against itself: kinds sum to objects, files sum to totals.
fn sums(verdict: &Verdict) -> Vec<String> {
    let totals = &verdict.totals;
    let sum = |of: fn(&FileVerdict) -> u64| verdict.files.iter().map(of).sum::<u64>();
    let rows = [
        ("kinds and objects", totals.entries_by_kind.values().sum(), totals.objects),
        ("objects of files and root", sum(|file| file.objects), totals.objects),
        ("lines of files and root", sum(|file| file.lines), totals.lines),
        ("bytes of files and root", sum(|file| file.bytes), totals.bytes),
    ];
    let differing = rows.iter().filter(|(_, left, right)| left != right);
    differing.map(|(what, left, right)| format!("{what}: {left} and {right}")).collect()
}

/// The `format` crate against the judge: bytes, lines, entries by kind of one file.
fn parsed(file: &FileVerdict, bytes: &[u8]) -> Vec<String> {
    let (mut parser, mut kinds, mut lines) = (Parser::new(), JudgedCounts::new(), 0);
    for line in line::split(bytes) {
        lines += 1;
        parser.each(line, |piece| {
            if let Some(entry) = piece.entry() {
                *kinds.entry(entry.kind_name()).or_default() += 1;
            }
        });
    }
    let mut found = Vec::new();
    for (what, ours, theirs) in [("bytes", bytes.len() as u64, file.bytes), ("lines", lines, file.lines)] {
        if ours != theirs {
            found.push(format!("{what}: {ours} here, {theirs} by the judge"));
        }
    }
    let names: std::collections::BTreeSet<&String> =
        kinds.keys().chain(file.entries_by_kind.keys()).collect();
    for name in names {
        let count = |counts: &JudgedCounts| counts.get(name).copied().unwrap_or_default();
        let (ours, theirs) = (count(&kinds), count(&file.entries_by_kind));
        if ours != theirs {
            found.push(format!("entries of kind {name}: {ours} here, {theirs} by the judge"));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use scrollback_format::line;
    use scrollback_format::piece::Parser;
    use scrollback_model::fold::Fold;
    use scrollback_model::transcript::FileKind;
    use scrollback_testkit::judge::{FileVerdict, JudgedTokens};

    /// What differs between a session of one message and a judge that counted these tokens in it.
    fn check(tokens: JudgedTokens) -> Vec<String> {
        let session = r#"{"type":"assistant","message":{"id":"m","usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":0,"cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":5}}}}"#;
        let (mut parser, mut fold) = (Parser::new(), Fold::new(FileKind::Session));
        line::split(session.as_bytes()).for_each(|line| parser.each(line, |piece| fold.piece(&piece)));
        let verdict = FileVerdict { role: "session".into(), messages: 1, tokens, ..FileVerdict::default() };
        super::folded(&verdict, &fold.finish(1, session.len() as u64))
    }

    #[test]
    fn every_count_of_tokens_is_held_against_the_judge() {
        let right = JudgedTokens {
            input: 1,
            output: 2,
            cache_read: 3,
            cache_creation: 0,
            cache_creation_5m: 4,
            cache_creation_1h: 5,
            cache_write: 9,
        };
        assert_eq!(check(right), [""; 0]);
        for (wrong, what) in [
            (JudgedTokens { input: 7, ..right }, "input tokens: 1 here, 7 by the judge"),
            (JudgedTokens { output: 7, ..right }, "output tokens: 2 here, 7 by the judge"),
            (JudgedTokens { cache_read: 7, ..right }, "cache reads: 3 here, 7 by the judge"),
            (JudgedTokens { cache_write: 0, ..right }, "cache writes: 9 here, 0 by the judge"),
            (JudgedTokens { cache_creation_5m: 7, ..right }, "5 minute writes: 4 here, 7 by the judge"),
            (JudgedTokens { cache_creation_1h: 7, ..right }, "1 hour writes: 5 here, 7 by the judge"),
        ] {
            assert_eq!(check(wrong), [what]);
        }
    }
}
