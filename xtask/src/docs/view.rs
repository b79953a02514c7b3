//! View models as their source text tells them: names, comments, fields.

/// A struct or enum that is printed as JSON.
#[derive(Debug, Default)]
pub struct View {
    /// Its name.
    pub name: String,
    /// What its comment says.
    pub comment: String,
    /// A struct has one part without a name; an enum has one a variant.
    pub parts: Vec<(Field, Vec<Field>)>,
}

/// A field, or the name of a variant.
#[derive(Debug, Default, Clone)]
pub struct Field {
    /// Its name in JSON.
    pub name: String,
    /// What its comment says.
    pub comment: String,
    /// Its type in Rust.
    pub kind: String,
    /// Its fields stand among its holder's.
    pub flat: bool,
}

impl Field {
    /// Its type for a reader of JSON.
    pub fn kind_in_words(&self) -> String {
        if self.flat {
            return format!("the fields of [{0}](#{1})", self.kind, self.kind.to_lowercase());
        }
        words(&self.kind)
    }
}

fn words(kind: &str) -> String {
    let inner = |prefix: &str| kind.strip_prefix(prefix).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inside) = inner("Option<") {
        return format!("{} or null", words(inside));
    }
    if let Some(inside) = inner("Vec<") {
        return format!("list of {}", words(inside));
    }
    if let Some(inside) = inner("Box<") {
        return words(inside);
    }
    if let Some(inside) = inner("BTreeMap<String, ") {
        return format!("object: name to {}", words(inside));
    }
    match kind {
        "String" | "&'static str" | "PathBuf" | "std::path::PathBuf" => "string".into(),
        "u64" | "u32" | "usize" | "f32" => "number".into(),
        "bool" => "bool".into(),
        "Time" => "time".into(),
        "serde_json::value::RawValue" => "any".into(),
        "(u64, u64)" | "(usize, usize)" => "pair of numbers".into(),
        "(String, u64)" => "pair of string and number".into(),
        name => format!("[{name}](#{})", name.to_lowercase()),
    }
}

impl View {
    /// The names of types that its fields mention.
    pub fn uses(&self) -> Vec<String> {
        let kinds = self.parts.iter().flat_map(|(_, fields)| fields).map(|field| field.kind.as_str());
        let names = kinds.flat_map(|kind| kind.split(|c: char| !c.is_alphanumeric()));
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    }
}

/// The view models in a source text: what derives `Serialize`.
pub fn views(source: &str) -> Vec<View> {
    let mut found = Vec::new();
    let (mut comment, mut printed) = (String::new(), false);
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("/// ") {
            join(&mut comment, words);
        } else if line.starts_with("#[derive") {
            printed = line.contains("Serialize");
        } else if let Some(name) = declared(line).filter(|_| printed) {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "}").collect();
            let comment = std::mem::take(&mut comment);
            found.push(View { name: name.to_owned(), comment, parts: parts(&body) });
            printed = false;
        } else if !line.starts_with("#[") {
            (comment, printed) = (String::new(), false);
        }
    }
    found
}

fn declared(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ").unwrap_or(line);
    let rest = rest.strip_prefix("struct ").or_else(|| rest.strip_prefix("enum "))?;
    rest.ends_with('{').then(|| rest.trim_end_matches([' ', '{']))
}

fn join(comment: &mut String, words: &str) {
    if !comment.is_empty() {
        comment.push(' ');
    }
    comment.push_str(words.trim());
}

/// The fields of a body, variant by variant.
fn parts(body: &[&str]) -> Vec<(Field, Vec<Field>)> {
    let mut parts: Vec<(Field, Vec<Field>)> = Vec::new();
    let mut field = Field::default();
    for line in body.iter().map(|line| line.trim()) {
        if let Some(words) = line.strip_prefix("/// ") {
            join(&mut field.comment, words);
        } else if line.starts_with("#[serde(flatten") {
            field.flat = true;
        } else if line.starts_with('#') || matches!(line, "}," | "") {
        } else if let Some(variant) = line.strip_suffix(" {") {
            let named = Field { name: snake(variant), ..std::mem::take(&mut field) };
            parts.push((named, Vec::new()));
        } else if let Some((name, kind)) = line.trim_end_matches(',').split_once(": ") {
            let name = name.strip_prefix("pub ").unwrap_or(name).to_owned();
            let known = Field { name, kind: kind.to_owned(), ..std::mem::take(&mut field) };
            if parts.is_empty() {
                parts.push((Field::default(), Vec::new()));
            }
            if let Some((_, fields)) = parts.last_mut() {
                fields.push(known);
            }
        } else if let Some((variant, kind)) = line.trim_end_matches([',', ')']).split_once('(') {
            let named = Field { name: snake(variant), ..std::mem::take(&mut field) };
            let inside = Field { kind: inside_box(kind), flat: true, name: "…".into(), ..Field::default() };
            parts.push((named, vec![inside]));
        }
    }
    parts
}

fn inside_box(kind: &str) -> String {
    kind.trim_start_matches("Box<").trim_end_matches('>').to_owned()
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        if c.is_uppercase() && at > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::views;

    #[test]
    fn fields_and_variants_are_told_with_their_comments() {
        let source = "/// A thing\n/// of two lines.\n#[derive(Debug, Serialize)]\npub struct Thing {\n    /// Its name.\n    pub name: Option<String>,\n}\n";
        let found = views(source);
        assert_eq!((found[0].name.as_str(), found[0].comment.as_str()), ("Thing", "A thing of two lines."));
        let field = &found[0].parts[0].1[0];
        assert_eq!((field.name.as_str(), field.kind_in_words().as_str()), ("name", "string or null"));
    }
}
