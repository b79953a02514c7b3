//! Searching and the listing's finer filters over the built-in sample, whole outputs by snapshot.

use crate::program::Program;

macro_rules! snapshots {
    ($( $name:ident: $( $argument:literal )*; )*) => { $(
        #[test]
        fn $name() {
            let arguments: &[&str] = &[$( $argument ),*];
            insta::assert_snapshot!(stringify!($name), Program::new().told(arguments));
        }
    )* };
}

snapshots! {
    search_a_word: "--sample" "search" "flaky";
    search_a_phrase: "--sample" "search" "\"reconnect test\"";
    search_as_json: "--sample" "search" "flaky" "--json" "--limit" "1";
    search_with_a_bad_query: "--sample" "search" "flaky (rol:user";
    search_with_a_bad_field: "--sample" "search" "flaky rol:user";
    search_that_finds_nothing: "--sample" "search" "zebrafish";
    search_in_thinking: "--sample" "search" "in:thinking the" "--limit" "2" "--hits" "1";
    search_of_a_tool: "--sample" "search" "tool:Bash test" "--limit" "2" "--hits" "1";
    search_by_time: "--sample" "search" "test" "--sort" "time" "--limit" "2" "--hits" "1";
    ls_nearly: "--sample" "ls" "flakey";
    ls_by_tokens: "--sample" "ls" "--sort" "tokens";
    ls_where: "--sample" "ls" "--where" "turns > 2";
    ls_where_nonsense: "--sample" "ls" "--where" "nonsense";
    index_tables: "index" "tables";
}

#[test]
fn a_hit_is_shown_where_it_stands() {
    let program = Program::new();
    let found = program.json(&["--sample", "search", "\"cargo test\" tool:Bash", "--json", "--limit", "1"]);
    let session = &found["sessions"][0];
    let id = session["session_id"].as_str().unwrap();
    let hit = &session["hits"].as_array().unwrap().iter().find(|hit| hit["line"] != 0).unwrap();
    let line = hit["line"].to_string();
    insta::assert_snapshot!("show_at_a_hit", program.told(&["--sample", "show", id, "--at", &line]));
}
