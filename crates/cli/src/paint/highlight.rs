//! Roles for the words of source code.
//!
//! Grammars come from `syntect`; what they say about a word is mapped to one of our few roles, so that code
//! follows the palette of the terminal. Loading the grammars takes longer than all the rest of painting:
//! it happens once, on the first code that needs it, and never under a plain theme. Long text is not
//! looked at: a reader scrolls past it, and grammars are slow.

use std::path::Path;
use std::str::FromStr as _;
use std::sync::OnceLock;

use syntect::easy::HighlightLines;
use syntect::highlighting::{self, Color, ScopeSelectors, StyleModifier, ThemeItem, ThemeSettings};
use syntect::parsing::{SyntaxReference, SyntaxSet};

use super::harmless::harmless;
use super::line::StyledLine;
use super::style::{Style, Theme};

/// Text of more bytes is shown without roles.
const LONGEST_TEXT: usize = 64 * 1024;
/// Text with a line of more bytes is shown without roles; it is minified or data.
const LONGEST_LINE: usize = 2_000;

/// What grammars call a word, and which role that is; for a word with several names the most specific wins.
const ROLES: [(Style, &str); 9] = [
    (Style::CodeBlock, "source, text, string source, punctuation.section, punctuation.separator"),
    (Style::Comment, "comment, punctuation.definition.comment"),
    (Style::Literal, "string, markup.raw"),
    (Style::Constant, "constant, support.constant, variable.language, variable.parameter.option"),
    (
        Style::Keyword,
        "keyword - keyword.operator, storage, support.type.primitive, keyword.operator.logical.python",
    ),
    (
        Style::Function,
        "entity.name.function, support.function, variable.function, entity.other.attribute-name",
    ),
    (
        Style::Type,
        "entity.name.type, entity.name.class, entity.name.struct, entity.name.enum, entity.name.tag, \
         entity.name.section, entity.other.inherited-class, support.class, support.type.property-name, \
         meta.mapping.key string, meta.structure.dictionary.key string",
    ),
    (Style::Added, "markup.inserted"),
    (Style::Removed, "markup.deleted"),
];

/// Languages without a grammar that another's grammar reads well enough.
const STAND_INS: [(&[&str], &str); 11] = [
    (&["ts", "tsx", "typescript", "jsx", "mjs", "cjs", "mts", "cts", "javascriptreact"], "js"),
    (&["jsonc", "json5", "jsonl", "ndjson"], "json"),
    (&["shell", "console", "terminal", "zsh", "fish", "dockerfile", "containerfile", "env"], "bash"),
    (&["toml", "ini", "cfg", "conf", "editorconfig"], "properties"),
    (&["vue", "svelte", "astro"], "html"),
    (&["scss", "less"], "css"),
    (&["kotlin", "kt", "kts", "dart"], "scala"),
    (&["zig", "ron"], "rust"),
    (&["csharp"], "cs"),
    (&["golang"], "go"),
    (&["pyi", "python3", "ipython", "starlark", "bzl"], "py"),
];

struct Grammars {
    set: SyntaxSet,
    roles: highlighting::Theme,
}

/// The lines of `text`, made harmless, with roles if `language` has a grammar and `theme` can show them.
///
/// `language` is the word after a code fence or the extension of a file.
pub fn highlight(text: &str, language: &str, theme: Theme) -> Vec<StyledLine> {
    let text = harmless(text);
    if !theme.is_plain() && is_short(&text) && !language.is_empty() {
        let grammars = grammars();
        if let Some(lines) =
            find_grammar(grammars, language).and_then(|found| coloured(&text, found, grammars))
        {
            return lines;
        }
    }
    text.lines().map(|line| StyledLine::new(line, Style::CodeBlock)).collect()
}

/// The language of a file, by its name: the extension, or the whole name where there is none.
pub fn language_of(path: &str) -> &str {
    let path = Path::new(path);
    path.extension().or(path.file_name()).and_then(|name| name.to_str()).unwrap_or_default()
}

fn is_short(text: &str) -> bool {
    text.len() <= LONGEST_TEXT && text.lines().all(|line| line.len() <= LONGEST_LINE)
}

fn grammars() -> &'static Grammars {
    static LOADED: OnceLock<Grammars> = OnceLock::new();
    LOADED.get_or_init(|| Grammars { set: SyntaxSet::load_defaults_newlines(), roles: roles() })
}

fn find_grammar<'a>(grammars: &'a Grammars, language: &str) -> Option<&'a SyntaxReference> {
    let language = language.to_lowercase();
    let stand_in = STAND_INS.iter().find(|(names, _)| names.contains(&language.as_str()));
    grammars.set.find_syntax_by_token(stand_in.map_or(language.as_str(), |(_, other)| other))
}

/// A theme whose "colours" are the positions of roles in [`ROLES`]; syntect then resolves which name of a
/// word wins, and we read the role back.
fn roles() -> highlighting::Theme {
    let colour = |at: usize| Color { r: u8::try_from(at).unwrap_or_default(), g: 0, b: 0, a: 0 };
    let item = |(at, (_, names)): (usize, &(Style, &str))| ThemeItem {
        scope: ScopeSelectors::from_str(names).unwrap_or_default(),
        style: StyleModifier { foreground: Some(colour(at)), background: None, font_style: None },
    };
    highlighting::Theme {
        settings: ThemeSettings { foreground: Some(colour(0)), ..ThemeSettings::default() },
        scopes: ROLES.iter().enumerate().map(item).collect(),
        ..highlighting::Theme::default()
    }
}

/// `None` if the grammar gives up.
fn coloured(text: &str, grammar: &SyntaxReference, grammars: &Grammars) -> Option<Vec<StyledLine>> {
    let mut state = HighlightLines::new(grammar, &grammars.roles);
    let mut lines = Vec::new();
    for whole in text.split_inclusive('\n') {
        let mut line = StyledLine::empty();
        for (style, part) in state.highlight_line(whole, &grammars.set).ok()? {
            let role = ROLES.get(usize::from(style.foreground.r)).map_or(Style::CodeBlock, |&(role, _)| role);
            line.push(part.trim_end_matches('\n'), role);
        }
        lines.push(line);
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(language: &str, text: &str, expected: &[(&str, Style)]) {
        let lines = highlight(text, language, Theme::colour());
        assert_eq!(lines.len(), 1);
        let found: Vec<(&str, Style)> =
            lines[0].spans().iter().map(|span| (span.text(), span.style())).collect();
        for pair in expected {
            assert!(found.contains(pair), "{pair:?} in {found:?}");
        }
    }

    #[test]
    fn words_of_code_get_roles() {
        check(
            "rust",
            "fn main() { let x = \"a\"; } // end\n",
            &[
                ("fn", Style::Keyword),
                ("main", Style::Function),
                ("\"a\"", Style::Literal),
                ("// end", Style::Comment),
            ],
        );
        check("ts", "const a = 1;", &[("const", Style::Keyword), ("1", Style::Constant)]);
        check("Python", "x = None", &[("None", Style::Constant)]);
        check("json", "{\"key\": true}", &[("true", Style::Constant), ("\"key\"", Style::Type)]);
        check("diff", "-old", &[("-old", Style::Removed)]);
        check("toml", "name = \"x\"", &[]);
        check("sh", "echo \"$HOME\"", &[("echo", Style::Function)]);
    }

    #[test]
    fn unknown_languages_and_plain_themes_have_one_role() {
        let plain = |text: &str| vec![StyledLine::new(text, Style::CodeBlock)];
        assert_eq!(highlight("fn x()", "klingon", Theme::colour()), plain("fn x()"));
        assert_eq!(highlight("fn x()", "", Theme::colour()), plain("fn x()"));
        assert_eq!(highlight("fn x()", "rust", Theme::plain()), plain("fn x()"));
    }

    #[test]
    fn long_text_is_not_looked_at() {
        let long = format!("let x = \"{}\";", "a".repeat(LONGEST_LINE));
        assert_eq!(highlight(&long, "rust", Theme::colour()), vec![StyledLine::new(long, Style::CodeBlock)]);
    }

    #[test]
    fn the_language_of_a_file_is_its_extension() {
        for (path, language) in
            [("/a/b.rs", "rs"), ("Makefile", "Makefile"), ("a/Dockerfile", "Dockerfile"), ("", "")]
        {
            assert_eq!(language_of(path), language);
        }
    }
}
