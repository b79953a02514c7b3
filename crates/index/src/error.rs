//! What can go wrong with a cache. Whoever meets one of these can still answer from the files.

use std::error::Error;
use std::fmt;

/// An error of the catalogue or the text index.
#[derive(Debug)]
#[non_exhaustive]
pub enum IndexError {
    /// The catalogue failed.
    Catalogue(CatalogueError),
    /// The text index failed.
    Text(TextError),
    /// The cache was written by another version of the program.
    OtherVersion {
        /// The version found.
        found: String,
    },
    /// The lock that one writer holds cannot be had at all.
    Locked(String),
    /// What was stored cannot be what was stored.
    Damaged(&'static str),
}

/// SQLite says no. Which library keeps the catalogue is nobody's business but ours: its error is the cause.
#[derive(Debug)]
pub struct CatalogueError(rusqlite::Error);

/// tantivy says no. Its error is the cause.
#[derive(Debug)]
pub struct TextError(tantivy::TantivyError);

impl CatalogueError {
    fn is_damage(&self) -> bool {
        use rusqlite::{Error, ErrorCode};
        match &self.0 {
            Error::SqliteFailure(code, _) => {
                matches!(code.code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase)
            }
            // A table or column that is missing, a value of another type.
            Error::SqlInputError { .. }
            | Error::InvalidColumnType(..)
            | Error::FromSqlConversionFailure(..) => true,
            _ => false,
        }
    }

    fn is_busy(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        matches!(self.0.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
    }
}

impl TextError {
    fn is_damage(&self) -> bool {
        use tantivy::TantivyError;
        matches!(
            self.0,
            TantivyError::DataCorruption(_)
                | TantivyError::OpenReadError(_)
                | TantivyError::SchemaError(_)
                | TantivyError::IncompatibleIndex(_)
                | TantivyError::InternalError(_)
        )
    }
}

impl IndexError {
    /// Is the cache itself at fault, so that building it anew would help?
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Catalogue(error) => error.is_damage(),
            Self::Text(error) => error.is_damage(),
            Self::OtherVersion { .. } | Self::Damaged(_) => true,
            Self::Locked(_) => false,
        }
    }

    /// What is wrong with SQL of the user's, without the statement that it was made part of.
    pub fn plain(&self) -> String {
        match self {
            Self::Catalogue(CatalogueError(rusqlite::Error::SqlInputError { msg, .. })) => msg.clone(),
            Self::Catalogue(CatalogueError(error)) => match error.sqlite_error_code() {
                Some(rusqlite::ErrorCode::OperationInterrupted) => "the query takes too long".to_owned(),
                Some(rusqlite::ErrorCode::OutOfMemory | rusqlite::ErrorCode::TooBig) => {
                    "the query takes too much memory".to_owned()
                }
                _ => self.to_string(),
            },
            other => other.to_string(),
        }
    }

    /// Is another process at work in it?
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Catalogue(error) if error.is_busy())
    }
}

impl fmt::Display for IndexError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Catalogue(error) => write!(out, "catalogue: {error}"),
            Self::Text(error) => write!(out, "text index: {error}"),
            Self::OtherVersion { found } => write!(out, "the index is of another version ({found})"),
            Self::Locked(why) => out.write_str(why),
            Self::Damaged(what) => write!(out, "the index is damaged: {what}"),
        }
    }
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl Error for IndexError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Catalogue(error) => Some(error),
            Self::Text(error) => Some(error),
            Self::OtherVersion { .. } | Self::Locked(_) | Self::Damaged(_) => None,
        }
    }
}

impl Error for CatalogueError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

impl Error for TextError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

/// For `?` in this crate; a trait cannot be implemented in private, so that it is hidden at least.
#[doc(hidden)]
impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Catalogue(CatalogueError(error))
    }
}

/// For `?` in this crate.
#[doc(hidden)]
impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Text(TextError(error))
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::IndexError;

    #[test]
    fn causes_can_be_followed_and_told_apart_without_their_libraries() {
        let catalogue = IndexError::from(rusqlite::Error::InvalidQuery);
        let text = IndexError::from(tantivy::TantivyError::InternalError("odd".to_owned()));
        for (error, words) in [(&catalogue, "catalogue: "), (&text, "text index: ")] {
            let wrapped = error.source().unwrap();
            assert_eq!(error.to_string(), format!("{words}{wrapped}"));
            assert_eq!(wrapped.source().unwrap().to_string(), wrapped.to_string());
        }
        assert!(!catalogue.is_damage());
        assert!(text.is_damage());
        assert!(IndexError::Locked("no".to_owned()).source().is_none());
    }

    #[test]
    fn a_locked_catalogue_is_busy_and_a_corrupt_one_damaged() {
        let failure =
            |code| IndexError::from(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None));
        let busy = failure(rusqlite::ffi::SQLITE_BUSY);
        assert!(busy.is_busy() && !busy.is_damage());
        let corrupt = failure(rusqlite::ffi::SQLITE_CORRUPT);
        assert!(corrupt.is_damage() && !corrupt.is_busy());
    }
}
