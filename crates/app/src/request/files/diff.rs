//! `files diff`: two versions of files compared, or a version with the file on disk.

use std::path::Path;

use schemars::JsonSchema;
use scrollback_files::diff::{Comparison, FileDiff, Side, Spec};
use scrollback_session::catalogue::Index;
use scrollback_session::error::{AppError, Input, invalid};
use serde::{Deserialize, Serialize};

use super::{Request, WhichRequest, at};
use crate::desk::Desk;

/// What to compare.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct FilesDiffRequest {
    /// `PATH@AT` is a recorded version, `PATH@` the newest one; `PATH` alone is the file on disk.
    pub from: String,
    /// The same; `@AT` is another version of the first file. If none is given: the first file on disk, or its newest
    /// version if it is not there.
    pub to: Option<String>,
    /// How paths are looked up.
    #[serde(flatten)]
    pub which: WhichRequest,
}

impl FilesDiffRequest {
    /// Finds both sides, with their bytes.
    pub fn open(&self, desk: &Desk) -> Result<Comparison, AppError> {
        let library = desk.library()?;
        let index = desk.index(&library)?;
        let from = self.side(desk, &index, &self.from, None)?;
        let to = match &self.to {
            Some(to) => self.side(desk, &index, to, Some(&from.path))?,
            None => match on_disk(desk, &from.path)? {
                Side { bytes: None, .. } => self.side(desk, &index, &format!("{}@", from.path), None)?,
                there => there,
            },
        };
        Ok(Comparison { from, to })
    }

    fn side(&self, desk: &Desk, index: &Index, text: &str, other: Option<&str>) -> Result<Side, AppError> {
        let here = desk.cwd.as_ref().map_or_else(|| text.into(), |cwd| cwd.join(text));
        let (path, version) = match Spec::of(text) {
            // A name may hold the sign itself.
            Spec { at: Some(_), .. } if here.is_file() => return there(desk, text),
            Spec { at: None, .. } => return there(desk, text),
            Spec { path, at: Some(at) } => (path, at),
        };
        let path = match (path.is_empty(), other) {
            (false, _) => path,
            (true, Some(other)) => other,
            (true, None) => return Err(invalid(Input::FileVersion, text, "PATH@AT")),
        };
        let at = at(desk, version)?;
        Side::recorded(self.which.find(desk, index, path)?.at(at)?)
    }
}

impl Request for FilesDiffRequest {
    type Document = FileDiff;

    fn answer(&self, desk: &Desk) -> Result<FileDiff, AppError> {
        Ok(self.open(desk)?.document())
    }
}

/// A file that was named as it is on disk, and has to be there.
fn there(desk: &Desk, path: &str) -> Result<Side, AppError> {
    let side = on_disk(desk, path)?;
    if side.bytes.is_some() {
        return Ok(side);
    }
    Err(AppError::NotOnDisk { path: side.path, named: path.to_owned() })
}

fn on_disk(desk: &Desk, path: &str) -> Result<Side, AppError> {
    Side::on_disk(desk.cwd.as_ref().map_or_else(|| Path::new(path).to_owned(), |cwd| cwd.join(path)))
}
