//! Rows of tables as plain structs: one declaration makes the struct, its column list, and reading and binding.

/// Declares a row of a table. The doc comments are what `scrollback index tables` prints.
macro_rules! row {
    ($(#[doc = $about:literal])* $name:ident of $table:literal { $( $(#[doc = $doc:literal])* $field:ident: $type:ty, )* }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name { $( $(#[doc = $doc])* pub $field: $type, )* }

        impl $name {
            /// The columns, each with what it holds.
            pub const COLUMNS: &'static [(&'static str, &'static str)] =
                &[$( (stringify!($field), concat!($($doc),*)) ),*];

            /// What the table holds.
            pub const ABOUT: &'static str = concat!($($about),*);

            /// The columns as SQL lists them.
            pub const LIST: &'static str = {
                const LONG: &str = concat!($( ", ", stringify!($field) ),*);
                LONG.split_at(2).1
            };

            /// Reads a row that was selected by [`Self::LIST`].
            pub(crate) fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
                let mut at = 0..;
                Ok(Self { $( $field: row.get(at.next().unwrap_or(0))? ),* })
            }

            /// Puts the row into its table, in place of one with the same key.
            pub(crate) fn put(&self, connection: &rusqlite::Connection) -> rusqlite::Result<()> {
                const MARKS: &str = concat!($( ", :", stringify!($field) ),*);
                let list = Self::LIST;
                let marks = MARKS.split_at(2).1;
                let sql = format!("INSERT OR REPLACE INTO {} ({list}) VALUES ({marks})", $table);
                connection.prepare_cached(&sql)?.execute(rusqlite::params![$( self.$field ),*])?;
                Ok(())
            }
        }
    };
}

pub(crate) use row;
