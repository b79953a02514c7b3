//! The `scrollback` binary: one call.

fn main() -> std::process::ExitCode {
    scrollback::run()
}
