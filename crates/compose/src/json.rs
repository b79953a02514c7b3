//! Compact JSON as the client's `JSON.stringify` writes it, straight into bytes.
//!
//! Keys come out in the order of the calls, non-ASCII text stays raw, and only what JSON demands is escaped.
//! There is no check for doubled keys: the caller writes each key once.

/// A finished JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Json(Vec<u8>);

impl Json {
    /// A string.
    pub fn text(text: &str) -> Self {
        let mut bytes = Vec::with_capacity(text.len() + text.len() / 16 + 2);
        escape(&mut bytes, text);
        Self(bytes)
    }

    /// `null`.
    pub fn null() -> Self {
        Self(b"null".to_vec())
    }

    /// `{}`.
    pub fn empty() -> Self {
        Self(b"{}".to_vec())
    }

    /// An array.
    pub fn list<I: IntoIterator<Item = Self>>(items: I) -> Self {
        let mut bytes = vec![b'['];
        for (place, item) in items.into_iter().enumerate() {
            if place > 0 {
                bytes.push(b',');
            }
            bytes.extend_from_slice(&item.0);
        }
        bytes.push(b']');
        Self(bytes)
    }

    /// An array of strings.
    pub fn texts<T: AsRef<str>, I: IntoIterator<Item = T>>(items: I) -> Self {
        Self::list(items.into_iter().map(|item| Self::text(item.as_ref())))
    }

    /// Bytes that are one JSON value already. The caller vouches for it.
    pub fn raw(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// The value's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

impl From<&serde_json::Value> for Json {
    fn from(value: &serde_json::Value) -> Self {
        Self(value.to_string().into_bytes())
    }
}

/// An object in the making; keys keep the order in which they are added.
#[derive(Debug, Clone, Default)]
pub struct Object(Vec<u8>);

impl Object {
    /// No key yet.
    pub fn new() -> Self {
        Self(Vec::with_capacity(512))
    }

    fn key(&mut self, key: &str) {
        self.0.push(if self.0.is_empty() { b'{' } else { b',' });
        escape(&mut self.0, key);
        self.0.push(b':');
    }

    /// A finished value.
    pub fn put(mut self, key: &str, value: &Json) -> Self {
        self.key(key);
        self.0.extend_from_slice(&value.0);
        self
    }

    /// A string.
    pub fn str(mut self, key: &str, value: &str) -> Self {
        self.key(key);
        escape(&mut self.0, value);
        self
    }

    /// A string, or `null`.
    pub fn str_or_null(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.str(key, value),
            None => self.null(key),
        }
    }

    /// A string, or no key at all.
    pub fn str_if(self, key: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.str(key, value),
            None => self,
        }
    }

    /// A finished value, or no key at all.
    pub fn put_if(self, key: &str, value: Option<&Json>) -> Self {
        match value {
            Some(value) => self.put(key, value),
            None => self,
        }
    }

    /// A whole number.
    pub fn num(mut self, key: &str, value: u64) -> Self {
        self.key(key);
        self.0.extend_from_slice(value.to_string().as_bytes());
        self
    }

    /// `true` or `false`.
    pub fn bool(mut self, key: &str, value: bool) -> Self {
        self.key(key);
        self.0.extend_from_slice(if value { b"true" } else { b"false" });
        self
    }

    /// `true`, or no key at all.
    pub fn flag(self, key: &str, value: bool) -> Self {
        if value { self.bool(key, true) } else { self }
    }

    /// `null`.
    pub fn null(mut self, key: &str) -> Self {
        self.key(key);
        self.0.extend_from_slice(b"null");
        self
    }

    /// Hands the object on when a generation has the keys that `more` adds.
    pub fn when(self, condition: bool, more: impl FnOnce(Self) -> Self) -> Self {
        if condition { more(self) } else { self }
    }

    /// The finished object.
    pub fn done(mut self) -> Json {
        if self.0.is_empty() {
            self.0.push(b'{');
        }
        self.0.push(b'}');
        Json(self.0)
    }
}

/// Appends `text` as a JSON string. Runs without a special byte are copied whole.
fn escape(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(b'"');
    let mut rest = text.as_bytes();
    while let Some(at) = rest.iter().position(|byte| *byte < 0x20 || *byte == b'"' || *byte == b'\\') {
        let (plain, tail) = rest.split_at(at);
        bytes.extend_from_slice(plain);
        if let Some((special, after)) = tail.split_first() {
            escape_byte(bytes, *special);
            rest = after;
        }
    }
    bytes.extend_from_slice(rest);
    bytes.push(b'"');
}

fn escape_byte(bytes: &mut Vec<u8>, special: u8) {
    let short = match special {
        b'"' => b'"',
        b'\\' => b'\\',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        8 => b'b',
        12 => b'f',
        _ => {
            bytes.extend_from_slice(format!("\\u{special:04x}").as_bytes());
            return;
        }
    };
    bytes.extend_from_slice(&[b'\\', short]);
}

#[cfg(test)]
mod tests {
    use super::{Json, Object};

    #[test]
    fn text_is_escaped_as_other_writers_do() {
        for text in
            ["", "plain", "a\"b\\c\nd\te\r\u{8}\u{c}\u{1b}[1m\u{7f}", "日本語 😀 \u{2028}", "\\\\\"\""]
        {
            assert_eq!(Json::text(text).as_bytes(), serde_json::Value::from(text).to_string().as_bytes());
        }
    }

    #[test]
    fn keys_keep_the_order_of_the_calls() {
        let json =
            Object::new().str("b", "x").num("a", 7).null("n").bool("t", true).put("o", &Json::empty()).done();
        assert_eq!(json.as_bytes(), br#"{"b":"x","a":7,"n":null,"t":true,"o":{}}"#);
        assert_eq!(Object::new().done().as_bytes(), b"{}");
        assert_eq!(Json::texts(["a", "b"]).as_bytes(), br#"["a","b"]"#);
    }
}
