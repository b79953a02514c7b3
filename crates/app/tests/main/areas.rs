//! Every file of every recorded store has a known area and the owner that its lines and neighbours confirm.

mod following;
mod input;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use scrollback_format::area::{Area, Owner};
use scrollback_store::belonging::belongings;
use scrollback_store::inventory::TreeItemKind;
use scrollback_store::{Inventory, Root};
use scrollback_testkit::corpus;

/// The note on a recording that is beside what the client wrote.
const OURS: &str = "MANIFEST.md";

fn inventory(version: &str) -> (Root, Inventory) {
    let root = Root::new(corpus::tree(version));
    let mut inventory = Inventory::of(&root);
    assert!(inventory.troubles.is_empty(), "{:?}", inventory.troubles);
    inventory.items.retain(|item| item.path != OURS);
    (root, inventory)
}

#[test]
fn every_recorded_file_has_a_known_area_and_owner() {
    let mut told = String::new();
    for version in corpus::VERSIONS {
        let (_, inventory) = inventory(version);
        let mut counts: BTreeMap<(Area, &str, &str), u64> = BTreeMap::new();
        for item in inventory.items.iter().filter(|item| item.kind != TreeItemKind::Folder) {
            let filed = item.filed();
            assert!(filed.known && filed.area != Area::Unknown, "{version}: {}", item.path);
            *counts.entry((filed.area, filed.owner.kind(), filed.reading.name())).or_default() += 1;
        }
        writeln!(told, "{version}").unwrap();
        for ((area, owner, reading), count) in counts {
            writeln!(told, "  {:<16} {owner:<8} {reading:<13} {count}", area.name()).unwrap();
        }
    }
    insta::assert_snapshot!("areas_of_recorded_stores", told);
}

#[test]
fn every_recorded_folder_has_a_known_area_too() {
    for version in corpus::VERSIONS {
        for item in inventory(version).1.items.iter().filter(|item| item.kind == TreeItemKind::Folder) {
            let filed = item.filed();
            assert!(filed.known && filed.area != Area::Unknown, "{version}: {}", item.path);
        }
    }
}

#[test]
fn what_paths_say_of_owners_is_what_a_session_is_told_to_have() {
    for version in corpus::VERSIONS {
        let (root, inventory) = inventory(version);
        let mut by_session: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        // A session that moved may have a file in two folders.
        let mut files: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
        for item in &inventory.items {
            let filed = item.filed();
            let Some(session) = filed.owner.session() else { continue };
            if item.kind != TreeItemKind::Folder {
                by_session.entry(session.to_string()).or_default().insert(item.path.clone());
            }
            if filed.owner == Owner::Session(session.clone()) && item.path.ends_with(".jsonl") {
                files.entry(session.to_string()).or_default().push(root.path().join(&item.path));
            }
        }
        for (session, owned) in by_session {
            let Some(found) = files.get(&session) else { continue };
            let own: Vec<_> = found.iter().flat_map(|file| belongings(&root, &session, file)).collect();
            for path in owned {
                let whole = root.path().join(&path);
                assert!(own.iter().any(|own| whole.starts_with(&own.path)), "{version}: {path}");
            }
        }
    }
}

#[test]
fn agents_belong_to_the_session_that_their_lines_name() {
    for version in corpus::VERSIONS {
        let (root, inventory) = inventory(version);
        for item in inventory.area(Area::Projects).filter(|item| item.path.ends_with(".jsonl")) {
            let filed = item.filed();
            let Owner::Agent { session: Some(session), .. } = &filed.owner else { continue };
            let text = std::fs::read_to_string(root.path().join(&item.path)).unwrap();
            let named = format!("\"sessionId\":\"{session}\"");
            assert!(text.is_empty() || text.contains(&named), "{version}: {}", item.path);
        }
    }
}

#[test]
fn the_page_about_areas_has_every_one() {
    let page = std::fs::read_to_string(scrollback_testkit::workspace().join("docs/areas.md")).unwrap();
    for area in Area::ALL {
        assert!(page.contains(&format!("\n| `{}` |", area.name())), "{}", area.name());
    }
}
