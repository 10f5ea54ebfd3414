//! `--timings`: how long each stage and each generator took, and how much was written.
//!
//! Invariant: measuring does not change the output. A stage calls [`Timings::lap`] when it ends.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::JobError;
use super::summary::Summary;
use super::trace::{Measured, Trace};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Renderer;
use torchgen_base::write::{spare_inputs, write_text};

/// The measurements.
#[derive(Debug)]
pub struct Timings {
    began: Instant,
    last: Instant,
    stages: Vec<(&'static str, Duration)>,
    /// Each time that a stage ran.
    laps: Vec<(&'static str, Measured)>,
    generators: Vec<(String, Measured)>,
    counters: Counters,
}

/// The cost of a run, in numbers that do not depend on time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// The input files read, templates included.
    pub files_read: u64,
    /// Their size in bytes.
    pub bytes_read: u64,
    /// The texts rendered: fragments and files.
    pub renders: u64,
    /// Their size in bytes. A fragment counts again in the text that contains it.
    pub bytes_rendered: u64,
    /// The files written.
    pub files_written: u64,
    /// Their size in bytes.
    pub bytes_written: u64,
}

impl Default for Timings {
    fn default() -> Self {
        let now = Instant::now();
        Timings {
            began: now,
            last: now,
            stages: Vec::new(),
            laps: Vec::new(),
            generators: Vec::new(),
            counters: Counters::default(),
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    seconds: f64,
    stages: Vec<Time<'a>>,
    generators: Vec<Time<'a>>,
    read: Amount,
    rendered: Amount,
    files: Files,
}

#[derive(Serialize)]
struct Amount {
    texts: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct Time<'a> {
    name: &'a str,
    seconds: f64,
}

#[derive(Serialize)]
struct Files {
    written: usize,
    unchanged: usize,
    removed: usize,
    bytes: u64,
    bytes_written: u64,
}

impl Timings {
    /// Adds the time since the last call to this stage.
    pub fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        let spent = now - self.last;
        self.laps.push((stage, Measured::new(self.last, spent)));
        self.last = now;
        match self.stages.iter_mut().find(|(known, _)| *known == stage) {
            Some((_, sum)) => *sum += spent,
            None => self.stages.push((stage, spent)),
        }
    }

    /// Records how long a generator took, and passes on its result. Generators run in parallel, and
    /// a time includes waiting for other work on its thread.
    pub fn note<T>(&mut self, generator: impl Into<String>, (made, measured): (T, Measured)) -> T {
        self.generators.push((generator.into(), measured));
        made
    }

    /// Counts a file that was read.
    pub(crate) fn count_read(&mut self, bytes: usize) {
        self.counters.files_read += 1;
        self.counters.bytes_read += bytes as u64;
    }

    /// Counts the output of a finished renderer.
    pub fn count_rendered(&mut self, renderer: &Renderer) {
        let (texts, bytes) = renderer.rendered();
        self.counters.renders += texts;
        self.counters.bytes_rendered += bytes;
    }

    /// The cost of the run, files written included.
    pub(crate) fn counters(&self, summary: &Summary) -> Counters {
        let files_written = summary.report.changed.len() as u64;
        Counters { files_written, bytes_written: summary.report.written_bytes, ..self.counters }
    }

    /// The measurements as one line of JSON.
    pub(crate) fn json(&self, summary: &Summary, elapsed: Duration) -> String {
        serde_json::json!({ "timings": self.report(summary, elapsed) }).to_string()
    }

    /// Writes when each stage and each generator ran.
    ///
    /// # Errors
    /// The file cannot be written, or is an input.
    pub(crate) fn write_trace(&self, path: &Path, inputs: &[PathBuf]) -> Result<(), JobError> {
        spare_inputs(path, inputs).map_err(|error| Diagnostic::from(&error))?;
        write_text(path, self.trace()).map_err(|error| Diagnostic::from(&error))?;
        Ok(())
    }

    fn trace(&self) -> String {
        let mut trace = Trace::new(self.began, self.began.elapsed(), rayon::current_num_threads());
        self.laps.iter().for_each(|(name, own)| trace.stage(name, own));
        self.generators.iter().for_each(|(name, own)| trace.generator(name, own));
        trace.text()
    }

    /// The measurements as a table.
    pub fn table(&self, summary: &Summary, elapsed: Duration) -> String {
        let Report { seconds, stages, generators, read, rendered, files } = self.report(summary, elapsed);
        let mut text = String::from("     ms  stage\n");
        for Time { name, seconds } in &stages {
            let _ = writeln!(text, "{:7.1}  {name}", seconds * 1e3);
        }
        let _ = writeln!(text, "{:7.1}  total", seconds * 1e3);
        if !generators.is_empty() {
            text.push_str("     ms  generator (they run in parallel)\n");
        }
        for Time { name, seconds } in &generators {
            let _ = writeln!(text, "{:7.1}  {name}", seconds * 1e3);
        }
        let Files { written, unchanged, removed, bytes, bytes_written } = files;
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        let (same, new) = (megabytes(bytes.saturating_sub(bytes_written)), megabytes(bytes_written));
        let _ = writeln!(text, "  texts     MB");
        for (Amount { texts, bytes }, done) in [(read, "read"), (rendered, "rendered, fragments and files")] {
            let _ = writeln!(text, "{texts:7} {:6.1}  {done}", megabytes(bytes));
        }
        let _ = writeln!(text, "{written:7} {new:6.1}  written");
        let _ = writeln!(text, "{unchanged:7} {same:6.1}  unchanged");
        if removed > 0 {
            let _ = writeln!(text, "{removed:7}         removed");
        }
        text
    }

    fn report(&self, summary: &Summary, elapsed: Duration) -> Report<'_> {
        let time = |name, spent: &Duration| Time { name, seconds: spent.as_secs_f64() };
        Report {
            seconds: elapsed.as_secs_f64(),
            stages: self.stages.iter().map(|(name, spent)| time(*name, spent)).collect(),
            generators: self.generators.iter().map(|(name, own)| time(name.as_str(), &own.spent)).collect(),
            read: Amount { texts: self.counters.files_read, bytes: self.counters.bytes_read },
            rendered: Amount { texts: self.counters.renders, bytes: self.counters.bytes_rendered },
            files: Files {
                written: summary.report.changed.len(),
                unchanged: summary.report.unchanged,
                removed: summary.removed.len(),
                bytes: summary.report.bytes,
                bytes_written: summary.report.written_bytes,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use torchgen_base::write::Report;

    #[test]
    fn forms() {
        let mut timings = Timings::default();
        timings.count_read(2_000_000);
        timings.lap("yaml");
        timings.lap("parse");
        timings.lap("yaml");
        timings.stages.iter_mut().for_each(|(_, spent)| *spent = Duration::from_micros(1_240));
        timings.note("functions", ((), Measured::new(timings.began, Duration::from_millis(20))));
        let report = Report {
            changed: vec!["a".into()],
            unchanged: 2,
            bytes: 3_000_000,
            written_bytes: 1_000_000,
            ..Report::default()
        };
        let summary = Summary { report, ..Summary::default() };
        let elapsed = Duration::from_millis(30);
        let expected = "     ms  stage
    1.2  yaml
    1.2  parse
   30.0  total
     ms  generator (they run in parallel)
   20.0  functions
  texts     MB
      1    2.0  read
      0    0.0  rendered, fragments and files
      1    1.0  written
      2    2.0  unchanged
";
        assert_eq!(timings.table(&summary, elapsed), expected);
        let expected = r#"{"timings":{"seconds":0.03,"stages":[{"name":"yaml","seconds":0.00124},{"name":"parse","seconds":0.00124}],"generators":[{"name":"functions","seconds":0.02}],"read":{"texts":1,"bytes":2000000},"rendered":{"texts":0,"bytes":0},"files":{"written":1,"unchanged":2,"removed":0,"bytes":3000000,"bytes_written":1000000}}}"#;
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&timings.json(&summary, elapsed)), value(expected));
    }

    #[test]
    fn a_trace_has_the_times_of_the_table() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let (timings, traced) = pool.install(|| {
            let mut timings = Timings::default();
            let pause = || std::thread::sleep(Duration::from_millis(2));
            for stage in ["yaml", "parse", "yaml"] {
                pause();
                timings.lap(stage);
            }
            let made: Vec<_> = rayon::broadcast(|_| super::super::trace::timed(pause));
            made.into_iter().enumerate().for_each(|(at, made)| timings.note(format!("generator \"{at}\""), made));
            let traced = timings.trace();
            (timings, traced)
        });
        let traced: Value = serde_json::from_str(&traced).expect("JSON");
        let all = traced["traceEvents"].as_array().expect("events");
        let events: Vec<&Value> = all.iter().filter(|event| event["ph"] == "X").collect();
        let number = |event: &Value, key: &str| event[key].as_f64().expect("a number");
        for (name, spent) in &timings.stages {
            let sum: f64 = events.iter().filter(|event| event["name"] == *name).map(|event| number(event, "dur")).sum();
            assert!((sum / 1e6 - spent.as_secs_f64()).abs() < 1e-9, "{name}: {sum} us, and {spent:?} in the table");
        }
        let named = all.iter().filter(|event| event["name"] == "thread_name");
        let named: Vec<Option<u64>> = named.map(|event| event["tid"].as_u64()).collect();
        let mut used: Vec<Option<u64>> = events.iter().map(|event| event["tid"].as_u64()).collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used, named, "a row lacks a name, or an event a row");
        for (at, one) in events.iter().enumerate() {
            for other in events[at + 1..].iter().filter(|other| other["tid"] == one["tid"]) {
                let ends = |event: &Value| number(event, "ts") + number(event, "dur");
                let apart = ends(one) <= number(other, "ts") + 1e-3 || ends(other) <= number(one, "ts") + 1e-3;
                let inside = |inner: &Value, outer: &Value| {
                    number(outer, "ts") <= number(inner, "ts") + 1e-3 && ends(inner) <= ends(outer) + 1e-3
                };
                assert!(apart || inside(one, other) || inside(other, one), "{one} and {other} overlap");
            }
        }
    }
}
