//! Rules that differ: cases in which the simulator does not say what the client sent.

use scrollback_app::resume::{self, Options};
use scrollback_format::generation::Generation;
use scrollback_format::version::ClientVersion;
use scrollback_testkit::corpus::{self, Case};
use scrollback_testkit::sent;

use super::lab::Lab;

/// Prints the cases that differ; how many.
pub fn tell(lab: &Lab, version: &str) -> Result<usize, String> {
    let folder = lab.cases(version);
    if !folder.is_dir() {
        return Err(format!("{}: nothing is recorded", folder.display()));
    }
    let cases = corpus::cases(&folder);
    let mut differing = 0;
    for case in &cases {
        if let Some(what) = difference(case, version)? {
            differing += 1;
            println!("{}: {what}", case.name);
        }
    }
    println!("{} cases", cases.len());
    Ok(differing)
}

fn difference(case: &Case, version: &str) -> Result<Option<String>, String> {
    let told = |cause: String| format!("{}: {cause}", case.name);
    let options = Options {
        generation: Generation::of(
            ClientVersion::decode(version).unwrap_or(Generation::NEWEST.facts().recorded),
        ),
        model: sent::model(version, &case.about()),
        prompt: sent::PROMPT.to_owned(),
        ..Options::default()
    };
    let view = resume::of_file(&case.session(), &options).map_err(|cause| told(cause.to_string()))?;
    let view = serde_json::to_value(view).map_err(|cause| told(cause.to_string()))?;
    Ok(sent::disagreement(&view, &case.sent()))
}
