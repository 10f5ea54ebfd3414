//! The bundled library, built with the oldest torch that libraries of kernels support, and run in
//! it: `cargo test --test slow older/`.

use libtest_mimic::{Failed, Trial};

use crate::support::opkit::{build, check_in};
use crate::support::torch::older;

/// The Python modules that do not need the newest torch.
const MODULES: [&str; 4] = ["test_values", "test_variants", "test_gradients", "test_cpp_api"];

/// One test: its modules share the build.
pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("older/opkit", || {
        let built = build(older(), "opkit-older", "unstable");
        MODULES.iter().for_each(|module| check_in(&mut older().tool("python"), &built, module));
        Ok::<(), Failed>(())
    })]
}
