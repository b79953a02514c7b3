//! Lists the sessions of a store with their titles, the newest first.
//!
//! ```sh
//! cargo run -p scrollback-core --example titles -- ~/.claude
//! ```

use std::error::Error;
use std::io::Write;

use scrollback_core::desk::request::ls::LsRequest;
use scrollback_core::desk::{Desk, Root};
use scrollback_core::format::{id, time::Time};

#[allow(clippy::disallowed_methods, reason = "a program reads the clock; the library is told the time")]
fn main() -> Result<(), Box<dyn Error>> {
    let store = std::env::args_os().nth(1).ok_or("usage: titles STORE")?;
    let now = Time(jiff::Timestamp::now().as_millisecond());
    let desk = Desk::new(vec![Root::new(store)], now);
    let listing = desk.answer(&LsRequest::default())?;
    let mut out = std::io::stdout().lock();
    for session in &listing.sessions {
        let title = session.title.as_deref().unwrap_or("untitled");
        writeln!(out, "{}  {title}", id::short(&session.session_id))?;
    }
    Ok(())
}
