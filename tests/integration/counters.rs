//! The cost of runs over the pinned reference inputs, in numbers that need no clock: allocations,
//! renders, bytes, files. They are checked against bounds that hold for any templates, so that a
//! regression shows on any machine and under any load.
//!
//! Each job runs in a separate process, which is this program again, on one thread. Time is not
//! measured here, but by `bench/run.py`. No numbers are recorded, because every edit of a template
//! changes them.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use libtest_mimic::Trial;
use serde::{Deserialize, Serialize};
use torchgen_rs::{Counters, Host, Outcome, Status};

use crate::support::pytorch::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![aten, per_operator_headers, autograd, costs_grow_with_the_operators]
}

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicU64 = AtomicU64::new(0);
static PEAK: AtomicU64 = AtomicU64::new(0);

/// The system's allocator with counters.
struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator.
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

/// The cost of one run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Cost {
    /// The number of allocations and reallocations.
    allocations: u64,
    /// The most bytes that were in use at once, in kilobytes.
    peak_kilobytes: u64,
    #[serde(flatten)]
    counted: BTreeMap<String, u64>,
}

/// The variable with the arguments of the job's process, one per line.
const ARGUMENTS: &str = "TORCHGEN_COUNTED_ARGUMENTS";
/// The prefix of the line with the costs in its output.
const MARK: &str = "costs: ";

/// Measures a command line in a separate process.
fn cost(arguments: &[String]) -> Cost {
    let mut job = Command::new(std::env::current_exe().expect("this program"));
    job.env(ARGUMENTS, arguments.join("\n"));
    let done = job.output().expect("this program runs");
    let text = String::from_utf8_lossy(&done.stdout);
    let costs = text.lines().find_map(|line| line.split_once(MARK)).map(|(_, costs)| costs);
    let costs = costs.unwrap_or_else(|| panic!("{text}{}", String::from_utf8_lossy(&done.stderr)));
    serde_json::from_str(costs).expect("costs")
}

/// What this process runs in place of tests if it is a job's.
pub(crate) fn job() -> Option<impl FnOnce()> {
    let arguments = std::env::var(ARGUMENTS).ok()?;
    Some(move || {
        let words = ["torchgen-rs"].into_iter().chain(arguments.lines()).map(Into::into);
        let (allocations, live) = (ALLOCATIONS.load(Relaxed), LIVE.load(Relaxed));
        PEAK.store(live, Relaxed);
        let Outcome { status, counters, .. } = torchgen_rs::run(words, Host::process());
        assert_eq!(status, Status::Done);
        let (allocations, peak) = (ALLOCATIONS.load(Relaxed) - allocations, PEAK.load(Relaxed) - live);
        let cost = Cost { allocations, peak_kilobytes: peak / 1000, counted: named(counters) };
        println!("{MARK}{}", serde_json::to_string(&cost).expect("plain data"));
    })
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

/// The part of the conformance suite's data that names the wheel.
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
pub(crate) fn packaged() -> PathBuf {
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
        fetch.arg(here.join("fetch.py")).arg(&cache).arg("all").args([&wheel.pin, &wheel.file, &wheel.sha256]);
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

/// Checks a run's cost against bounds. Each bound is a relation that holds for any templates, with
/// a margin of half of the measured value. A violation is a mistake such as a file that is read
/// twice, a fragment that each shard renders again, or text that is copied or kept.
#[track_caller]
fn check(text: &str) {
    let out = tempfile::tempdir().expect("a temporary directory");
    let cost = cost(&arguments(text, &packaged(), &out.path().join("out")));
    let Cost { allocations, peak_kilobytes, counted } = &cost;
    let inputs = walkdir::WalkDir::new(packaged()).into_iter().filter_map(Result::ok);
    let inputs = inputs.filter(|entry| entry.file_type().is_file()).count() as u64;
    let written = counted["bytes_written"];
    for (what, amount, bound) in [
        ("files read, of the existing ones", counted["files_read"], inputs),
        (
            "bytes rendered, of those written: a fragment counts again in its file",
            counted["bytes_rendered"],
            5 * written / 2,
        ),
        ("bytes alive at once, of those written", 1000 * peak_kilobytes, 5 * written / 2),
        ("allocations for each render", *allocations, 150 * counted["renders"]),
    ] {
        assert!(amount > 0 && amount <= bound, "{what}: {amount} are more than {bound}\n{cost:#?}");
    }
}

fn aten() {
    check(ATEN);
}

fn per_operator_headers() {
    check(&format!("{ATEN} --per-operator-headers"));
}

fn autograd() {
    let native = "PACKAGED/ATen/native";
    check(&format!(
        "autograd --native-functions-path {native}/native_functions.yaml --tags-path {native}/tags.yaml \
             --autograd-dir PACKAGED/autograd --install-dir OUT"
    ));
}

/// Two and four times the operators have two and four times the cost.
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
        // The next two copies may add twice what the first copy added.
        let growth = (four - two) as f64 / (2 * (two - one)) as f64;
        assert!((0.9..1.1).contains(&growth), "{one}, {two}, {four}: {costs:#?}");
    }
}
