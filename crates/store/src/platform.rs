//! What differs between platforms: modes, links that are not followed, renames that do not replace.

#![allow(
    clippy::disallowed_methods,
    reason = "called by `disk` and `guard` alone, for which it is the lower half"
)]

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;

#[cfg(unix)]
mod unix {
    use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::Path;

    use rustix::fs::OFlags;

    /// A link in the last place is an error, not a detour.
    pub fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
        options.custom_flags((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed())
    }

    /// Opens a file to read it; a link in the last place is an error.
    pub fn open_no_follow(path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed()).open(path)
    }

    /// Opens a file to read it if no part of its path is a link. None: one is, or it cannot be opened, or told.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub fn open_without_links(path: &Path) -> Option<File> {
        use rustix::fs::{CWD, Mode, ResolveFlags, openat2};
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        loop {
            match openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS) {
                Ok(file) => return Some(file.into()),
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return None,
            }
        }
    }

    /// Not available in a single call here.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub fn open_without_links(_path: &Path) -> Option<File> {
        None
    }

    /// Has the file more than one name?
    pub fn has_other_names(meta: &Metadata) -> bool {
        meta.is_file() && meta.nlink() > 1
    }

    /// What identifies a file.
    pub fn identity(meta: &Metadata) -> Option<(u64, u64)> {
        Some((meta.dev(), meta.ino()))
    }

    /// A new file is the user's alone.
    pub fn private(options: &mut OpenOptions) {
        options.mode(0o600);
    }

    /// A new folder is the user's alone.
    pub fn private_dir(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder.mode(0o700)
    }

    pub fn sync_dir(path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    pub fn set_mode(file: &File, mode: u32) -> io::Result<()> {
        file.set_permissions(Permissions::from_mode(mode & 0o7777))
    }

    pub fn mode(meta: &Metadata) -> u32 {
        meta.mode() & 0o7777
    }

    pub fn device(path: &Path) -> io::Result<u64> {
        fs::metadata(path).map(|meta| meta.dev())
    }

    pub fn symlink(target: &Path, path: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(target, path)
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            // A file system that knows no such rename.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => plain_rename_new(from, to),
            other => Ok(other?),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
        plain_rename_new(from, to)
    }

    /// A file by a second name and the loss of the first: a link never replaces. A folder by a look before.
    fn plain_rename_new(from: &Path, to: &Path) -> io::Result<()> {
        if fs::symlink_metadata(from)?.is_file() {
            fs::hard_link(from, to)?;
            return fs::remove_file(from);
        }
        if fs::symlink_metadata(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(from, to)
    }
}

#[cfg(not(unix))]
mod other {
    use std::fs::{self, DirBuilder, File, Metadata, OpenOptions};
    use std::io;
    use std::path::Path;

    pub fn no_follow(options: &mut OpenOptions) -> &mut OpenOptions {
        options
    }

    pub fn open_no_follow(path: &Path) -> io::Result<File> {
        File::open(path)
    }

    pub fn open_without_links(_path: &Path) -> Option<File> {
        None
    }

    /// Not available in the standard library: paths without links have to do.
    pub fn has_other_names(_meta: &Metadata) -> bool {
        false
    }

    pub fn identity(_meta: &Metadata) -> Option<(u64, u64)> {
        None
    }

    pub fn private(_options: &mut OpenOptions) {}

    pub fn private_dir(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder
    }

    pub fn sync_dir(_path: &Path) -> io::Result<()> {
        Ok(())
    }

    pub fn set_mode(_file: &File, _mode: u32) -> io::Result<()> {
        Ok(())
    }

    pub fn mode(_meta: &Metadata) -> u32 {
        0
    }

    /// Not available in the standard library: a rename that cannot be is then an error of its own.
    pub fn device(path: &Path) -> io::Result<u64> {
        fs::metadata(path).map(|_| 0)
    }

    pub fn symlink(_target: &Path, _path: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
        if fs::symlink_metadata(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(from, to)
    }
}
