//! Whole outputs over the built-in sample, by snapshot.

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
    overview_of_the_sample: ;
    overview_as_json: "--sample" "--json";
    ls: "--sample" "ls";
    ls_all: "--sample" "ls" "--all" "--sort" "size";
    ls_filtered: "--sample" "ls" "--project" "orbit" "--since" "3d" "--json";
    show_markdown_and_diffs: "--sample" "show" "85835976";
    show_with_tools_and_thinking: "--sample" "show" "85835976" "--tools" "--thinking" "--turn" "1";
    show_branch: "--sample" "show" "fc6154f9" "--branch" "1";
    show_with_agents: "--sample" "show" "e9609126" "--agents";
    show_compaction: "--sample" "show" "1fab43cc" "--all";
    show_as_json: "--sample" "show" "e43490dc" "--json";
    tree_with_a_branch: "--sample" "tree" "fc6154f9";
    tree_with_agents: "--sample" "tree" "e9609126";
    tree_as_json: "--sample" "tree" "fc6154f9" "--json";
    info: "--sample" "info" "fc6154f9";
    info_as_json: "--sample" "info" "8bd1a279" "--json";
    verify: "--sample" "verify";
    verify_as_json: "--sample" "verify" "--json";
    schema: "--sample" "schema";
    schema_of_one_kind: "--sample" "schema" "custom-title";
    du_inside: "--sample" "du" "--by" "kind,tool,line" "--limit" "5";
    usage: "--sample" "usage";
    usage_by_purpose: "--sample" "usage" "--by" "purpose";
    usage_by_model_as_json: "--sample" "usage" "--by" "model" "--json";
    usage_audit: "--sample" "usage" "audit";
    usage_calendar: "--sample" "usage" "--calendar";
    claims: "--sample" "claims";
    claims_one: "--sample" "claims" "one-root";
    claims_broken_as_json: "--sample" "claims" "--broken" "--json";
    claims_misspelt: "--sample" "claims" "uuid-onec";
    where_a_directory: "--sample" "where" "/home/ada/orbit";
    where_a_folder: "--sample" "where" "-home-ada-tidepool";
    no_such_session: "--sample" "show" "fix the flakey reconect test";
    ambiguous_session: "--sample" "show" "the";
    no_such_turn: "--sample" "show" "85835976" "--turn" "9";
    no_such_branch: "--sample" "show" "85835976" "--branch" "9";
    help: "--help";
    help_of_show: "show" "--help";
}
