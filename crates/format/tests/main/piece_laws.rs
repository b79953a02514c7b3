//! Laws of parsing: total, lossless, and each byte in exactly one piece.

use proptest::prelude::*;
use scrollback_format::line;
use scrollback_format::piece::Parser;

/// Puts a file together again from what was read of it.
fn rewritten(bytes: &[u8]) -> Vec<u8> {
    let mut parser = Parser::new();
    let mut out = Vec::new();
    for line in line::split(bytes) {
        parser.each(line, |piece| {
            assert_eq!(piece.offset as usize, out.len(), "a piece starts where the last one ended");
            out.extend_from_slice(piece.bytes);
        });
        out.extend_from_slice(line.ending.bytes());
    }
    out
}

/// Bits of session files, whole and broken.
fn scrap() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(
            br#"{"type":"user","uuid":"a","sessionId":"s","message":{"role":"user","content":"x"}}"#.to_vec()
        ),
        Just(br#"{"type":"summary","summary":"\ud83d","leafUuid":null}"#.to_vec()),
        Just(br#"{"type":"pr-link","prNu"#.to_vec()),
        Just(vec![0; 40]),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just("\u{2028}".as_bytes().to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"[1,2]".to_vec()),
        Just(b"  ".to_vec()),
        prop::collection::vec(any::<u8>(), 0..12),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_bytes_round_trip(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert_eq!(rewritten(&bytes), bytes);
    }

    #[test]
    fn broken_files_round_trip(scraps in prop::collection::vec(scrap(), 0..20)) {
        let bytes = scraps.concat();
        prop_assert_eq!(rewritten(&bytes), bytes);
    }
}
