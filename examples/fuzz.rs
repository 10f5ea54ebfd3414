//! Runs one fuzz target over mutated inputs of its corpus for a while, or over given files:
//! `cargo run --release --features fuzzing --example fuzz -- schema --seconds 600`.
//!
//! An input that makes the target panic, or that takes long, is saved to the corpus, where
//! `cargo test --lib fuzzing` finds it from then on. A panic is reported on standard output, so
//! that the errors that `run` prints can be sent away. See docs/fuzzing.md.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use torchgen_rs::fuzzing::TARGETS;
use torchgen_rs::fuzzing::mutate::{Random, corpus, mutated};

/// A single input that takes longer is a find.
const LONG: Duration = Duration::from_secs(5);

/// Where the last panic was.
static LAST: Mutex<String> = Mutex::new(String::new());

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let names: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    let target = arguments.first().and_then(|wanted| TARGETS.iter().find(|(name, _)| name == wanted));
    let Some((name, target)) = target else {
        println!("usage: fuzz TARGET [--seconds N] [--seed N] [FILE ...]\ntargets: {}", names.join(", "));
        return ExitCode::from(2);
    };
    let number = |flag: &str| {
        let at = arguments.iter().position(|argument| argument == flag)?;
        arguments.get(at + 1)?.parse::<u64>().ok()
    };
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut last) = LAST.lock() {
            *last = info.to_string();
        }
    }));
    let files: Vec<&String> = arguments[1..].iter().filter(|argument| Path::new(argument).is_file()).collect();
    let mut finds = 0;
    if !files.is_empty() {
        for file in files {
            let data = std::fs::read(file).expect("a readable file");
            let verdict = outcome(*target, &data).err().unwrap_or_else(|| "fine".to_owned());
            finds += usize::from(verdict != "fine");
            println!("{file}: {verdict}");
        }
        return ExitCode::from(u8::from(finds > 0));
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let seed = number("--seed").unwrap_or(now);
    let limit = Duration::from_secs(number("--seconds").unwrap_or(60));
    let inputs: Vec<Vec<u8>> = corpus(name).into_iter().map(|(_, data)| data).collect();
    let mut random = Random::new(seed);
    let (start, mut executions) = (Instant::now(), 0u64);
    let mut places = BTreeSet::new();
    while start.elapsed() < limit {
        let data = mutated(&inputs, &mut random);
        executions += 1;
        let Err(why) = outcome(*target, &data) else { continue };
        // One input for each place is enough.
        if places.insert(why.lines().next().unwrap_or_default().to_owned()) {
            finds += 1;
            let path = format!("{}/tests/fuzz/corpus/{name}/find-{seed}-{executions}", env!("CARGO_MANIFEST_DIR"));
            std::fs::write(&path, &data).expect("a file is written");
            println!("{path}: {why}");
        }
    }
    println!("{name}: {executions} executions in {} s, seed {seed}, {finds} finds", start.elapsed().as_secs());
    ExitCode::from(u8::from(finds > 0))
}

/// Runs the target; an error is what was wrong.
fn outcome(target: fn(&[u8]), data: &[u8]) -> Result<(), String> {
    let start = Instant::now();
    if std::panic::catch_unwind(|| target(data)).is_err() {
        return Err(LAST.lock().map_or_else(|_| "panic".to_owned(), |last| last.clone()));
    }
    match start.elapsed() {
        long if long > LONG => Err(format!("takes too long\n{long:?}")),
        _ => Ok(()),
    }
}
