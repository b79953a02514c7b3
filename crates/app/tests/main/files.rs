//! Files through time: what sessions recorded of them comes back, byte for byte, and what they did not is not made up.

mod client;
mod laws;
