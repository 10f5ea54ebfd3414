//! The tests of the programs that link the whole crate: plain functions, each listed by its module.
//! A function that no list names is an error of the compiler, which finds it unused, and
//! `tests/fast/rules.rs` finds `#[test]`, which these programs would leave out.

use std::cell::Cell;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use libtest_mimic::{Failed, Trial};

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
        within_limit(&name)
    })
}

/// What tests may cost.
#[allow(dead_code, reason = "fast tests run nothing that takes long")]
pub(crate) struct Limits {
    /// The seconds of processor time, by the beginnings of names. The first that fits counts.
    pub(crate) seconds: Vec<(&'static str, f64)>,
    /// How many times as long as usual this machine takes now.
    pub(crate) slowness: fn() -> f64,
}

#[allow(dead_code, reason = "fast tests run nothing that takes long")]
pub(crate) static LIMITS: OnceLock<Limits> = OnceLock::new();

/// Fails for a test that took three times its limit, on a machine that is as fast as usual:
/// programs side by side may take twice the processor time of each alone.
fn within_limit(name: &str) -> Result<(), Failed> {
    let Some(limits) = LIMITS.get() else { return Ok(()) };
    let limit = limits.seconds.iter().find(|(beginning, _)| name.starts_with(beginning));
    let Some((_, limit)) = limit else { return Ok(()) };
    let seconds = PROCESSOR.get();
    if seconds <= 3.0 * limit {
        return Ok(());
    }
    let slowness = (limits.slowness)().max(1.0);
    if seconds <= 3.0 * limit * slowness {
        return Ok(());
    }
    Err(format!(
        "{seconds:.0} s of processor time on a machine that takes {slowness:.1} times as long as usual, where a test \
         may cost {limit} s"
    )
    .into())
}

/// What a test took.
struct Time {
    name: String,
    seconds: f64,
    /// The processor time of what it ran.
    processor: f64,
}

static TIMES: Mutex<Vec<Time>> = Mutex::new(Vec::new());

thread_local! {
    /// The processor time of what the test of this thread ran, in seconds.
    static PROCESSOR: Cell<f64> = const { Cell::new(0.0) };
}

/// Adds to the processor time of this thread's test.
#[allow(dead_code, reason = "fast tests run nothing that takes long")]
pub(crate) fn add_processor_seconds(seconds: f64) {
    PROCESSOR.set(PROCESSOR.get() + seconds);
}

/// Runs a part of a test, here or in another thread. Returns its processor time instead of adding
/// it to this thread's test.
#[allow(dead_code, reason = "fast tests run nothing that takes long")]
pub(crate) fn counted<T>(part: impl FnOnce() -> T) -> (T, f64) {
    let before = PROCESSOR.replace(0.0);
    let result = part();
    (result, PROCESSOR.replace(before))
}

/// Makes what several tests use: the one that is first does not count its time.
#[allow(dead_code, reason = "fast tests share nothing that takes long")]
pub(crate) fn shared<T>(name: &str, make: impl FnOnce() -> T) -> T {
    counted(|| timed(&format!("shared: {name}"), make)).0
}

/// Prints the slowest tests that ran, at most this many, and what they shared.
#[allow(dead_code, reason = "only the integration tests print them")]
pub(crate) fn print_slowest(count: usize) {
    let mut times = std::mem::take(&mut *TIMES.lock().expect("no thread panics while it holds the lock"));
    times.sort_by(|one, other| other.processor.total_cmp(&one.processor).then(other.seconds.total_cmp(&one.seconds)));
    println!("slowest tests: seconds of processor time, seconds");
    for Time { name, seconds, processor } in times.iter().take(count) {
        println!("{processor:8.2} {seconds:8.2} {name}");
    }
}

/// Runs a test. With `TORCHGEN_TEST_TIMES=FILE`, adds its seconds, those of processor time, and its
/// name to that file.
pub(crate) fn timed<T>(name: &str, test: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    PROCESSOR.set(0.0);
    let result = test();
    let (seconds, processor) = (start.elapsed().as_secs_f64(), PROCESSOR.get());
    let time = Time { name: name.to_owned(), seconds, processor };
    TIMES.lock().expect("no thread panics while it holds the lock").push(time);
    let Some(file) = std::env::var_os("TORCHGEN_TEST_TIMES") else { return result };
    let line = format!("{seconds:8.2} {processor:8.2} {name}\n");
    let file = OpenOptions::new().create(true).append(true).open(file);
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("TORCHGEN_TEST_TIMES names a file");
    result
}
