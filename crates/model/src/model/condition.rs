//! Conditions of a build: `when:` of an operator or of a kernel, which becomes an `#if`.
//!
//! Invariant: a condition depends on the compilation alone, never on the run: on macros, on the
//! torch that is compiled with, and on the architectures that kernels for CUDA are compiled for.

use super::DispatchKey;
use super::version::Version;
use torchgen_kit::expr::Comparison;

/// A part of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// One of them holds.
    Any(Vec<Test>),
    /// All of them hold.
    All(Vec<Test>),
    /// It does not hold.
    Not(Box<Test>),
    /// The minor version of torch.
    Torch(Comparison, Version),
    /// Kernels are compiled for that kind of device: `CUDA` or `ROCM`.
    BuiltFor(&'static str),
    /// Kernels for CUDA are compiled for such an architecture, `90` for 9.0.
    Architecture(Comparison, u32),
    /// They are compiled for exactly this one, which may have a suffix: `90a`.
    ExactArchitecture(String),
    /// The macro is defined.
    Defined(String),
    /// The macro is defined, and its value is not zero.
    Macro(String),
    /// The macro is defined, and its value compares.
    Value(String, Comparison, i64),
}

/// A condition, with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    text: String,
    test: Test,
}

/// Which torch a condition compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedTorch {
    /// The one that is compiled with.
    Compiled,
    /// The oldest one that a library on the stable ABI works with.
    Oldest,
}

impl Condition {
    /// The condition with its text, in which blanks do not matter.
    pub fn new(text: &str, test: Test) -> Condition {
        Condition { text: text.split_whitespace().collect::<Vec<_>>().join(" "), test }
    }

    /// As in the YAML.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The condition of an `#if`.
    pub fn cpp(&self, torch: ComparedTorch) -> String {
        cpp(&self.test, torch)
    }

    /// Whether it needs the header with the version of torch.
    pub fn compares_torch(&self) -> bool {
        compares_torch(&self.test)
    }

    /// All of them; `None` if there is none.
    pub fn all<'c>(conditions: impl IntoIterator<Item = &'c Condition>) -> Option<Condition> {
        let mut each: Vec<&Condition> = Vec::new();
        for condition in conditions {
            if !each.contains(&condition) {
                each.push(condition);
            }
        }
        match each.as_slice() {
            [] => None,
            [one] => Some((*one).clone()),
            several => {
                let text = |one: &&Condition| match one.test {
                    Test::Any(_) => format!("({})", one.text),
                    _ => one.text.clone(),
                };
                Some(Condition {
                    text: several.iter().map(text).collect::<Vec<_>>().join(" and "),
                    test: Test::All(several.iter().map(|one| one.test.clone()).collect()),
                })
            }
        }
    }
}

/// The conditions of an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conditions {
    /// That of the operator: otherwise it does not exist.
    pub operator: Option<Condition>,
    /// Those of its kernels: otherwise they are not registered.
    pub kernels: Vec<(DispatchKey, Condition)>,
}

impl Conditions {
    /// Those that a kernel needs.
    pub(crate) fn of_kernel(&self, key: DispatchKey) -> impl Iterator<Item = &Condition> {
        let own = self.kernels.iter().filter(move |(of, _)| *of == key).map(|(_, condition)| condition);
        self.operator.iter().chain(own)
    }
}

fn cpp(test: &Test, torch: ComparedTorch) -> String {
    match test {
        Test::Any(tests) => joined(tests, " || ", torch, |test| matches!(test, Test::All(_)) || is_conjunction(test)),
        Test::All(tests) => joined(tests, " && ", torch, |test| matches!(test, Test::Any(_))),
        Test::Not(inner) => match inner.as_ref() {
            Test::Defined(_) | Test::BuiltFor(_) | Test::ExactArchitecture(_) => format!("!{}", cpp(inner, torch)),
            _ => format!("!({})", cpp(inner, torch)),
        },
        Test::Torch(comparison, version) => match torch {
            ComparedTorch::Compiled => {
                let number = u32::from(version.major()) * 1000 + u32::from(version.minor());
                format!("TORCH_VERSION_MAJOR * 1000 + TORCH_VERSION_MINOR {} {number}", comparison.symbol())
            }
            ComparedTorch::Oldest => {
                let number = u32::from(version.major()) << 8 | u32::from(version.minor());
                format!("(TORCH_FEATURE_VERSION >> 48) {} {number:#06x}", comparison.symbol())
            }
        },
        Test::BuiltFor(device) => format!("defined(TORCHGEN_WITH_{device})"),
        // An undefined macro is zero, and no architecture is.
        Test::Architecture(comparison @ (Comparison::Greater | Comparison::GreaterEqual), number) => {
            format!("TORCHGEN_CUDA_ARCH_MAX {} {number}", comparison.symbol())
        }
        Test::Architecture(comparison, number) => {
            format!("defined(TORCHGEN_CUDA_ARCH_MIN) && TORCHGEN_CUDA_ARCH_MIN {} {number}", comparison.symbol())
        }
        Test::ExactArchitecture(number) => format!("defined(TORCHGEN_CUDA_ARCH_{number})"),
        Test::Defined(name) => format!("defined({name})"),
        Test::Macro(name) => format!("defined({name}) && {name}"),
        Test::Value(name, comparison, value) => format!("defined({name}) && {name} {} {value}", comparison.symbol()),
    }
}

/// The tests, with parentheses around those that need them.
fn joined(tests: &[Test], by: &str, torch: ComparedTorch, nests: impl Fn(&Test) -> bool) -> String {
    let each = |test: &Test| match nests(test) {
        true => format!("({})", cpp(test, torch)),
        false => cpp(test, torch),
    };
    tests.iter().map(each).collect::<Vec<_>>().join(by)
}

/// Whether the C++ of a single test has `&&` in it.
fn is_conjunction(test: &Test) -> bool {
    match test {
        Test::Macro(_) | Test::Value(..) => true,
        Test::Architecture(comparison, _) => !matches!(comparison, Comparison::Greater | Comparison::GreaterEqual),
        _ => false,
    }
}

fn compares_torch(test: &Test) -> bool {
    match test {
        Test::Any(tests) | Test::All(tests) => tests.iter().any(compares_torch),
        Test::Not(inner) => compares_torch(inner),
        Test::Torch(..) => true,
        _ => false,
    }
}
