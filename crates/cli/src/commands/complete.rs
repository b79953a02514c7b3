//! `scrollback complete`: what the word that is being typed may become. The scripts of `completions` call it at every
//! press of the key; people never do, so it is in no list of commands.
//!
//! The parser completes commands, options and fixed values by itself; what arguments name comes from the library. One line
//! a candidate: the word, a tab, what it means. It ends well and says nothing where there is nothing to say.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Arg, Args, Command};
use clap_complete::engine::{self, ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use scrollback_app::desk::Desk;
use scrollback_app::request::complete::{Argument, CompleteRequest};

use crate::context::Context;
use crate::failure::Failure;
use crate::paint::fold;
use crate::paint::harmless::harmless;

/// Longer descriptions are cut.
const WIDEST: usize = 80;

/// Arguments of `complete`.
#[derive(Debug, Args)]
pub struct CompleteArgs {
    /// The words of the command line up to the cursor, the program's name first, quoted as they were typed.
    #[arg(last = true)]
    pub words: Vec<OsString>,
}

/// Prints candidates.
pub fn run(context: &mut Context, args: &CompleteArgs, root: Command) -> Result<(), Failure> {
    let words: Vec<OsString> = args
        .words
        .iter()
        .map(|word| word.to_str().map_or(word.clone(), |word| unquoted(word).into()))
        .collect();
    let Some(at) = words.len().checked_sub(1) else { return Ok(()) };
    take_roots(context, &words);
    let mut root = match context.standing_desk() {
        Some(desk) => attached(root, &desk),
        None => root,
    };
    let cwd = context.env.cwd.clone();
    let Ok(mut found) = engine::complete(&mut root, words.clone(), at, cwd.as_deref()) else { return Ok(()) };
    // Options are offered once one is begun, or where there is nothing else.
    let is_option = |found: &CompletionCandidate| found.get_value().as_encoded_bytes().starts_with(b"-");
    if words[at].is_empty() && !found.iter().all(is_option) {
        found.retain(|found| !is_option(found));
    }
    let mut text = String::new();
    for candidate in found {
        let Some(value) = candidate.get_value().to_str() else { continue };
        if value.contains(char::is_control) || harmless(value) != value {
            continue;
        }
        text.push_str(value);
        let about = candidate.get_help().map(ToString::to_string).unwrap_or_default();
        let about = fold::one_line(&about, WIDEST);
        if !about.is_empty() {
            text.push('\t');
            text.push_str(&about);
        }
        text.push('\n');
    }
    Ok(context.out.bytes(text.as_bytes())?)
}

/// The stores that the typed command line asks for.
fn take_roots(context: &mut Context, words: &[OsString]) {
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let Some(text) = word.to_str() else { continue };
        let root = match text {
            "--" => break,
            "--sample" => {
                context.global.sample = true;
                continue;
            }
            "--root" => words.next().map(PathBuf::from),
            _ => text.strip_prefix("--root=").map(PathBuf::from),
        };
        // A shell expands this when the line is run, and not before.
        let at_home = |root: PathBuf| match (root.strip_prefix("~"), &context.env.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => root,
        };
        context.global.root.extend(root.map(at_home));
    }
}

/// What a shell makes of a word that it does not expand: without its quotes and backslashes.
fn unquoted(word: &str) -> String {
    let mut plain = String::new();
    let mut quote = None;
    let mut chars = word.chars();
    while let Some(char) = chars.next() {
        match (char, quote) {
            ('\'' | '"', None) => quote = Some(char),
            (_, Some(open)) if char == open => quote = None,
            ('\\', None | Some('"')) => plain.extend(chars.next()),
            _ => plain.push(char),
        }
    }
    plain
}

/// The command line, with the desk behind each argument that names something in a store.
fn attached(command: Command, desk: &Desk) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|arg| match named(&name, &arg) {
        Some(argument) => arg.add(ArgValueCompleter::new(Values { argument, desk: desk.clone() })),
        None => arg,
    });
    command.mut_subcommands(|command| attached(command, desk))
}

/// What an argument of a command names, if that is in the store.
fn named(command: &str, arg: &Arg) -> Option<Argument> {
    let is = |name: &str| arg.get_value_names().is_some_and(|names| names.iter().any(|own| own == name));
    match arg.get_id().as_str() {
        "session" if matches!(command, "show" | "tree") => Some(Argument::SessionOrAgent),
        "session" | "sessions" | "first" | "second" => Some(Argument::Session),
        "project" if is("PART") => Some(Argument::Project),
        "branch" if is("PART") => Some(Argument::Branch),
        "model" if is("PART") => Some(Argument::Model),
        "tool" => Some(Argument::Tool),
        "client" => Some(Argument::Client),
        "tag" | "tags" => Some(Argument::Tag),
        _ => None,
    }
}

/// Values of an argument, from the library.
struct Values {
    argument: Argument,
    desk: Desk,
}

impl ValueCompleter for Values {
    fn complete(&self, begun: &OsStr) -> Vec<CompletionCandidate> {
        let is_path = begun.as_encoded_bytes().first().is_some_and(|first| b"./~".contains(first));
        if is_path && matches!(self.argument, Argument::Session | Argument::SessionOrAgent) {
            return PathCompleter::any().complete(begun);
        }
        let Some(begun) = begun.to_str() else { return Vec::new() };
        let request = CompleteRequest { argument: self.argument, begun: begun.to_owned() };
        let offers = self.desk.answer(&request).unwrap_or_default();
        let candidate = |(at, offer): (usize, scrollback_app::request::complete::Offer)| {
            CompletionCandidate::new(offer.value)
                .help(offer.about.map(StyledStr::from))
                .display_order(Some(at))
        };
        offers.into_iter().enumerate().map(candidate).collect()
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Cli;

    #[test]
    fn words_lose_their_quotes() {
        for (typed, plain) in [
            ("my\\ project", "my project"),
            ("'my pro", "my pro"),
            ("\"a \\\" b\" c", "a \" b c"),
            ("'a\\b'", "a\\b"),
            ("$(x)", "$(x)"),
            ("end\\", "end"),
        ] {
            assert_eq!(unquoted(typed), plain, "{typed}");
        }
    }

    #[test]
    fn every_argument_that_is_called_a_session_is_completed() {
        fn visit(command: &Command, found: &mut Vec<(String, String)>) {
            for arg in command.get_arguments() {
                if named(command.get_name(), arg).is_some() {
                    found.push((command.get_name().to_owned(), arg.get_id().to_string()));
                }
            }
            command.get_subcommands().for_each(|command| visit(command, found));
        }
        fn wanting(command: &Command, found: &mut Vec<String>) {
            for arg in command.get_arguments() {
                let names = arg.get_value_names().unwrap_or_default();
                let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
                let is_session =
                    names.iter().any(|name| name == "SESSION") || help.starts_with("An id, the start");
                if is_session && named(command.get_name(), arg).is_none() {
                    found.push(format!("{} {}", command.get_name(), arg.get_id()));
                }
            }
            command.get_subcommands().for_each(|command| wanting(command, found));
        }
        let mut root = Cli::command();
        root.build();
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        visit(&root, &mut found);
        wanting(&root, &mut missing);
        assert_eq!(missing, Vec::<String>::new());
        for wanted in
            [("show", "session"), ("rm", "sessions"), ("ls", "project"), ("ls", "tool"), ("tag", "tags")]
        {
            assert!(
                found.iter().any(|(command, arg)| (command.as_str(), arg.as_str()) == wanted),
                "{wanted:?}"
            );
        }
        assert!(!found.contains(&("show".into(), "branch".into())), "that is a number");
    }
}
