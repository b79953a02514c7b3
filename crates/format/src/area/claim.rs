//! Where in the store a session's own files can be: the other direction of [`Area::of`].

use super::Area;

/// A place that is a session's if it is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedPath {
    /// The area.
    pub area: Area,
    /// The file or folder, relative to the root. With `prefix`, the folder whose entries it is about.
    pub path: String,
    /// If set, every entry of the folder whose name begins so.
    pub prefix: Option<String>,
}

impl Area {
    /// Where the area keeps what is a session's. For [`Area::Projects`] this needs the session's folder and is told by the
    /// session file itself, so that it has none here.
    pub fn claims(self, session: &str) -> Vec<OwnedPath> {
        let at = |path: String| OwnedPath { area: self, path, prefix: None };
        match self {
            Self::Debug => vec![at(format!("debug/{session}.txt"))],
            Self::FileHistory | Self::SessionEnv | Self::Tasks | Self::ImageCache | Self::Uploads => {
                vec![at(format!("{}/{session}", self.name()))]
            }
            // A background job is named by the first digits of its session.
            Self::Jobs => session.get(..8).map(|short| at(format!("jobs/{short}"))).into_iter().collect(),
            Self::UsageData => ["session-meta", "facets"]
                .map(|folder| at(format!("usage-data/{folder}/{session}.json")))
                .into(),
            Self::Todos => vec![OwnedPath {
                area: self,
                path: self.name().to_owned(),
                prefix: Some(format!("{session}-agent-")),
            }],
            _ => Vec::new(),
        }
    }
}
