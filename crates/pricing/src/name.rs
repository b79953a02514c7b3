//! Names of models, as transcripts and services write them.
//!
//! One model has many: with the day of its making or without, behind the name of a cloud or a gateway, with a mark for
//! its long window. The price list knows it by one, the *key*. What does not look like a name of ours stays as it is,
//! and so is found in no table.

/// What the client writes for answers that no model gave. They cost nothing and are no unknown model.
pub const SYNTHETIC: &str = "<synthetic>";

/// A name taken apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ModelName {
    /// The model alone: `claude-sonnet-4-5`.
    pub key: String,
    /// The day of its making, eight digits, where the name has it.
    pub date: Option<String>,
    /// The region of a cloud (`us`, `eu`, `global`), where the name begins with it. Regional surcharges of clouds are in no
    /// row.
    pub region: Option<String>,
}

impl ModelName {
    /// Takes any text apart.
    pub fn parse(text: &str) -> Self {
        let text = text.trim().to_ascii_lowercase();
        // A gateway's folders, or the resource name of a cloud.
        let name = text.rsplit('/').next().unwrap_or_default();
        let (region, name) = without_cloud(name);
        let name = without_bracket(name);
        let (name, date) = without_date(without_revision(name));
        let key = in_order(&name.replace('.', "-"));
        Self { key, date: date.map(str::to_owned), region: region.map(str::to_owned) }
    }
}

/// `us.anthropic.claude-…`, `anthropic.claude-…`.
fn without_cloud(name: &str) -> (Option<&str>, &str) {
    match name.split_once("anthropic.") {
        Some(("", rest)) => (None, rest),
        Some((before, rest)) => match before.strip_suffix('.') {
            Some(region) if region.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-') => {
                (Some(region), rest)
            }
            _ => (None, name),
        },
        None => (None, name),
    }
}

/// `…[1m]`: the window that was asked for. What it costs, the tokens tell.
fn without_bracket(name: &str) -> &str {
    match name.rfind('[') {
        Some(at) if name.ends_with(']') => &name[..at],
        _ => name,
    }
}

/// `…-v1:0`, `…-v2`: the revision that a cloud counts.
fn without_revision(name: &str) -> &str {
    let Some((before, after)) = name.rsplit_once("-v") else { return name };
    let mut numbers = after.split(':');
    let is_revision = numbers.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if is_revision { before } else { name }
}

/// `…-20250514`, `…@20250514`, `…-latest`, `…@default`.
fn without_date(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(['-', '@']) {
        Some((before, "latest" | "default")) => (before, None),
        Some((before, date)) if date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()) => {
            (before, Some(date))
        }
        _ => (name, None),
    }
}

/// The maker's own order: the version before the family up to 3 (`claude-3-5-sonnet`), after it from 4 on
/// (`claude-sonnet-4-5`). A minor version of zero is not told.
fn in_order(name: &str) -> String {
    let Some(rest) = name.strip_prefix("claude-") else { return name.to_owned() };
    let parts: Vec<&str> = rest.split('-').collect();
    let is_number = |part: &&str| part.len() <= 2 && part.parse::<u8>().is_ok();
    let before = parts.iter().take_while(|part| is_number(part)).count();
    let after = parts.iter().rev().take_while(|part| is_number(part)).count();
    let (family, version) = match (before, after) {
        (1..=2, 0) if parts.len() == before + 1 => (parts[before], &parts[..before]),
        (0, 1..=2) if parts.len() == after + 1 => (parts[0], &parts[1..]),
        _ => return name.to_owned(),
    };
    let version = match version {
        [major, "0"] => (*major).to_owned(),
        version => version.join("-"),
    };
    let is_old = matches!(version.as_bytes(), [b'1'..=b'3'] | [b'1'..=b'3', b'-', ..]);
    if is_old { format!("claude-{version}-{family}") } else { format!("claude-{family}-{version}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, key: &str, date: &str, region: &str) {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let expected = ModelName { key: key.to_owned(), date: some(date), region: some(region) };
        assert_eq!(ModelName::parse(text), expected, "{text}");
    }

    #[test]
    fn names_of_transcripts_and_services_lead_to_one_key() {
        check("claude-sonnet-4-20250514", "claude-sonnet-4", "20250514", "");
        check("claude-opus-4-1-20250805", "claude-opus-4-1", "20250805", "");
        check("claude-haiku-4-5", "claude-haiku-4-5", "", "");
        check("claude-opus-5-5", "claude-opus-5-5", "", "");
        check("claude-opus-4-8[1m]", "claude-opus-4-8", "", "");
        check("claude-sonnet-4-5-20250929[1m]", "claude-sonnet-4-5", "20250929", "");
        check("Claude-Fable-5-1", "claude-fable-5-1", "", "");
        check("claude-mythos-preview", "claude-mythos-preview", "", "");
        check("claude-3-5-sonnet-20241022", "claude-3-5-sonnet", "20241022", "");
        check("claude-3-5-sonnet-latest", "claude-3-5-sonnet", "", "");
        check("claude-3-opus-20240229", "claude-3-opus", "20240229", "");
        check("claude-opus-4-0", "claude-opus-4", "", "");
        check("claude-4-opus-20250514", "claude-opus-4", "20250514", "");
        check("claude-2.1", "claude-2-1", "", "");
    }

    #[test]
    fn names_of_clouds_and_gateways_lead_there_too() {
        check("us.anthropic.claude-sonnet-4-20250514-v1:0", "claude-sonnet-4", "20250514", "us");
        check("us-gov.anthropic.claude-sonnet-5", "claude-sonnet-5", "", "us-gov");
        check("global.anthropic.claude-opus-4-6-v1", "claude-opus-4-6", "", "global");
        check("anthropic.claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet", "20241022", "");
        check("eu.anthropic.claude-opus-4-6-v1[1m]", "claude-opus-4-6", "", "eu");
        check("bedrock/us.anthropic.claude-3-5-haiku-20241022-v1:0", "claude-3-5-haiku", "20241022", "us");
        check(
            "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-20250514-v1:0",
            "claude-opus-4",
            "20250514",
            "us",
        );
        check("claude-opus-4-5@20251101", "claude-opus-4-5", "20251101", "");
        check("vertex_ai/claude-opus-5@default", "claude-opus-5", "", "");
        check("anthropic/claude-sonnet-4.5", "claude-sonnet-4-5", "", "");
        check("openrouter/anthropic/claude-3.7-sonnet", "claude-3-7-sonnet", "", "");
        check("anthropic/claude-4.5-haiku", "claude-haiku-4-5", "", "");
        check("claude-sonnet-3-7", "claude-3-7-sonnet", "", "");
    }

    #[test]
    fn other_names_stay_apart() {
        check("claude-opus-4-8-fast", "claude-opus-4-8-fast", "", "");
        check("anthropic.claude-v2:1", "claude", "", "");
        check("claude", "claude", "", "");
        check("claude-", "claude-", "", "");
        check("gpt-5.2", "gpt-5-2", "", "");
        check("haiku", "haiku", "", "");
        check("", "", "", "");
        check("<synthetic>", "<synthetic>", "", "");
        check("[1m]", "", "", "");
        check("x.é.anthropic.claude-opus-5", "x-é-anthropic-claude-opus-5", "", "");
    }

    #[test]
    fn a_key_is_its_own_name() {
        for text in [
            "claude-sonnet-4-5-20250929",
            "claude-4-opus",
            "claude-3.5-haiku",
            "claude-2.1",
            "claude-opus-4-0",
        ] {
            let key = ModelName::parse(text).key;
            assert_eq!(ModelName::parse(&key).key, key, "{text}");
        }
    }
}
