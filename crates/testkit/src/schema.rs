//! A judge of JSON documents that is not ours: the JSON Schema validator `boon`.

use serde_json::Value;

/// A schema, ready to judge with.
pub struct Validator {
    schemas: boon::Schemas,
    root: boon::SchemaIndex,
}

impl Validator {
    /// Compiles a schema; the error says what is wrong with it.
    pub fn compile(schema: Value) -> Result<Self, String> {
        const PLACE: &str = "http://schemas.invalid/document.json";
        let mut compiler = boon::Compiler::new();
        compiler.add_resource(PLACE, schema).map_err(|error| error.to_string())?;
        let mut schemas = boon::Schemas::new();
        let root = compiler.compile(PLACE, &mut schemas).map_err(|error| format!("{error:#}"))?;
        Ok(Self { schemas, root })
    }

    /// Judges a document; the error lists every place that does not hold.
    pub fn judge(&self, document: &Value) -> Result<(), String> {
        self.schemas.validate(document, self.root).map_err(|error| format!("{error:#}"))
    }
}
