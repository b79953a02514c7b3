//! Names that the client derives: folders from directories, backups from paths, cached pastes from their content.
//! Every one in the recorded trees must come out as the client wrote it.

use scrollback_format::{digest, folder};
use scrollback_testkit::corpus;
use serde_json::Value;

fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read(path).unwrap();
    text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

#[test]
fn every_session_lies_in_the_folder_of_its_first_directory() {
    let mut checked = 0;
    for version in corpus::VERSIONS {
        for path in corpus::jsonl_files(&corpus::tree(version).join("projects")) {
            let name =
                path.strip_prefix(corpus::tree(version).join("projects")).unwrap().iter().next().unwrap();
            let cwd = lines(&path).iter().find_map(|line| line["cwd"].as_str().map(str::to_owned));
            let moved = lines(&path).iter().any(|line| line["type"] == "relocated");
            if let Some(cwd) = cwd.filter(|_| !moved) {
                assert!(folder::belongs(name.to_str().unwrap(), &cwd), "{version}: {name:?} for {cwd}");
                checked += 1;
            }
        }
    }
    assert!(checked > 400, "{checked}");
}

#[test]
fn every_backup_is_named_by_its_path() {
    let mut checked = 0;
    for version in corpus::VERSIONS {
        for path in corpus::jsonl_files(&corpus::tree(version).join("projects")) {
            let lines = lines(&path);
            let Some(cwd) = lines.iter().find_map(|line| line["cwd"].as_str()) else { continue };
            let tracked =
                lines.iter().filter_map(|line| line["snapshot"]["trackedFileBackups"].as_object()).flatten();
            let deltas =
                lines.iter().filter_map(|line| Some((line["trackingPath"].as_str()?, &line["backup"])));
            let named = tracked.map(|(path, backup)| (path.as_str(), backup)).chain(deltas);
            for (tracking, backup) in named {
                let Some(name) = backup["backupFileName"].as_str() else { continue };
                let absolute = std::path::Path::new(cwd).join(tracking);
                let version = backup["version"].as_u64().unwrap();
                assert_eq!(digest::backup_name(absolute.to_str().unwrap(), version), name);
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn every_cached_paste_is_named_by_its_content() {
    let mut checked = 0;
    for version in corpus::VERSIONS {
        let Ok(entries) = std::fs::read_dir(corpus::tree(version).join("paste-cache")) else { continue };
        for entry in entries.flatten() {
            let content = std::fs::read(entry.path()).unwrap();
            assert_eq!(digest::paste_name(&content), entry.file_name().to_str().unwrap());
            checked += 1;
        }
    }
    assert!(checked >= 6, "{checked}");
}
