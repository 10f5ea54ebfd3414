//! Lists the pages of diagnostics, and links development builds of the program at fixed addresses.
//!
//! The fast tests start the program some 3,000 times. A program that is loaded anywhere applies
//! 159,000 relocations and copies the pages they are on, at each start: 6 s of the 33 s that the
//! tests take. Release builds are position-independent, as everywhere.

use std::env::var;

fn main() {
    torchgen_embedded::build::list(torchgen_embedded::FileKind::Pages, "docs/diagnostics");
    let is = |key: &str, value: &str| var(key).is_ok_and(|it| it == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
