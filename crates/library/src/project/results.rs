//! What tests did with each torch version: pytest's counts, and the table of all.

use std::time::Duration;

use torchgen_base::diag::plural;

/// The tests with one torch.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Its version.
    pub(super) torch: String,
    pub(super) outcome: Outcome,
}

/// How they ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// They ran.
    Ran { counts: Counts, took: Duration },
    /// They did not, for a reason that is reported apart: what the table says.
    Not(&'static str),
}

/// pytest's counts.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) passed: usize,
    /// With those that ended in an error.
    pub(super) failed: usize,
    pub(super) skipped: usize,
}

impl Counts {
    /// Those of pytest's JUnit report, if it is one.
    pub(super) fn of_report(xml: &str) -> Option<Counts> {
        let (_, suite) = xml.split_once("<testsuite ")?;
        let suite = suite.split('>').next()?;
        let number = |name: &str| {
            let (_, value) = suite.split_once(&format!("{name}=\""))?;
            value.split('"').next()?.parse::<usize>().ok()
        };
        let (failed, skipped) = (number(" failures")? + number(" errors")?, number(" skipped")?);
        Some(Counts { passed: number(" tests")?.saturating_sub(failed + skipped), failed, skipped })
    }
}

impl Row {
    /// What is wrong with tests that ran.
    pub(super) fn error(&self) -> Option<String> {
        let Row { torch, outcome } = self;
        match outcome {
            Outcome::Not(_) => None,
            Outcome::Ran { counts: Counts { passed: 0, failed: 0, .. }, .. } => {
                Some(format!("no test ran with torch {torch}"))
            }
            Outcome::Ran { counts, .. } if counts.failed > 0 => {
                Some(format!("{} failed with torch {torch}", plural(counts.failed, "test")))
            }
            Outcome::Ran { .. } => None,
        }
    }
}

/// The table.
pub(super) fn table(rows: &[Row]) -> String {
    let mut lines = vec![["torch", "passed", "failed", "skipped", "seconds"].map(str::to_owned).to_vec()];
    lines.extend(rows.iter().map(|Row { torch, outcome }| match outcome {
        Outcome::Ran { counts: Counts { passed, failed, skipped }, took } => {
            let seconds = format!("{:.1}", took.as_secs_f64());
            vec![torch.clone(), passed.to_string(), failed.to_string(), skipped.to_string(), seconds]
        }
        Outcome::Not(why) => vec![torch.clone(), (*why).to_owned()],
    }));
    let width = |column: usize| {
        let cells = lines.iter().filter(|cells| cells.len() > 2 || column == 0).filter_map(|cells| cells.get(column));
        cells.map(String::len).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..5).map(width).collect();
    let line = |cells: &Vec<String>| match cells.as_slice() {
        [torch, why] => format!("{torch:<0$}  {why}", widths[0]),
        [torch, rest @ ..] => {
            let rest: String = rest.iter().zip(&widths[1..]).map(|(cell, width)| format!("  {cell:>width$}")).collect();
            format!("{torch:<0$}{rest}", widths[0])
        }
        [] => String::new(),
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_report() {
        let xml = r#"<?xml version="1.0"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="2" skipped="3" tests="10" time="1.2"><testcase/></testsuite></testsuites>"#;
        assert_eq!(Counts::of_report(xml), Some(Counts { passed: 4, failed: 3, skipped: 3 }));
        assert_eq!(Counts::of_report("<testsuite tests=\"1\">"), None);
        assert_eq!(Counts::of_report(""), None);
    }

    #[test]
    fn a_table_of_all() {
        let ran = |passed, failed, skipped| Outcome::Ran {
            counts: Counts { passed, failed, skipped },
            took: Duration::from_millis(12_340),
        };
        let row = |torch: &str, outcome| Row { torch: torch.to_owned(), outcome };
        let rows = [row("2.10.0", ran(28, 0, 1)), row("2.11", Outcome::Not("no wheel")), row("2.15.0", ran(0, 2, 0))];
        let expected = "torch   passed  failed  skipped  seconds\n\
                        2.10.0      28       0        1     12.3\n\
                        2.11    no wheel\n\
                        2.15.0       0       2        0     12.3";
        assert_eq!(table(&rows), expected);
        let errors: Vec<Option<String>> = rows.iter().map(Row::error).collect();
        assert_eq!(errors, [None, None, Some("2 tests failed with torch 2.15.0".to_owned())]);
        assert_eq!(row("2.15.0", ran(0, 0, 3)).error(), Some("no test ran with torch 2.15.0".to_owned()));
    }
}
