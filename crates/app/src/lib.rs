//! Use cases and plain view models over store and model; prints nothing.
pub mod census;
pub mod error;
pub mod library;
pub mod listing;
pub mod load;
pub mod overview;
pub mod resolve;
pub mod verify;
pub mod view;
pub mod whereis;
pub mod work;
