//! The scrollback command line.

/// Runs the program on the process's own arguments.
pub fn run() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
