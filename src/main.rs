//! The `torchgen-rs` binary: runs the command line with the library, see `torchgen_rs::main`.

fn main() -> std::process::ExitCode {
    torchgen_rs::main()
}

// Measured on Linux, where access to thread-local data does not allocate.
#[cfg(all(target_os = "linux", feature = "slabs"))]
#[global_allocator]
static ALLOCATOR: torchgen_slabs::Slabs = torchgen_slabs::Slabs;
