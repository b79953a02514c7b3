//! What clients leave in the temporary directory.

use super::{Area, Filed, Owner, Reading};
use crate::id::{SessionId, is_uuid};

/// What a path below the temporary directory is, parts separated by `/`.
pub(super) fn of(path: &str) -> Option<Filed<'_>> {
    let parts: Vec<&str> = path.split('/').collect();
    let (first, inside) = parts.split_first()?;
    let filed = |owner, folder| Filed {
        area: Area::Scratch,
        owner,
        folder,
        reading: Reading::of_name(path),
        known: true,
        secret: false,
    };
    if *first == "cc-socks" || number_after(first, "cc-daemon-") {
        return Some(filed(Owner::None, None));
    }
    if *first != "claude" && !number_after(first, "claude-") {
        return None;
    }
    Some(match inside {
        [folder, session, ..] if is_uuid(session) => {
            filed(Owner::Session(SessionId::new(*session)), Some(*folder))
        }
        [folder, ..] => filed(Owner::Project((*folder).into()), Some(*folder)),
        [] => filed(Owner::None, None),
    })
}

fn number_after(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use crate::area::Area;

    #[test]
    fn output_of_tasks_knows_its_project_and_its_session() {
        let session = "58af5b17-64c4-48a6-a208-ec4e531b27c3";
        let path = format!("claude-0/-home-dev/{session}/tasks/b1.output");
        let filed = Area::of_scratch(&path).unwrap();
        assert_eq!((filed.owner.session().unwrap().as_str(), filed.folder), (session, Some("-home-dev")));
        assert_eq!(Area::of_scratch("claude/-home-dev/tasks/b1.output").unwrap().owner.kind(), "project");
        assert!(Area::of_scratch("cc-daemon-0/x.sock").is_some());
        for path in ["", "claude-x/a", "claude-/a", "clauder/a", "other"] {
            assert_eq!(Area::of_scratch(path), None, "{path}");
        }
    }
}
