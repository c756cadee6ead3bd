//! Reads the files that options name, with a cure if that fails.
//!
//! Reading never blocks: a named pipe without a writer is empty. Devices are not read at all, since some have no end.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags, fcntl_setfl};

/// The beginning of some files in UTF-8 that came from Windows.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Opens a file or a pipe.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // A pipe is opened immediately if reads do not block, which only matters until it is open.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let kind = file.metadata()?.file_type();
    match () {
        () if kind.is_dir() => Err(io::Error::new(ErrorKind::IsADirectory, "it is a directory")),
        () if kind.is_char_device() || kind.is_block_device() => {
            Err(io::Error::new(ErrorKind::InvalidInput, "it is a device"))
        }
        () => {
            fcntl_setfl(&file, OFlags::empty())?;
            Ok(file)
        }
    }
}

/// The content of a file or a pipe.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = open(path)?;
    // A file larger than the memory is refused before it is read.
    let length = file.metadata()?.len();
    bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file or a pipe, without a byte order mark.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read(path)?;
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes).to_vec();
    String::from_utf8(text).map_err(|error| {
        let line = bytes[..error.utf8_error().valid_up_to()].split(|byte| *byte == b'\n').count();
        io::Error::new(ErrorKind::InvalidData, format!("line {line} is not UTF-8"))
    })
}

/// The content of a file, if it is regular and readable.
pub(crate) fn regular(path: &Path) -> Option<Vec<u8>> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    read(path).ok()
}

/// The cure if a file cannot be read or written.
pub(crate) fn cure(error: &io::Error) -> &'static str {
    match error.kind() {
        ErrorKind::NotFound => "check the path",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "change the permissions, or choose another place"
        }
        ErrorKind::NotADirectory => "check the path: a part of it isn't a directory",
        ErrorKind::IsADirectory => "give a file instead of a directory",
        ErrorKind::InvalidData => "write it as UTF-8",
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "make room on the disk",
        ErrorKind::OutOfMemory => "use a smaller file, or a machine with more memory",
        ErrorKind::InvalidInput => "give a regular file",
        _ => "check the path and its permissions",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_waited_for_and_devices_are_not_read() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
        assert!(made.success());
        assert_eq!(read(&path("pipe")).unwrap(), b"");
        assert!(read(Path::new("/dev/zero")).unwrap_err().to_string().contains("device"));
        assert!(read(place.path()).unwrap_err().to_string().contains("directory"));
        fs::write(path("text"), "\u{feff}a\n").unwrap();
        assert_eq!(read_text(&path("text")).unwrap(), "a\n");
        fs::write(path("text"), b"a\n\xff\n").unwrap();
        assert!(read_text(&path("text")).unwrap_err().to_string().contains("line 2"));
        assert_eq!(regular(&path("pipe")), None);
        let file = File::create(path("huge")).unwrap();
        file.set_len(1 << 42).unwrap();
        assert_eq!(cure(&read(&path("huge")).unwrap_err()), cure(&ErrorKind::OutOfMemory.into()));
    }
}
