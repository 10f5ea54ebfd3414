//! What runs over the pinned reference inputs cost, in numbers that need no clock: allocations, renders, bytes, files. They are held against
//! `recorded.yaml`, so that a regression shows on any machine, however busy.
//!
//! Each job runs in a process of its own, which is this program again, on one thread, where nearly everything repeats exactly; allocations
//! (temporary names, versions of the standard library) and the peak may differ by the `tolerance` of the file. `UPDATE_EXPECT=1 cargo test --test counters` records anew. Deliberately absent:
//! time; see `bench/run.py`.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use torchgen_rs::cli;
use torchgen_rs::driver::{Counters, Status};

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, counted.
struct Counting;

// SAFETY: every call goes on to the system's allocator as it is.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        taken(layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as u64, Relaxed);
        // SAFETY: as the caller's.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        taken(size);
        LIVE.fetch_sub(layout.size() as u64, Relaxed);
        // SAFETY: as the caller's.
        unsafe { System.realloc(block, layout, size) }
    }
}

fn taken(size: usize) {
    ALLOCATIONS.fetch_add(1, Relaxed);
    PEAK.fetch_max(LIVE.fetch_add(size as u64, Relaxed) + size as u64, Relaxed);
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one run cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Cost {
    /// Pieces of memory that were asked for, or asked to grow.
    allocations: u64,
    /// The most bytes that were in use at once, in kilobytes.
    peak_kilobytes: u64,
    #[serde(flatten)]
    counted: BTreeMap<String, u64>,
}

/// The record is written by one at a time.
static TURN: Mutex<()> = Mutex::new(());
/// Where the job's process finds its arguments, one a line.
const ARGUMENTS: &str = "TORCHGEN_COUNTED_ARGUMENTS";
/// What stands before the costs in its output.
const MARK: &str = "costs: ";

/// What the command line costs, in a process of its own.
fn cost(arguments: &[String]) -> Cost {
    let mut job = Command::new(std::env::current_exe().expect("this program"));
    job.args(["--exact", "job", "--nocapture"]).env(ARGUMENTS, arguments.join("\n"));
    let done = job.output().expect("this program runs");
    let text = String::from_utf8_lossy(&done.stdout);
    let costs = text.lines().find_map(|line| line.split_once(MARK)).map(|(_, costs)| costs);
    let costs = costs.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&done.stderr)));
    serde_json::from_str(costs).expect("costs")
}

/// The job's process; of itself nothing.
#[test]
fn job() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    let words = ["torchgen-rs"].into_iter().chain(arguments.lines()).map(Into::into);
    let (allocations, live) = (ALLOCATIONS.load(Relaxed), LIVE.load(Relaxed));
    PEAK.store(live, Relaxed);
    let (status, counters) = cli::run(words);
    assert_eq!(status, Status::Done);
    let (allocations, peak) = (ALLOCATIONS.load(Relaxed) - allocations, PEAK.load(Relaxed) - live);
    let cost = Cost { allocations, peak_kilobytes: peak / 1000, counted: named(counters) };
    println!("{MARK}{}", serde_json::to_string(&cost).expect("plain data"));
}

fn named(counters: Counters) -> BTreeMap<String, u64> {
    let Counters { files_read, bytes_read, renders, bytes_rendered, files_written, bytes_written } = counters;
    let pairs = [
        ("files_read", files_read),
        ("bytes_read", bytes_read),
        ("renders", renders),
        ("bytes_rendered", bytes_rendered),
        ("files_written", files_written),
        ("bytes_written", bytes_written),
    ];
    pairs.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The part of the conformance suite's data that says which wheel it is.
#[derive(Deserialize)]
struct Suite {
    wheel: Wheel,
}

#[derive(Deserialize)]
struct Wheel {
    pin: String,
    file: String,
    sha256: String,
    requirements: Vec<String>,
}

/// The unpacked wheel's generator, shared with the conformance suite.
fn packaged() -> PathBuf {
    let here = root().join("tests/conformance");
    let suite = std::fs::read_to_string(here.join("configurations.yaml")).expect("the suite's data");
    let Suite { wheel } = serde_yaml::from_str(&suite).expect("the suite's data");
    let cache = match std::env::var_os("TORCHGEN_CONFORMANCE_DIR") {
        Some(cache) => PathBuf::from(cache),
        None => Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap_or(root()).join("conformance"),
    };
    let unpacked = cache.join(format!("unpacked-{}", &wheel.sha256[..12]));
    if !unpacked.is_dir() {
        std::fs::create_dir_all(&cache).expect("a directory for the wheel");
        let mut fetch = Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
        fetch.arg(here.join("fetch.py")).arg(&cache).args([&wheel.pin, &wheel.file, &wheel.sha256]);
        assert!(fetch.args(&wheel.requirements).status().expect("python3 runs").success(), "the wheel can be fetched");
    }
    unpacked.join("torchgen/packaged")
}

fn arguments(text: &str, packaged: &Path, out: &Path) -> Vec<String> {
    let fill =
        |word: &str| word.replace("PACKAGED", &packaged.to_string_lossy()).replace("OUT", &out.to_string_lossy());
    text.split_whitespace().map(fill).chain(["-j1".to_owned()]).collect()
}

const ATEN: &str = "generate -s PACKAGED/ATen -d OUT --aoti-install-dir OUT/aoti";

#[derive(Serialize, Deserialize)]
struct Recorded {
    tolerance: Tolerance,
    runs: BTreeMap<String, Cost>,
}

/// By how much, in parts of one, a count may differ from the recorded one.
#[derive(Serialize, Deserialize)]
struct Tolerance {
    allocations: f64,
    peak_kilobytes: f64,
}

/// Runs a case and holds what it cost against the record.
#[track_caller]
fn check(name: &str, text: &str) {
    let out = tempfile::tempdir().expect("a temporary directory");
    // A longer or shorter path makes no more and no fewer pieces, but other bytes.
    let now = cost(&arguments(text, &packaged(), &out.path().join("out")));
    let path = root().join("tests/counters/recorded.yaml");
    let read = || std::fs::read_to_string(&path).expect("the record");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let mut recorded: Recorded = serde_yaml::from_str(&read()).expect("the record");
        recorded.runs.insert(name.to_owned(), now);
        std::fs::write(&path, serde_yaml::to_string(&recorded).expect("plain data")).expect("the record");
        drop(turn);
        return;
    }
    let recorded: Recorded = serde_yaml::from_str(&read()).expect("the record");
    let then = recorded.runs.get(name).expect("a record of the case");
    let near = |now: u64, then: u64, tolerance: f64| now.abs_diff(then) as f64 <= then as f64 * tolerance;
    let Tolerance { allocations, peak_kilobytes } = recorded.tolerance;
    let same = now.counted == then.counted
        && near(now.allocations, then.allocations, allocations)
        && near(now.peak_kilobytes, then.peak_kilobytes, peak_kilobytes);
    assert!(
        same,
        "{name} costs\n{now:#?}\nrecorded is\n{then:#?}\nif that is meant: UPDATE_EXPECT=1 cargo test --test counters"
    );
}

#[test]
fn aten() {
    check("aten", ATEN);
}

#[test]
fn per_operator_headers() {
    check("per-operator-headers", &format!("{ATEN} --per-operator-headers"));
}

#[test]
fn autograd() {
    let native = "PACKAGED/ATen/native";
    check(
        "autograd",
        &format!(
            "autograd --native-functions-path {native}/native_functions.yaml --tags-path {native}/tags.yaml \
             --autograd-dir PACKAGED/autograd --install-dir OUT"
        ),
    );
}

/// Twice and four times as many operators cost twice and four times as much.
#[test]
fn costs_grow_with_the_operators() {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let costs = [1, 2, 4].map(|factor| {
        let tree = scratch.path().join(format!("x{factor}"));
        let mut write = Command::new(std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into()));
        write.arg(root().join("bench/scale.py")).arg("--write").arg(factor.to_string());
        assert!(write.arg(packaged().join("ATen")).arg(tree.join("ATen")).status().expect("python3 runs").success());
        cost(&arguments(ATEN, &tree, &tree.join("out")))
    });
    let figures = |cost: &Cost| {
        let Cost { allocations, peak_kilobytes, counted } = cost;
        [*allocations, *peak_kilobytes, counted["renders"], counted["bytes_rendered"], counted["bytes_written"]]
    };
    let [one, two, four] = [&costs[0], &costs[1], &costs[2]].map(figures);
    for ((one, two), four) in one.into_iter().zip(two).zip(four) {
        // What the first copy costs on top, the next two cost twice.
        let growth = (four - two) as f64 / (2 * (two - one)) as f64;
        assert!((0.9..1.1).contains(&growth), "{one}, {two}, {four}: {costs:#?}");
    }
}
