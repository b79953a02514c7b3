//! One integration-test binary: reading and walking.

mod reading;
mod walking;
