//! Documents: what requests are answered with, as typed values that every front and every program reads the same.
//!
//! A document serializes to JSON that parses back to the same value, and has a JSON Schema made from its type. On the
//! wire an object begins with `"schema": "<name>/<version>"`; a document that is a list has no place for it.
//! The version goes up when a field is removed or changes its meaning; fields may be added at any time.

use std::cell::RefCell;
use std::io;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

/// An answer.
pub trait Document: Serialize + DeserializeOwned + JsonSchema {
    /// Its name, that of the command that prints it.
    const NAME: &'static str;
    /// Its version.
    const VERSION: u32;
    /// Is it a list, which has no room for its name?
    const IS_LIST: bool = false;
}

/// What is known of a document without a value of it.
#[derive(Clone, Copy)]
pub struct DocumentKind {
    /// Its name.
    pub name: &'static str,
    /// Its version.
    pub version: u32,
    /// Is it a list?
    pub is_list: bool,
    /// What it holds, in a sentence.
    pub about: &'static str,
    schema: fn() -> Schema,
    reprint: fn(&str) -> Result<String, serde_json::Error>,
}

impl DocumentKind {
    /// What is known of `D`.
    pub const fn of<D: Document>(about: &'static str) -> Self {
        let (name, version, is_list) = (D::NAME, D::VERSION, D::IS_LIST);
        Self { name, version, is_list, about, schema: schema::<D>, reprint: reprint::<D> }
    }

    /// Its JSON Schema.
    pub fn schema(&self) -> Schema {
        (self.schema)()
    }

    /// Parses a printed document and prints it again: the same text, if nothing was lost.
    pub fn reprint(&self, json: &str) -> Result<String, serde_json::Error> {
        (self.reprint)(json)
    }
}

/// A document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentView {
    /// Its name.
    pub name: String,
    /// Its version; it goes up when a field is removed or changes its meaning.
    pub version: u32,
    /// Is it a list, which has no room for `schema`?
    pub is_list: bool,
    /// What it holds.
    pub about: String,
}

/// A document with its name before it, as it is printed.
#[derive(Serialize)]
struct Named<'d, D> {
    schema: String,
    #[serde(flatten)]
    document: &'d D,
}

/// The name that a document is printed with.
pub fn label<D: Document>() -> String {
    format!("{}/{}", D::NAME, D::VERSION)
}

/// Writes a document as JSON, indented, with a line end.
pub fn write<D: Document>(out: &mut impl io::Write, document: &D) -> io::Result<()> {
    if D::IS_LIST {
        return write_value(out, document);
    }
    write_value(out, &Named { schema: label::<D>(), document })
}

/// Writes what serializes like the document `D`, such as one whose items come one by one.
pub fn write_like<D: Document>(out: &mut impl io::Write, document: &impl Serialize) -> io::Result<()> {
    write_value(out, &Named { schema: label::<D>(), document })
}

fn write_value(out: &mut impl io::Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, value)?;
    out.write_all(b"\n")
}

fn schema<D: Document>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<D>();
    let label = label::<D>();
    schema.insert("$id".to_owned(), format!("urn:scrollback:{label}").into());
    if !D::IS_LIST {
        let named =
            serde_json::json!({ "const": label, "description": "The name and version of this document." });
        if let Some(properties) = schema.get_mut("properties").and_then(|found| found.as_object_mut()) {
            properties.insert("schema".to_owned(), named);
        }
        if let Some(required) = schema.get_mut("required").and_then(|found| found.as_array_mut()) {
            required.insert(0, "schema".into());
        }
    }
    schema
}

fn reprint<D: Document>(json: &str) -> Result<String, serde_json::Error> {
    let document: D = serde_json::from_str(json)?;
    let mut text = Vec::new();
    write(&mut text, &document).map_err(serde::ser::Error::custom)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Items that are serialized one by one as they come, so that a long document never stands in memory as a whole.
///
/// An item that is an error ends the document; [`Items::failure`] then has it.
pub struct Items<I, E> {
    items: RefCell<I>,
    failure: RefCell<Option<E>>,
}

impl<T, E, I: Iterator<Item = Result<T, E>>> Items<I, E> {
    /// Items of this iterator.
    pub fn new(items: I) -> Self {
        Self { items: RefCell::new(items), failure: RefCell::new(None) }
    }

    /// Why there are no more, if that is not because all came.
    pub fn failure(&self) -> Option<E> {
        self.failure.borrow_mut().take()
    }
}

impl<T: Serialize, E, I: Iterator<Item = Result<T, E>>> Serialize for Items<I, E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for item in self.items.borrow_mut().by_ref() {
            match item {
                Ok(item) => list.serialize_element(&item)?,
                Err(error) => {
                    *self.failure.borrow_mut() = Some(error);
                    return Err(serde::ser::Error::custom("an item could not be had"));
                }
            }
        }
        list.end()
    }
}
