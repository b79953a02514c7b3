//! The terminal: drawn on directly, and given back as it was on every way out, panics and signals included.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Stderr, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use crossterm::{cursor, execute};
use ratatui::Frame;
use ratatui::backend::CrosstermBackend;

use crate::failure::{ExitKind, Failure};

/// The terminal itself, whatever standard output is; standard error where that cannot be opened.
enum Device {
    Terminal(File),
    Stderr(Stderr),
}

impl Device {
    fn open() -> Option<Self> {
        let path = if cfg!(windows) { "CONOUT$" } else { "/dev/tty" };
        #[allow(clippy::disallowed_methods, reason = "a terminal is no part of a store")]
        if let Ok(file) = File::options().write(true).open(path) {
            return Some(Self::Terminal(file));
        }
        let usable = io::stdin().is_terminal() && io::stderr().is_terminal();
        usable.then(|| Self::Stderr(io::stderr()))
    }
}

impl Write for Device {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Terminal(file) => file.write(bytes),
            Self::Stderr(stderr) => stderr.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Terminal(file) => file.flush(),
            Self::Stderr(stderr) => stderr.flush(),
        }
    }
}

/// A terminal that belongs to the picker until this is dropped.
pub struct Terminal {
    drawn: ratatui::Terminal<CrosstermBackend<BufWriter<Device>>>,
    stopped: Arc<AtomicBool>,
    closed: Arc<AtomicBool>,
}

impl Terminal {
    /// Takes the terminal.
    pub fn open() -> Result<Self, Failure> {
        let none = || {
            Failure::new(ExitKind::Usage, "there is no terminal to pick in")
                .hint("`scrollback ls WORDS` lists sessions, `scrollback ls --json` does so for programs")
        };
        let device = Device::open().ok_or_else(none)?;
        enable_raw_mode().map_err(|_| none())?;
        let stopped = Arc::new(AtomicBool::new(false));
        // From here on every way out gives the terminal back.
        let guard = Guard;
        restore_on_panic();
        watch_signals(&stopped);
        let closed = Arc::new(AtomicBool::new(false));
        if matches!(device, Device::Terminal(_)) {
            watch_hangup(Arc::clone(&closed));
        }
        let mut backend = CrosstermBackend::new(BufWriter::with_capacity(16 << 10, device));
        execute!(backend, EnterAlternateScreen, EnableBracketedPaste)?;
        let drawn = ratatui::Terminal::new(backend)?;
        std::mem::forget(guard);
        Ok(Self { drawn, stopped, closed })
    }

    /// Draws a frame.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        self.drawn.draw(paint).map(|_| ())
    }

    /// Was the program asked to terminate?
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.closed.store(true, Ordering::Relaxed);
        restore();
        // The hook that was there before is of no more use than the standard one.
        if !std::thread::panicking() {
            let _ = std::panic::take_hook();
        }
    }
}

/// Gives the terminal back if opening it fails half-way.
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

fn restore() {
    let _ = disable_raw_mode();
    if let Some(mut device) = Device::open() {
        let _ = execute!(device, DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    }
}

/// What a panic says must be seen, and on a terminal that works again. A thread that helps is missed by who waits
/// for it, who then ends in an orderly way; its words would only be drawn over.
fn restore_on_panic() {
    let drawing = std::thread::current().id();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if std::thread::current().id() == drawing {
            restore();
            before(info);
        }
    }));
}

/// How often one looks whether the terminal is still there.
const PULSE: Duration = Duration::from_secs(1);

/// Ends the program once its terminal is gone. Whoever waits for a key of such a terminal waits for ever, at full
/// speed; the signal that tells of it may be ignored (`nohup`), so that asking is the only sure way.
fn watch_hangup(closed: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(PULSE);
            if closed.load(Ordering::Relaxed) {
                return;
            }
            if !matches!(Device::open(), Some(Device::Terminal(_))) {
                #[allow(
                    clippy::exit,
                    reason = "the terminal is gone, so there is nothing to restore and no one to report to"
                )]
                std::process::exit(ExitKind::Interrupted as i32);
            }
        }
    });
}

#[cfg(unix)]
fn watch_signals(stopped: &Arc<AtomicBool>) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    // A terminal that has hung up needs nothing given back: that signal ends the program as it always does.
    for signal in [SIGINT, SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(stopped));
    }
}

#[cfg(not(unix))]
fn watch_signals(_: &Arc<AtomicBool>) {}

/// Puts a text on the clipboard, by way of the terminal (OSC 52); says whether there is one to ask.
pub fn copy(text: &str) -> bool {
    let Some(mut device) = Device::open() else { return false };
    let asked = format!("\x1b]52;c;{}\x07", base64(text.as_bytes()));
    device.write_all(asked.as_bytes()).and_then(|()| device.flush()).is_ok()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_is_as_everyone_writes_it() {
        for (text, expected) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
            ("\u{ff}?>", "w78/Pg=="),
        ] {
            assert_eq!(base64(text.as_bytes()), expected, "{text:?}");
        }
    }
}
