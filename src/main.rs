//! The `torchgen-rs` binary: runs the command line with the library, see `torchgen_rs::main`.

fn main() -> std::process::ExitCode {
    // A server lives as long as its editor. Files of this name do no harm.
    #[cfg(all(target_os = "linux", feature = "slabs"))]
    if std::env::args_os().any(|word| word == "lsp") {
        torchgen_slabs::live_long();
    }
    torchgen_rs::main()
}

// Measured on Linux, where access to thread-local data does not allocate.
#[cfg(all(target_os = "linux", feature = "slabs"))]
#[global_allocator]
static ALLOCATOR: torchgen_slabs::Slabs = torchgen_slabs::Slabs;
