//! What can go wrong with a cache. Whoever meets one of these can still answer from the files.

use std::fmt;

/// An error of the catalogue or the text index.
#[derive(Debug)]
pub enum IndexError {
    /// SQLite says no.
    Catalogue(rusqlite::Error),
    /// tantivy says no.
    Text(tantivy::TantivyError),
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

impl IndexError {
    /// Is the cache itself at fault, so that building it anew would help?
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Catalogue(rusqlite::Error::SqliteFailure(code, _)) => {
                matches!(code.code, rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase)
            }
            // A table or column that is missing, a value of another type.
            Self::Catalogue(rusqlite::Error::SqlInputError { .. })
            | Self::Catalogue(rusqlite::Error::InvalidColumnType(..))
            | Self::Catalogue(rusqlite::Error::FromSqlConversionFailure(..)) => true,
            Self::Catalogue(_) => false,
            Self::Text(error) => matches!(
                error,
                tantivy::TantivyError::DataCorruption(_)
                    | tantivy::TantivyError::OpenReadError(_)
                    | tantivy::TantivyError::SchemaError(_)
                    | tantivy::TantivyError::IncompatibleIndex(_)
                    | tantivy::TantivyError::InternalError(_)
            ),
            Self::OtherVersion { .. } | Self::Damaged(_) => true,
            Self::Locked(_) => false,
        }
    }

    /// What is wrong with SQL of the user's, without the statement that it was made part of.
    pub fn plain(&self) -> String {
        match self {
            Self::Catalogue(rusqlite::Error::SqlInputError { msg, .. }) => msg.clone(),
            Self::Catalogue(error) => match error.sqlite_error_code() {
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
        matches!(self, Self::Catalogue(error) if matches!(
            error.sqlite_error_code(),
            Some(rusqlite::ErrorCode::DatabaseBusy | rusqlite::ErrorCode::DatabaseLocked)
        ))
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

impl std::error::Error for IndexError {}

impl From<rusqlite::Error> for IndexError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Catalogue(error)
    }
}

impl From<tantivy::TantivyError> for IndexError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Text(error)
    }
}
