//! The `torchgen-rs` binary: hands the command line to the library and turns its result into an exit status.
//!
//! Nothing else is here; see `torchgen_rs::run`.

fn main() -> std::process::ExitCode {
    torchgen_rs::run()
}

// Measured on Linux, where threads reach what is theirs without allocating.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: torchgen_rs::alloc::Slabs = torchgen_rs::alloc::Slabs;
