//! Processor time, by step: wall time says little where other programs run too.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::AddAssign;

/// Processor seconds of each step.
#[derive(Clone, Debug, Default)]
pub(super) struct Spent(BTreeMap<String, f64>);

impl Spent {
    /// Does a step, and adds the time of this process and of the children that ended in it.
    pub(super) fn on<T>(&mut self, step: &str, work: impl FnOnce() -> T) -> T {
        let before = processor();
        let value = work();
        *self.0.entry(step.to_owned()).or_default() += processor() - before;
        value
    }

    /// Adds steps that another process counted.
    pub(super) fn add_all(&mut self, steps: &BTreeMap<String, f64>) {
        for (step, seconds) in steps {
            *self.0.entry(step.clone()).or_default() += seconds;
        }
    }
}

impl AddAssign<&Spent> for Spent {
    fn add_assign(&mut self, other: &Spent) {
        self.add_all(&other.0);
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: f64 = self.0.values().sum();
        write!(f, "{total:.0} s of processor time")?;
        self.0.iter().try_for_each(|(step, seconds)| write!(f, ", {step} {seconds:.1}"))
    }
}

/// Of this process and of its children that ended; 0 where the kernel does not say.
fn processor() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in parentheses, can have spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(4);
    // Linux counts hundredths of a second here.
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}
