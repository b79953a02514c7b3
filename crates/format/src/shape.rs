//! Shapes: which fields an object has, and of which types. One declaration makes a typed view and its shape.
//!
//! A *closed* shape lists every field that a client was seen to write, so that a new one is news. An *open* shape
//! names the fields we use of an object whose other keys are not all known to us, or are data.

use crate::json::{Type, Value};

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(u8);

impl Types {
    /// A string.
    pub const TEXT: Self = Self(1);
    /// A number.
    pub const NUMBER: Self = Self(2);
    /// True or false.
    pub const BOOL: Self = Self(4);
    /// A list.
    pub const LIST: Self = Self(8);
    /// An object.
    pub const OBJECT: Self = Self(16);
    /// Anything.
    pub const ANY: Self = Self(31);

    /// Either set.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// May a value of this type stand here? `null` may stand anywhere: the client writes it for "none".
    pub fn accepts(self, kind: Type) -> bool {
        let bit = match kind {
            Type::Null => return true,
            Type::String => Self::TEXT,
            Type::Number => Self::NUMBER,
            Type::Bool => Self::BOOL,
            Type::Array => Self::LIST,
            Type::Object => Self::OBJECT,
        };
        self.0 & bit.0 != 0
    }

    /// The types in words, `string or array`.
    pub fn words(self) -> String {
        let all = [
            (Self::TEXT, "string"),
            (Self::NUMBER, "number"),
            (Self::BOOL, "bool"),
            (Self::LIST, "array"),
            (Self::OBJECT, "object"),
        ];
        let names: Vec<_> =
            all.iter().filter(|(bit, _)| self.0 & bit.0 != 0).map(|(_, name)| *name).collect();
        if names.len() == all.len() { "anything".into() } else { names.join(" or ") }
    }
}

/// What is inside a field's value.
#[derive(Debug, Clone, Copy)]
pub enum Inside {
    /// Nothing to look into: a scalar, or an object or list whose keys are data.
    Leaf,
    /// An object of this shape.
    Object(&'static Shape),
    /// A list of objects of this shape.
    Items(&'static Shape),
    /// Message content: a string, or a list of blocks, each with the shape of its type.
    Content,
}

/// One field of a shape.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Its key on disk.
    pub key: &'static str,
    /// The types that it may have.
    pub accepts: Types,
    /// What is inside it.
    pub inside: Inside,
}

/// The fields of an object.
#[derive(Debug)]
pub struct Shape {
    /// Its name in FORMAT.md.
    pub name: &'static str,
    /// Are these all the fields there are?
    pub closed: bool,
    /// The fields that are known.
    pub fields: &'static [Field],
}

/// A typed view over an object that has a shape.
pub trait Shaped<'a>: Copy {
    /// The shape.
    const SHAPE: &'static Shape;
    /// The view over this value.
    fn over(value: Value<'a>) -> Self;
    /// The object itself, with what the view does not know.
    fn value(self) -> Value<'a>;
}

/// Declares typed views: `Name "name in FORMAT.md" closed { method: "key" type, … }`.
///
/// Types: `text`, `u64`, `f64`, `bool`, `any`, `open` (an object whose keys are data), `list` (of anything),
/// `object(View)`, `items(View)`, `content`, `result` (object, string or list).
macro_rules! view {
    ($( $(#[$doc:meta])* $name:ident $title:literal $closed:ident {
        $( $method:ident : $key:literal $kind:ident $( ( $inner:ident ) )? ),* $(,)?
    } )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<'a>($crate::json::Value<'a>);

        impl<'a> $name<'a> {
            $(
                #[doc = concat!("The field `", $key, "`, if it is there and of its type.")]
                pub fn $method(self) -> $crate::shape::view!(@returns 'a $kind $( $inner )?) {
                    $crate::shape::view!(@get self.0, $key, $kind $( $inner )?)
                }
            )*
        }

        impl<'a> $crate::shape::Shaped<'a> for $name<'a> {
            const SHAPE: &'static $crate::shape::Shape = &$crate::shape::Shape {
                name: $title,
                closed: $crate::shape::view!(@closed $closed),
                fields: &[ $( $crate::shape::Field {
                    key: $key,
                    accepts: $crate::shape::view!(@accepts $kind),
                    inside: $crate::shape::view!(@inside $kind $( $inner )?),
                } ),* ],
            };
            fn over(value: $crate::json::Value<'a>) -> Self { Self(value) }
            fn value(self) -> $crate::json::Value<'a> { self.0 }
        }
    )* };

    (@closed closed) => { true };
    (@closed open) => { false };

    (@returns $l:lifetime text) => { Option<$crate::json::Text<$l>> };
    (@returns $l:lifetime u64) => { Option<u64> };
    (@returns $l:lifetime f64) => { Option<f64> };
    (@returns $l:lifetime bool) => { Option<bool> };
    (@returns $l:lifetime object $inner:ident) => { Option<$inner<$l>> };
    (@returns $l:lifetime items $inner:ident) => { impl Iterator<Item = $inner<$l>> + use<$l> };
    (@returns $l:lifetime content) => { Option<$crate::content::Content<$l>> };
    (@returns $l:lifetime $other:ident) => { Option<$crate::json::Value<$l>> };

    (@get $v:expr, $key:literal, text) => { $v.get($key)?.text() };
    (@get $v:expr, $key:literal, u64) => { $v.get($key)?.u64() };
    (@get $v:expr, $key:literal, f64) => { $v.get($key)?.f64() };
    (@get $v:expr, $key:literal, bool) => { $v.get($key)?.bool() };
    (@get $v:expr, $key:literal, list) => {
        $v.get($key).filter(|value| value.kind() == $crate::json::Type::Array)
    };
    (@get $v:expr, $key:literal, open) => {
        $v.get($key).filter(|value| value.kind() == $crate::json::Type::Object)
    };
    (@get $v:expr, $key:literal, object $inner:ident) => {
        $v.get($key)
            .filter(|value| value.kind() == $crate::json::Type::Object)
            .map(|value| <$inner<'a> as $crate::shape::Shaped<'a>>::over(value))
    };
    (@get $v:expr, $key:literal, items $inner:ident) => {
        $v.get($key)
            .into_iter()
            .flat_map(|value| value.items())
            .filter(|value| value.kind() == $crate::json::Type::Object)
            .map(|value| <$inner<'a> as $crate::shape::Shaped<'a>>::over(value))
    };
    (@get $v:expr, $key:literal, content) => {
        $v.get($key).and_then($crate::content::Content::of)
    };
    (@get $v:expr, $key:literal, $other:ident) => { $v.get($key).filter(|value| !value.is_null()) };

    (@accepts text) => { $crate::shape::Types::TEXT };
    (@accepts u64) => { $crate::shape::Types::NUMBER };
    (@accepts f64) => { $crate::shape::Types::NUMBER };
    (@accepts bool) => { $crate::shape::Types::BOOL };
    (@accepts list) => { $crate::shape::Types::LIST };
    (@accepts items) => { $crate::shape::Types::LIST };
    (@accepts open) => { $crate::shape::Types::OBJECT };
    (@accepts object) => { $crate::shape::Types::OBJECT };
    (@accepts content) => { $crate::shape::Types::TEXT.or($crate::shape::Types::LIST) };
    (@accepts result) => {
        $crate::shape::Types::TEXT.or($crate::shape::Types::LIST).or($crate::shape::Types::OBJECT)
    };
    (@accepts any) => { $crate::shape::Types::ANY };

    (@inside object $inner:ident) => {
        $crate::shape::Inside::Object(<$inner<'static> as $crate::shape::Shaped<'static>>::SHAPE)
    };
    (@inside items $inner:ident) => {
        $crate::shape::Inside::Items(<$inner<'static> as $crate::shape::Shaped<'static>>::SHAPE)
    };
    (@inside content) => { $crate::shape::Inside::Content };
    (@inside $other:ident) => { $crate::shape::Inside::Leaf };
}
pub(crate) use view;
