//! Is the archive what it should be? Looks at it as one who downloaded it would.

use std::path::Path;

use super::Release;
use super::archive::{beside, checksum, pack};
use super::contents::Contents;
use crate::environment::Environment;

/// Unpacks it elsewhere, runs the program there, and packs the same once more.
pub fn run(
    environment: &Environment,
    release: &Release,
    contents: &Contents,
    file: &Path,
) -> Result<(), String> {
    let sum = checksum(environment, file)?;
    let written = std::fs::read_to_string(beside(file)).map_err(|cause| cause.to_string())?;
    if !written.starts_with(&sum) {
        return Err(format!("{}: the checksum is not that of the archive", beside(file).display()));
    }
    let folder = environment.home().join("unpacked");
    std::fs::create_dir(&folder).map_err(|cause| format!("{}: {cause}", folder.display()))?;
    let unpacked = environment.command("tar").arg("-xf").arg(file).arg("-C").arg(&folder).status();
    if !unpacked.is_ok_and(|status| status.success()) {
        return Err("tar cannot unpack the archive".to_owned());
    }
    let folder = folder.join(&release.name);
    for (name, bytes) in &contents.files {
        if std::fs::read(folder.join(name)).ok().as_ref() != Some(bytes) {
            return Err(format!("{name} is missing from the archive, or another file"));
        }
    }
    let program = folder.join(if release.windows { "scrollback.exe" } else { "scrollback" });
    for words in [&["--version"][..], &["--sample", "ls"], &["--sample", "show", "last"]] {
        let output = environment.command(&program).args(words).output();
        let output = output.map_err(|cause| format!("{}: {cause}", program.display()))?;
        if !output.status.success() || output.stdout.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("scrollback {} of the archive failed: {said}", words.join(" ")));
        }
        if words == ["--version"] {
            print!("{}", String::from_utf8_lossy(&output.stdout));
        }
    }
    pack(environment, release, contents)?;
    if checksum(environment, file)? != sum {
        return Err("packed twice, the archive differs".to_owned());
    }
    println!("{} files; unpacked, run, and packed again to the same bytes", contents.files.len());
    Ok(())
}
