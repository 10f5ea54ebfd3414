//! The `torchgen-rs` binary: hands the command line to the library and turns its result into an exit status.
//!
//! Nothing else is here; see `torchgen_rs::run`.

fn main() -> std::process::ExitCode {
    torchgen_rs::run()
}
