//! The archive as bytes: the same contents give the same bytes.
//!
//! A tar file is written here, since the programs that write one differ in how they are told to leave out owners and
//! times; `gzip` compresses it. On Windows its own `tar` makes a zip file of the files with their times fixed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use super::Release;
use super::contents::Contents;
use crate::environment::Environment;

/// 2020-01-01, the time of every file: a zip file cannot say a time before 1980.
const TIME: u64 = 1_577_836_800;
const BLOCK: usize = 512;

/// Writes the archive and its checksum, and gives the archive's path.
pub fn pack(environment: &Environment, release: &Release, contents: &Contents) -> Result<PathBuf, String> {
    let ending = if release.windows { "zip" } else { "tar.gz" };
    let file = release.folder.join(format!("{}.{ending}", release.name));
    if release.windows {
        zip(environment, release, contents, &file)?;
    } else {
        let bytes = gzip(environment, tar(&release.name, contents)?)?;
        write(&file, &bytes)?;
    }
    let sum = checksum(environment, &file)?;
    write(&beside(&file), format!("{sum}  {}.{ending}\n", release.name).as_bytes())?;
    Ok(file)
}

/// The file that holds the checksum of another, as `sha256sum --check` reads it.
pub fn beside(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".sha256");
    name.into()
}

/// The SHA-256 of a file, by whichever program of the system counts it.
pub fn checksum(environment: &Environment, file: &Path) -> Result<String, String> {
    let programs: [(&str, &[&str], &[&str]); 3] =
        [("sha256sum", &[], &[]), ("shasum", &["-a", "256"], &[]), ("certutil", &["-hashfile"], &["SHA256"])];
    for (program, before, after) in programs {
        let output = environment.command(program).args(before).arg(file).args(after).output();
        let Ok(output) = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()) else {
            continue;
        };
        let is_sum = |word: &&str| word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Some(sum) = output.split_whitespace().find(is_sum) {
            return Ok(sum.to_lowercase());
        }
    }
    Err("no sha256sum, shasum or certutil".to_owned())
}

/// A tar file in the old format that every program reads.
fn tar(folder: &str, contents: &Contents) -> Result<Vec<u8>, String> {
    let mut tar = Vec::new();
    for (name, bytes) in &contents.files {
        let mode = if name == "scrollback" { 0o755 } else { 0o644 };
        tar.extend_from_slice(&header(&format!("{folder}/{name}"), mode, bytes.len())?);
        tar.extend_from_slice(bytes);
        tar.resize(tar.len().next_multiple_of(BLOCK), 0);
    }
    // Two empty blocks end it.
    tar.resize(tar.len() + 2 * BLOCK, 0);
    Ok(tar)
}

/// The block before a file: its name, rights, size and a sum over all of them, in octal digits.
fn header(name: &str, mode: u32, size: usize) -> Result<[u8; BLOCK], String> {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    if name.len() > 100 {
        return Err(format!("{name}: too long for an archive"));
    }
    put(0, name.as_bytes());
    put(100, format!("{mode:07o}").as_bytes());
    put(108, b"0000000\x000000000");
    put(124, format!("{size:011o}").as_bytes());
    put(136, format!("{TIME:011o}").as_bytes());
    put(156, b"0");
    put(257, b"ustar\x0000");
    // The sum is taken as if its own field were blank.
    put(148, b"        ");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

fn gzip(environment: &Environment, tar: Vec<u8>) -> Result<Vec<u8>, String> {
    let mut command = environment.command("gzip");
    command.args(["-n", "-9", "-c"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|cause| format!("gzip: {cause}"))?;
    let mut input = child.stdin.take().ok_or("gzip takes no input")?;
    // Beside the reading, or both would wait for each other.
    let writer = std::thread::spawn(move || input.write_all(&tar));
    let output = child.wait_with_output().map_err(|cause| format!("gzip: {cause}"))?;
    match writer.join() {
        Ok(Ok(())) if output.status.success() => Ok(output.stdout),
        _ => Err("gzip failed".to_owned()),
    }
}

/// Lays the files out below the temporary home and has them packed.
fn zip(environment: &Environment, release: &Release, contents: &Contents, file: &Path) -> Result<(), String> {
    let folder = environment.home().join(&release.name);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(TIME);
    let mut names = Vec::new();
    for (name, bytes) in &contents.files {
        let path = folder.join(name);
        path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|cause| format!("{name}: {cause}"))?;
        write(&path, bytes)?;
        let opened = std::fs::File::options().write(true).open(&path);
        opened.and_then(|file| file.set_modified(time)).map_err(|cause| format!("{name}: {cause}"))?;
        names.push(format!("{}/{name}", release.name));
    }
    let mut command = environment.command("tar");
    command.current_dir(environment.home()).args(["-a", "-c", "-f"]).arg(file).args(names);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err("tar failed to write a zip file".to_owned()),
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|cause| format!("{}: {cause}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn contents() -> Contents {
        let files =
            [("scrollback", &b"program"[..]), ("README.md", b"text\n"), ("man/man1/a.1", &[b'x'; 512])];
        Contents { files: BTreeMap::from(files.map(|(name, bytes)| (name.to_owned(), bytes.to_vec()))) }
    }

    #[test]
    fn a_tar_file_is_whole_blocks_with_true_sums() {
        let tar = tar("scrollback-1-x", &contents()).unwrap();
        assert_eq!(tar.len(), (2 + 2 + 2 + 2) * BLOCK);
        assert!(tar.starts_with(b"scrollback-1-x/README.md\0"));
        let sum = u32::from_str_radix(std::str::from_utf8(&tar[148..154]).unwrap(), 8).unwrap();
        let counted: u32 =
            (0..BLOCK).map(|at| if (148..156).contains(&at) { 32 } else { u32::from(tar[at]) }).sum();
        assert_eq!(sum, counted);
    }

    #[test]
    fn another_program_reads_the_archive() {
        let bytes = tar("folder", &contents()).unwrap();
        let environment = Environment::hermetic().unwrap();
        let file = environment.home().join("a.tar");
        write(&file, &bytes).unwrap();
        let listed = environment.command("tar").arg("-tvf").arg(&file).output().unwrap();
        let text = String::from_utf8(listed.stdout).unwrap();
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(
            text.lines().any(|line| line.starts_with("-rwxr-xr-x") && line.ends_with("folder/scrollback")),
            "{text}"
        );
        assert!(
            text.lines().any(|line| line.starts_with("-rw-r--r--") && line.ends_with("folder/man/man1/a.1")),
            "{text}"
        );
    }

    #[test]
    fn names_that_do_not_fit_are_refused() {
        assert!(header(&"x".repeat(101), 0o644, 0).is_err());
    }
}
