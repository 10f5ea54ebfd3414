//! The tests of the programs that link the whole crate: plain functions, each listed by its module.
//! A function that no list names is an error of the compiler, which finds it unused, and
//! `tests/fast/rules.rs` finds `#[test]`, which these programs would leave out.

use libtest_mimic::Trial;

/// The tests of a module, by their functions.
macro_rules! trials {
    ($($(#[$attribute:meta])* $test:ident),* $(,)?) => {
        Vec::from([$($(#[$attribute])* $crate::trial::trial(module_path!(), stringify!($test), $test)),*])
    };
}

/// A test that fails if it panics. Its name is that of the function, in its module.
pub(crate) fn trial(module: &str, name: &str, test: impl FnOnce() + Send + 'static) -> Trial {
    let module = module.split_once("::").map_or(module, |(_program, module)| module);
    Trial::test(format!("{module}::{name}"), move || {
        test();
        Ok(())
    })
}
