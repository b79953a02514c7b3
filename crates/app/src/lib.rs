//! Use cases and plain view models over store and model; prints nothing.
