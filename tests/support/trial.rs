//! The tests of the programs that link the whole crate: plain functions, each listed by its module.
//! A function that no list names is an error of the compiler, which finds it unused, and
//! `tests/fast/rules.rs` finds `#[test]`, which these programs would leave out.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::Mutex;
use std::time::Instant;

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
    let name = format!("{module}::{name}");
    Trial::test(name.clone(), move || {
        timed(&name, test);
        Ok(())
    })
}

/// The seconds and the names of the tests that ran.
static TIMES: Mutex<Vec<(f64, String)>> = Mutex::new(Vec::new());

/// Prints the slowest tests that ran, at most this many.
#[allow(dead_code, reason = "only the integration tests print them")]
pub(crate) fn print_slowest(count: usize) {
    let mut times = std::mem::take(&mut *TIMES.lock().expect("no thread panics while it holds the lock"));
    times.sort_by(|one, other| other.0.total_cmp(&one.0));
    println!("slowest tests, in seconds:");
    times.iter().take(count).for_each(|(seconds, name)| println!("{seconds:8.2} {name}"));
}

/// Runs a test. With `TORCHGEN_TEST_TIMES=FILE`, adds its seconds and its name to that file.
pub(crate) fn timed<T>(name: &str, test: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = test();
    let seconds = start.elapsed().as_secs_f64();
    TIMES.lock().expect("no thread panics while it holds the lock").push((seconds, name.to_owned()));
    let Some(file) = std::env::var_os("TORCHGEN_TEST_TIMES") else { return result };
    let line = format!("{seconds:8.2} {name}\n");
    let file = OpenOptions::new().create(true).append(true).open(file);
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("TORCHGEN_TEST_TIMES names a file");
    result
}
