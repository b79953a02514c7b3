//! Small scripts, line by line.

use std::collections::BTreeSet;

use super::{BlockKinds, Rename, Script};
use crate::id::Id;
use crate::source::Counter;

fn lines(text: &[&str]) -> Vec<u8> {
    let mut bytes = text.join("\n").into_bytes();
    bytes.push(b'\n');
    bytes
}

fn cut(text: &[&str], gone: &[u64], leaf: Option<u64>) -> Vec<String> {
    let mut script = Script::parse(&lines(text));
    script.drop_lines(&gone.iter().copied().collect::<BTreeSet<_>>());
    script.relink(leaf);
    told(&script)
}

fn told(script: &Script) -> Vec<String> {
    String::from_utf8(script.bytes()).unwrap().lines().map(str::to_owned).collect()
}

const CHAIN: [&str; 4] = [
    r#"{"parentUuid":null,"uuid":"a","type":"user"}"#,
    r#"{"parentUuid":"a","uuid":"b","type":"assistant"}"#,
    r#"{"parentUuid":"b","uuid":"c","type":"user"}"#,
    r#"{"type":"last-prompt","lastPrompt":"x","leafUuid":"c","sessionId":"s"}"#,
];

#[test]
fn what_is_left_untouched_is_left_byte_for_byte() {
    let odd = b"\xef\xbb\xbf{\"a\":1}\r\n\n{\"uuid\" : \"x\" }\nnot json\n{\"torn\":";
    let mut script = Script::parse(odd);
    assert_eq!(script.odd(), 3);
    script.relink(None);
    let mut ended = odd.to_vec();
    ended.push(b'\n');
    assert_eq!(script.bytes(), ended);
}

#[test]
fn a_child_hangs_on_the_nearest_ancestor_that_is_left() {
    let left = cut(&CHAIN, &[2], None);
    assert_eq!(left, [CHAIN[0], r#"{"parentUuid":"a","uuid":"c","type":"user"}"#, CHAIN[3]]);
    let left = cut(&CHAIN, &[1, 2], None);
    assert_eq!(left[0], r#"{"parentUuid":null,"uuid":"c","type":"user"}"#);
}

#[test]
fn the_note_on_the_leaf_follows_or_goes() {
    let left = cut(&CHAIN, &[3], None);
    assert_eq!(left[2], r#"{"type":"last-prompt","leafUuid":"b","sessionId":"s"}"#);
    assert_eq!(cut(&CHAIN, &[1, 2, 3], None), Vec::<String>::new());
    let left = cut(&CHAIN, &[3], Some(1));
    assert_eq!(left[2], r#"{"type":"last-prompt","leafUuid":"a","sessionId":"s"}"#);
}

#[test]
fn a_parent_that_was_never_there_stays_as_it_was() {
    let text = [r#"{"parentUuid":"zz","uuid":"a"}"#, r#"{"parentUuid":"a","uuid":"b"}"#];
    assert_eq!(cut(&text, &[1], None), [r#"{"parentUuid":"zz","uuid":"b"}"#]);
    let round = [
        r#"{"parentUuid":"b","uuid":"a"}"#,
        r#"{"parentUuid":"a","uuid":"b"}"#,
        r#"{"parentUuid":"b","uuid":"c"}"#,
    ];
    assert_eq!(cut(&round, &[1, 2], None), [r#"{"parentUuid":null,"uuid":"c"}"#]);
}

const CALL: [&str; 4] = [
    r#"{"parentUuid":null,"uuid":"t","message":{"id":"m","content":[{"type":"thinking","thinking":"h"}]}}"#,
    r#"{"parentUuid":"t","uuid":"u","message":{"id":"m","content":[{"type":"text","text":"w"},{"type":"tool_use","id":"c1"}]}}"#,
    r#"{"parentUuid":"u","uuid":"r","message":{"content":[{"type":"tool_result","tool_use_id":"c1"}]},"toolUseResult":{},"sourceToolAssistantUUID":"u"}"#,
    r#"{"parentUuid":"r","uuid":"e","message":{"content":"end"}}"#,
];

#[test]
fn a_call_goes_with_its_result_and_a_result_with_its_call() {
    let left = cut(&CALL, &[3], None);
    assert_eq!(
        left[1],
        r#"{"parentUuid":"t","uuid":"u","message":{"id":"m","content":[{"type":"text","text":"w"}]}}"#
    );
    assert_eq!(left[2], r#"{"parentUuid":"u","uuid":"e","message":{"content":"end"}}"#);
    let left = cut(&CALL, &[2], None);
    assert_eq!(left.len(), 2);
    assert_eq!(left[1], r#"{"parentUuid":"t","uuid":"e","message":{"content":"end"}}"#);
}

#[test]
fn thinking_is_not_left_alone_at_the_end_of_its_message() {
    let bare = [
        CALL[0],
        r#"{"parentUuid":"t","uuid":"u","message":{"id":"m","content":[{"type":"tool_use","id":"c1"}]}}"#,
        CALL[2],
        CALL[3],
    ];
    let mut script = Script::parse(&lines(&bare));
    assert_eq!(script.drop_blocks(BlockKinds { tools: true, ..BlockKinds::default() }), 3);
    script.relink(None);
    assert_eq!(told(&script), [r#"{"parentUuid":null,"uuid":"e","message":{"content":"end"}}"#]);
}

#[test]
fn words_stand_where_an_image_stood() {
    let text = [
        r#"{"uuid":"a","message":{"content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"image","source":1}]},{"type":"image","source":2}]}}"#,
    ];
    let mut script = Script::parse(&lines(&text));
    assert_eq!(script.drop_blocks(BlockKinds { images: true, ..BlockKinds::default() }), 2);
    let words = r#"{"type":"text","text":"[image removed]"}"#;
    let expected = format!(
        r#"{{"uuid":"a","message":{{"content":[{{"type":"tool_result","tool_use_id":"c","content":[{words}]}},{words}]}}}}"#
    );
    assert_eq!(told(&script), [expected]);
}

#[test]
fn what_a_compaction_kept_is_told_as_far_as_it_is_left() {
    let text = [
        r#"{"parentUuid":null,"uuid":"a"}"#,
        r#"{"parentUuid":"a","uuid":"b"}"#,
        r#"{"parentUuid":"b","uuid":"c"}"#,
        r#"{"parentUuid":null,"logicalParentUuid":"c","uuid":"x","subtype":"compact_boundary","compactMetadata":{"preservedSegment":{"headUuid":"b","anchorUuid":"s","tailUuid":"c"},"preservedMessages":{"anchorUuid":"s","uuids":["b","c"],"allUuids":["b","c"]}}}"#,
        r#"{"parentUuid":"x","uuid":"s"}"#,
    ];
    let left = cut(&text, &[3], None);
    assert!(left[2].contains(r#""logicalParentUuid":"b""#), "{}", left[2]);
    assert!(left[2].contains(r#"{"headUuid":"b","anchorUuid":"s","tailUuid":"b"}"#), "{}", left[2]);
    assert!(left[2].contains(r#""uuids":["b"],"allUuids":["b"]"#), "{}", left[2]);
    let left = cut(&text, &[2, 3], None);
    assert!(left[1].ends_with(r#""compactMetadata":{}}"#), "{}", left[1]);
}

#[test]
fn slimming_keeps_the_last_copy() {
    let text = [
        r#"{"uuid":"a","n":1}"#,
        r#"{"uuid":"p","parentUuid":"a","type":"progress"}"#,
        r#"{"uuid":"a","n":2}"#,
        r#"{"uuid":"b","parentUuid":"p"}"#,
        r#"{"type":"api-request-blob","message":{}}"#,
    ];
    let mut script = Script::parse(&lines(&text));
    script.slim();
    script.relink(None);
    assert_eq!(told(&script), [r#"{"uuid":"a","n":2}"#, r#"{"uuid":"b","parentUuid":"a"}"#]);
}

#[test]
fn a_renamed_session_says_so_on_every_line_and_nowhere_else() {
    let text = [
        r#"{"uuid":"a","sessionId":"old","message":{"content":"sessionId old"},"session_id":"older"}"#,
        r#"{"type":"mode","sessionId":"old"}"#,
        r#"{"type":"summary","leafUuid":"a"}"#,
    ];
    let mut script = Script::parse(&lines(&text));
    script.rename(&Rename { from: "old", to: "new", mark: true });
    assert_eq!(
        told(&script),
        [
            r#"{"uuid":"a","sessionId":"new","message":{"content":"sessionId old"},"session_id":"older","forkedFrom":{"sessionId":"old","messageUuid":"a"}}"#,
            r#"{"type":"mode","sessionId":"new"}"#,
            r#"{"type":"summary","leafUuid":"a"}"#,
        ]
    );
}

#[test]
fn fresh_ids_keep_the_tree() {
    let mut script = Script::parse(&lines(&CHAIN));
    script.fresh_ids(&mut Counter::default());
    let ids: Vec<Id> = (1..=3).map(|number| script.id_at(number).unwrap()).collect();
    let told = told(&script);
    assert!(told[1].starts_with(&format!(r#"{{"parentUuid":"{}","uuid":"{}""#, ids[0], ids[1])));
    assert!(told[3].contains(&format!(r#""leafUuid":"{}""#, ids[2])));
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn a_directory_is_moved_only_where_it_is_meant() {
    let text = [r#"{"cwd":"/a/b"}"#, r#"{"cwd":"/a/b/c"}"#, r#"{"cwd":"/a/bc"}"#];
    let mut script = Script::parse(&lines(&text));
    script.move_to("/a/b", "/z");
    assert_eq!(told(&script), [r#"{"cwd":"/z"}"#, r#"{"cwd":"/z/c"}"#, r#"{"cwd":"/a/bc"}"#]);
}

#[test]
fn what_names_a_line_of_another_file_follows_its_new_id() {
    let mut script = Script::parse(&lines(&CHAIN));
    let fresh = script.fresh_ids(&mut Counter::default());
    let mut agent = Script::parse(&lines(&[
        r#"{"type":"fork-context-ref","parentSessionId":"s","parentLastUuid":"b"}"#,
        r#"{"parentUuid":null,"uuid":"x","type":"user","message":{"content":"b"}}"#,
    ]));
    agent.follow(&fresh);
    let expected = format!(
        r#"{{"type":"fork-context-ref","parentSessionId":"s","parentLastUuid":"{}"}}"#,
        script.id_at(2).unwrap()
    );
    assert_eq!(
        told(&agent),
        [&expected, r#"{"parentUuid":null,"uuid":"x","type":"user","message":{"content":"b"}}"#]
    );
}

#[test]
fn an_agent_is_renamed_where_a_field_names_it_and_nowhere_else() {
    let text = [
        r#"{"uuid":"a","agentId":"11","message":{"content":[{"type":"tool_use","id":"c","input":{"agentId":"11"}}]}}"#,
        r#"{"uuid":"b","toolUseResult":{"agentId":"11","prompt":"11"}}"#,
        r#"{"type":"progress","data":{"type":"agent_progress","agentId":"11"},"agentId":"22"}"#,
        r#"{"uuid":"c","toolUseResult":"11"}"#,
    ];
    let mut script = Script::parse(&lines(&text));
    script.rename_agents(&[("11".to_owned(), "33".to_owned())].into());
    assert_eq!(
        told(&script),
        [
            text[0].replacen("11", "33", 1).as_str(),
            r#"{"uuid":"b","toolUseResult":{"agentId":"33","prompt":"11"}}"#,
            r#"{"type":"progress","data":{"type":"agent_progress","agentId":"33"},"agentId":"22"}"#,
            text[3],
        ]
    );
}
