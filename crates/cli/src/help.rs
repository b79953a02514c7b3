//! The help of the whole program: commands under headings, which the parser itself has no notion of. The words of each
//! command are its own, so that this list cannot say anything else than `scrollback COMMAND --help`.

use std::fmt::Write as _;

use clap::{Command, CommandFactory};

use crate::args::Cli;
use crate::paint::width;

/// The commands by what they are for, as in README.md.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Find", &["ls", "search", "grep", "pick", "history"]),
    ("Read", &["show", "tree", "info", "tail", "watch", "ps", "resume"]),
    (
        "Change",
        &[
            "fork", "trim", "split", "merge", "rename", "tag", "pin", "hide", "move", "rm", "undo",
            "journal", "trash",
        ],
    ),
    ("Files", &["files"]),
    ("Cost", &["usage"]),
    (
        "Store",
        &[
            "du",
            "orphans",
            "retention",
            "todos",
            "tasks",
            "plans",
            "logs",
            "definitions",
            "snapshots",
            "settings",
        ],
    ),
    (
        "Maintain",
        &["verify", "schema", "claims", "index", "where", "sample", "json-schema", "completions", "man"],
    ),
];

/// Longer lines are hard to read, however wide the terminal is.
const MAX_WIDTH: usize = 100;
/// Below this a column of words beside a column of names is of no use.
const MIN_WIDTH: usize = 40;

/// The command line with its help.
pub fn command() -> Command {
    let asked = terminal_size::terminal_size().map_or(MAX_WIDTH, |(width, _)| usize::from(width.0));
    with_groups(Cli::command(), asked.clamp(MIN_WIDTH, MAX_WIDTH))
}

/// Puts the commands under their headings, in lines of so many columns.
fn with_groups(root: Command, width: usize) -> Command {
    let mut text = "{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    let (bold, plain) =
        (root.get_styles().get_header().render(), root.get_styles().get_header().render_reset());
    for (heading, names) in GROUPS {
        let _ = write!(text, "\n{bold}{heading}:{plain}\n");
        for command in names.iter().filter_map(|name| root.find_subcommand(name)) {
            row(&mut text, &root, command, width);
        }
    }
    let _ = write!(text, "\n{bold}Options:{plain}\n{{options}}{{after-help}}");
    // The parser spreads options over several lines each as soon as any text of a command has a long form.
    let more = root.get_long_about().map(ToString::to_string).unwrap_or_default();
    let about = root.get_about().map(ToString::to_string).unwrap_or_default();
    let rest = more.trim_start_matches(&about).trim_start_matches('.').trim();
    let after = root.get_after_help().map(ToString::to_string).unwrap_or_default();
    let after = if rest.is_empty() { after } else { format!("{rest}\n\n{after}") };
    root.long_about(None::<&'static str>).after_help(after).help_template(text)
}

/// A command and what it does.
fn row(text: &mut String, root: &Command, command: &Command, columns: usize) {
    let widest = root.get_subcommands().map(|command| width::columns(command.get_name())).max().unwrap_or(0);
    let (name, style) = (command.get_name(), root.get_styles().get_literal());
    let _ = write!(text, "  {}{name}{}", style.render(), style.render_reset());
    let aliases: Vec<&str> = command.get_visible_aliases().collect();
    let mut about = command.get_about().map(ToString::to_string).unwrap_or_default();
    if !aliases.is_empty() {
        let _ = write!(about, " [alias: {}]", aliases.join(", "));
    }
    let indent = widest + 4;
    let mut at = 2 + width::columns(name);
    let mut is_first = true;
    for word in about.split_whitespace() {
        let long = width::columns(word);
        if is_first || at + 1 + long <= columns {
            let gap = if is_first { indent.saturating_sub(at) } else { 1 };
            let _ = write!(text, "{:gap$}{word}", "");
            at += gap + long;
        } else {
            let _ = write!(text, "\n{:indent$}{word}", "");
            at = indent + long;
        }
        is_first = false;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_command_is_in_exactly_one_group() {
        let root = Cli::command();
        let mut visible: Vec<&str> =
            root.get_subcommands().filter(|command| !command.is_hide_set()).map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        visible.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, visible);
    }

    /// The help that these words print.
    fn printed(words: &[&str]) -> String {
        let root = with_groups(Cli::command(), MAX_WIDTH).term_width(100);
        let all = ["scrollback"].iter().chain(words);
        root.try_get_matches_from(all).unwrap_err().to_string()
    }

    #[test]
    fn both_forms_of_help_have_two_screens_and_say_all() {
        let (short, long) = (printed(&["-h"]), printed(&["--help"]));
        assert_eq!(short, long);
        assert!(short.lines().count() <= 100, "{} lines:\n{short}", short.lines().count());
        assert!(short.lines().all(|line| width::columns(line) <= 100), "{short}");
        for command in Cli::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let about = command.get_about().unwrap().to_string();
            let rows = short.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(rows.contains(&format!(" {} {about}", command.get_name())), "{}", command.get_name());
        }
    }

    #[test]
    fn a_narrow_terminal_cuts_no_word() {
        let help = with_groups(Cli::command(), 60).term_width(60).render_help().to_string();
        assert!(help.lines().all(|line| width::columns(line) <= 60), "{help}");
    }

    #[test]
    fn options_that_every_command_takes_have_one_line_each() {
        let help = printed(&["tag", "--help"]);
        let (own, global) = help.split_once("Global options:\n").unwrap();
        assert!(own.contains("--remove"));
        let options = Cli::command().get_arguments().filter(|option| option.is_global_set()).count();
        assert_eq!(global.lines().count(), options, "{help}");
    }
}
