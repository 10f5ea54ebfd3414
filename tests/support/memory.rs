//! Temporary files in memory.
//!
//! Invariant: a directory in memory is taken only where it has room, and where programs in it run.

use std::path::Path;

/// The file system in memory, if it has room for what tests write at the same time.
pub(crate) fn directory() -> Option<&'static Path> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::StatVfsMountFlags;
        const ROOM: u64 = 4 << 30;
        let memory = Path::new("/dev/shm");
        let system = rustix::fs::statvfs(memory).ok()?;
        let runs = !system.f_flag.intersects(StatVfsMountFlags::NOEXEC | StatVfsMountFlags::RDONLY);
        (runs && system.f_bavail.saturating_mul(system.f_frsize) >= ROOM).then_some(memory)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

/// Has temporary files in memory where it has room. Tests make and remove thousands of small files;
/// ext4 takes seconds of the processor to make files where it removed some just before.
pub(crate) fn hold_temporary_files() {
    if let Some(memory) = directory() {
        // An error would say that it was called twice.
        let _ = tempfile::env::override_temp_dir(memory);
    }
}
