//! `orphans`: what belongs to no session any more.

use schemars::JsonSchema;
use scrollback_format::area::Area;
use scrollback_inspect::stock::orphans::{self, Orphans, Ties};
use scrollback_session::error::{AppError, Hint};
use scrollback_session::library::Library;
use serde::{Deserialize, Serialize};

use super::Request;
use crate::desk::Desk;

/// Which orphans to show.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OrphansRequest {
    /// Only this area, by name.
    pub area: Option<String>,
}

impl Request for OrphansRequest {
    type Document = Orphans;

    fn answer(&self, desk: &Desk) -> Result<Orphans, AppError> {
        let area = self.area.as_deref().map(area).transpose()?;
        let (stock, _) = desk.stock()?;
        // Which plans still belong to a session only the lines of sessions say.
        let index = desk.index(&Library::open(stock.roots.clone())?)?;
        let ties = Ties::of(&stock.roots, &index)?;
        let mut found = orphans::orphans(&stock, &ties, &desk.watch());
        if let Some(area) = area {
            found.retain_area(area);
        }
        Ok(found)
    }
}

/// The area of this name.
fn area(name: &str) -> Result<Area, AppError> {
    Area::named(name).ok_or_else(|| {
        let names: Vec<&str> = Area::ALL.iter().map(|area| area.name()).collect();
        AppError::Unsuitable {
            why: format!("no area named '{name}'"),
            hints: vec![Hint::say(format!("areas: {}", names.join(", ")))],
        }
    })
}
