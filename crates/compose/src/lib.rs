//! New entries in the layout of a chosen client generation.
