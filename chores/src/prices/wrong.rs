//! The table of numbers in the list that are known to be wrong.

/// A number that is left aside, so that another release or the published rule speaks.
pub struct Wrong {
    /// The model's key.
    pub model: &'static str,
    /// The field of the list.
    pub field: &'static str,
    /// The number, as it stands there. Another one is believed.
    pub number: &'static str,
}

/// Writing for an hour cost twice the input with every model. Until 1.100.0 the list had the six dollars of Sonnet with these
/// three; it mended two of them, and had forgotten the third by then.
pub const WRONG: [Wrong; 3] = [
    Wrong { model: "claude-3-haiku", field: "cache_creation_input_token_cost_above_1hr", number: "6e-06" },
    Wrong { model: "claude-3-opus", field: "cache_creation_input_token_cost_above_1hr", number: "6e-06" },
    Wrong { model: "claude-3-5-haiku", field: "cache_creation_input_token_cost_above_1hr", number: "6e-06" },
];

/// Is the number to be left aside?
pub fn is_wrong(model: &str, field: &str, number: &str) -> bool {
    WRONG.iter().any(|wrong| (wrong.model, wrong.field, wrong.number) == (model, field, number))
}
