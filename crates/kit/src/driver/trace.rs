//! `--timings=FILE`: when each stage and each generator ran, as Perfetto and `chrome://tracing`
//! open it.
//!
//! Invariant: complete events of the trace event format. Those of a thread are inside each other or
//! one after the other, and the durations of a stage add up to its time in the printed table.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// When something ran.
#[derive(Debug, Clone, Copy)]
pub struct Measured {
    began: Instant,
    /// How long it ran.
    pub spent: Duration,
    /// The number of the thread, if it is one of the run's.
    thread: Option<usize>,
}

/// Runs a function and measures it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Measured) {
    let began = Instant::now();
    let done = work();
    (done, Measured::until_now(began, rayon::current_thread_index()))
}

impl Measured {
    /// What ran from a moment until now.
    pub(super) fn until_now(began: Instant, thread: Option<usize>) -> Measured {
        Measured { began, spent: began.elapsed(), thread }
    }

    /// What ran from a moment for a time.
    pub(super) fn new(began: Instant, spent: Duration) -> Measured {
        Measured { began, spent, thread: None }
    }
}

/// The events of a run that began at a moment.
pub(super) struct Trace {
    began: Instant,
    events: Vec<Value>,
}

/// The only process.
const PROCESS: u32 = 1;
/// The row of stages; those of threads follow.
const STAGES: usize = 0;

impl Trace {
    /// The events of a run, with a name for each of its threads.
    pub(super) fn new(began: Instant, total: Duration, threads: usize) -> Trace {
        let mut trace = Trace { began, events: Vec::new() };
        trace.name("process_name", STAGES, "torchgen-rs");
        trace.name("thread_name", STAGES, "stages");
        for number in 1..=threads {
            trace.name("thread_name", number, &format!("thread {number}"));
        }
        trace.add("total", STAGES, began, total);
        trace
    }

    fn name(&mut self, what: &str, row: usize, name: &str) {
        self.events.push(json!({"name": what, "ph": "M", "pid": PROCESS, "tid": row, "args": {"name": name}}));
    }

    /// Adds a stage.
    pub(super) fn stage(&mut self, name: &str, measured: &Measured) {
        self.add(name, STAGES, measured.began, measured.spent);
    }

    /// Adds a generator.
    pub(super) fn generator(&mut self, name: &str, measured: &Measured) {
        self.add(name, measured.thread.map_or(STAGES, |number| number + 1), measured.began, measured.spent);
    }

    fn add(&mut self, name: &str, row: usize, began: Instant, spent: Duration) {
        let microseconds = |time: Duration| time.as_nanos() as f64 / 1e3;
        let start = microseconds(began.saturating_duration_since(self.began));
        let category = if row == STAGES { "stage" } else { "generator" };
        self.events.push(json!({
            "name": name,
            "cat": category,
            "ph": "X",
            "ts": start,
            "dur": microseconds(spent),
            "pid": PROCESS,
            "tid": row,
        }));
    }

    /// The text of the file.
    pub(super) fn text(self) -> String {
        let mut text = json!({"displayTimeUnit": "ms", "traceEvents": self.events}).to_string();
        text.push('\n');
        text
    }
}
