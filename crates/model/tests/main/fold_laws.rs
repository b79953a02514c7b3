//! Folding a file in two parts gives the same as folding it whole: that is what reading an appended tail rests on.

use proptest::prelude::*;
use scrollback_format::line;
use scrollback_format::piece::Parser;
use scrollback_model::fold::Fold;
use scrollback_model::skeleton;
use scrollback_model::transcript::FileKind;

fn some_line() -> impl Strategy<Value = String> {
    let message = (0..5_u8, 1..400_u64, prop::option::of(Just("end_turn"))).prop_map(|(id, output, stop)| {
        let stop = stop.map_or("null".to_owned(), |stop| format!("\"{stop}\""));
        format!(
            r#"{{"type":"assistant","uuid":"a{output}","timestamp":"2026-11-01T10:00:00.000Z","message":{{"id":"m{id}","model":"x","stop_reason":{stop},"usage":{{"input_tokens":3,"output_tokens":{output}}},"content":[{{"type":"tool_use","id":"t{output}","name":"Read","input":{{"file_path":"/x/{id}"}}}}]}}}}"#
        )
    });
    prop_oneof![
        message,
        Just(r#"{"type":"custom-title","customTitle":"t"}"#.to_owned()),
        Just(r#"{"type":"user","uuid":"u","cwd":"/w","message":{"content":"hi"}}"#.to_owned()),
        Just("garbage".to_owned()),
        Just(String::new()),
    ]
}

proptest! {
    #[test]
    fn parts_add_up(lines in prop::collection::vec(some_line(), 0..30), cut in any::<prop::sample::Index>()) {
        let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
        let all: Vec<_> = line::split(text.as_bytes()).collect();
        let cut = if all.is_empty() { 0 } else { cut.index(all.len()) };
        let (mut parser, mut whole, mut parts) = (Parser::new(), Fold::new(FileKind::Session), Fold::new(FileKind::Session));
        all.iter().for_each(|line| parser.each(*line, |piece| whole.piece(&piece)));
        // The second part is read by another parser, from an offset, later, on what was stored of the first.
        all[..cut].iter().for_each(|line| parser.each(*line, |piece| parts.piece(&piece)));
        let stored = skeleton::encode(&parts.finish(0, 0));
        let mut parts = Fold::resume(skeleton::decode(&stored).unwrap());
        let mut later = Parser::new();
        all[cut..].iter().for_each(|line| later.each(*line, |piece| parts.piece(&piece)));
        let (whole, parts) = (whole.finish(0, 0), parts.finish(0, 0));
        prop_assert_eq!(format!("{:?}", whole.rows), format!("{:?}", parts.rows));
        prop_assert_eq!(format!("{:?}", whole.messages), format!("{:?}", parts.messages));
        prop_assert_eq!(format!("{:?}", whole.calls), format!("{:?}", parts.calls));
        prop_assert_eq!(format!("{:?}", whole.problems), format!("{:?}", parts.problems));
        prop_assert_eq!(whole.tokens(), parts.tokens());
        prop_assert_eq!(skeleton::encode(&whole), skeleton::encode(&parts));
    }

    #[test]
    fn a_message_counts_once_with_its_largest_output(outputs in prop::collection::vec(1..1000_u64, 1..10)) {
        let text = outputs.iter().map(|output| {
            format!("{{\"type\":\"assistant\",\"message\":{{\"id\":\"m\",\"usage\":{{\"input_tokens\":5,\"output_tokens\":{output}}}}}}}\n")
        }).collect::<String>();
        let (mut parser, mut fold) = (Parser::new(), Fold::new(FileKind::Session));
        for line in line::split(text.as_bytes()) {
            parser.each(line, |piece| fold.piece(&piece));
        }
        let tokens = fold.finish(0, 0).tokens();
        prop_assert_eq!((tokens.input, Some(tokens.output)), (5, outputs.iter().copied().max()));
    }
}
