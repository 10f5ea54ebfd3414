//! The `torchgen-rs` binary: hands the command line to the library and turns its result into an exit status.
//!
//! Nothing else is here; see `torchgen_rs::run`.

fn main() -> std::process::ExitCode {
    torchgen_rs::run()
}

// Measured on Linux, where threads reach what is theirs without allocating.
#[cfg(all(target_os = "linux", feature = "slabs"))]
#[global_allocator]
static ALLOCATOR: torchgen_slabs::Slabs = torchgen_slabs::Slabs;
