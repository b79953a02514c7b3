//! `structuredPatch`: the hunk that turns one text into another, with three lines of context.
//!
//! One edit replaces one stretch, so the hunk is what lies between the common beginning and the common end.
//! Several distant edits come out as one long hunk; the client would cut it in two.

use crate::json::{Json, Object};

const CONTEXT: usize = 3;

/// The patch from `old` to `new`, as the client stores it; empty when they are equal.
pub fn structured(old: &str, new: &str) -> Json {
    let (old, new) = (lines(old), lines(new));
    if old == new {
        return Json::list([]);
    }
    let head = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
    let from = head.saturating_sub(CONTEXT);
    let after = tail.min(CONTEXT);
    let old_end = old.len() - tail;
    let new_end = new.len() - tail;

    let before = old[from..head].iter().map(|line| format!(" {line}"));
    let removed = old[head..old_end].iter().map(|line| format!("-{line}"));
    let added = new[head..new_end].iter().map(|line| format!("+{line}"));
    let behind = old[old_end..old_end + after].iter().map(|line| format!(" {line}"));
    let body: Vec<String> = before.chain(removed).chain(added).chain(behind).collect();
    let hunk = Object::new()
        .num("oldStart", from as u64 + 1)
        .num("oldLines", (old_end + after - from) as u64)
        .num("newStart", from as u64 + 1)
        .num("newLines", (new_end + after - from) as u64)
        .put("lines", &Json::texts(body))
        .done();
    Json::list([hunk])
}

fn lines(text: &str) -> Vec<&str> {
    text.strip_suffix('\n').unwrap_or(text).split('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::structured;

    #[test]
    fn a_patch_is_what_the_client_recorded() {
        let patch = structured("alpha\nbeta\ngamma\n", "alpha\nBETA\ngamma\n");
        let recorded = r#"[{"oldStart":1,"oldLines":3,"newStart":1,"newLines":3,"lines":[" alpha","-beta","+BETA"," gamma"]}]"#;
        assert_eq!(patch.as_bytes(), recorded.as_bytes());
        assert_eq!(structured("a", "a").as_bytes(), b"[]");
    }

    #[test]
    fn repeated_lines_do_not_overlap() {
        let patch = structured("a\na\n", "a\na\na\n");
        assert!(String::from_utf8_lossy(patch.as_bytes()).contains(r#"[" a"," a","+a"]"#));
    }
}
