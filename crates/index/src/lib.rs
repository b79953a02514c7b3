//! The catalogue and the text index.
