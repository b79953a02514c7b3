//! The oracle's sessions, most of them mutated on purpose: each parses, comes back byte for byte, and has threads in
//! which every line of the tree stands once.

use scrollback_app::FileKind;
use scrollback_app::load::Loader;
use scrollback_app::verify::{self, VerifyTarget};
use scrollback_format::generation::Generation;
use scrollback_model::facts::Anatomy;
use scrollback_testkit::corpus;

#[test]
fn every_case_comes_back_byte_for_byte() {
    for version in corpus::RESUMERS {
        let cases = corpus::oracle_cases(version);
        assert!(cases.len() > 100, "{version}: {}", cases.len());
        let targets: Vec<VerifyTarget> = cases.iter().map(|case| VerifyTarget::of(case.session())).collect();
        let verdict = verify::verify(&[], &targets, &|_| {});
        assert!(verdict.mismatches.is_empty(), "{version}: {:?}", verdict.mismatches);
        // The mutations plant lines of two made-up kinds; all else is known.
        let unknown: Vec<_> = verdict.unknown_kinds.iter().map(|kind| kind.name.as_str()).collect();
        assert_eq!(unknown, ["my-own-kind", "my-own-note"], "{version}");
        let fields: Vec<_> = verdict.unknown_fields.iter().map(|field| &field.name).collect();
        assert!(fields.is_empty(), "{version}: {fields:?}");
    }
}

#[test]
fn every_case_places_each_line_once() {
    let mut loader = Loader::new();
    for version in corpus::RESUMERS {
        for case in corpus::oracle_cases(version) {
            let transcript = loader.transcript(&case.session(), FileKind::Session).unwrap();
            for generation in Generation::ALL {
                let anatomy = Anatomy::of(&transcript, generation);
                let mut placed: Vec<u32> =
                    anatomy.threads.threads.iter().flat_map(|thread| thread.rows.iter().copied()).collect();
                placed.extend(&anatomy.graph.replaced);
                placed.sort_unstable();
                let with_id: Vec<u32> = (0..transcript.rows.len() as u32)
                    .filter(|row| transcript.row(*row).id.is_some())
                    .collect();
                assert_eq!(placed, with_id, "{version}/{}", case.name);
            }
        }
    }
}
