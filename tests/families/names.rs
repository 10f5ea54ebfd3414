//! Names that an author could choose and generated code could use for something else.
//!
//! A family writes records with these names in every position, removes those that the program
//! refuses, and compiles the rest. Invariant: the list depends on the generated files, the compiler
//! and the seed only.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use regex::Regex;

use crate::support::cxx::compiler;

/// Words of C++ that are no keywords, and words of Python.
const WORDS: &str = "final override import module size_t int64_t uint32_t std string vector map main \
    None True False def class self lambda pass yield is not in and or del elif except from global \
    nonlocal raise with async await print len range type list dict set str int float bool object";

/// Names that authors of tree IRs choose every day.
const EVERYDAY: &str = "\
    loop load store index call block select let range func module ref fence barrier alloc free \
    reduce region phi copy view slice tensor shape stride buffer matmul cond branch jump label \
    exp log sin max min abs floor ceil node value type op stmt expr var constant function \
    pointer ptr memory address field record tuple get set list dict map filter fold visit \
    match walk clone print parse hash compare equal assign define declare return_ if_else \
    while_loop for_loop broadcast cast convert neg logic_not bit_and shift permute concat pad \
    gather scatter conv pool softmax relu add sub mul div mod fma dot sum mean sqrt rsqrt pow \
    tanh sigmoid erf clamp where iota arange eye zeros ones full rand dropout norm attention \
    embedding lookup split stack squeeze unsqueeze transpose reshape flatten begin end next \
    first last size empty data name id key kind attr attrs arg args param params body init \
    step then otherwise test case default_ scope context ctx builder visitor printer parser \
    validator error string vector pair optional literal symbol token source line column offset \
    count length width height depth batch channel axis dim rank left right lhs rhs in out \
    result input output f g h x y z a b c i j k n m p q r s t u v w l e d";

/// Names that authors choose every day, as they are and with a capital letter.
pub(crate) fn everyday() -> Vec<String> {
    let capital = |name: &str| name[..1].to_ascii_uppercase() + &name[1..];
    EVERYDAY.split_whitespace().flat_map(|name| [name.to_owned(), capital(name)]).collect()
}

/// All identifiers of the generated files, the macros that are defined after the headers, and words
/// of C++ and Python.
pub(crate) fn all(generated: &Path, headers: &[&str]) -> Vec<String> {
    let word = Regex::new(r"\b[A-Za-z_]\w*\b").expect("a pattern");
    let mut names: BTreeSet<String> = WORDS.split_whitespace().map(str::to_owned).collect();
    for entry in fs::read_dir(generated).expect("a directory") {
        let path = entry.expect("an entry").path();
        let is_code = path.extension().is_some_and(|ending| ["h", "cpp", "def"].iter().any(|known| ending == *known));
        if is_code {
            let text = fs::read_to_string(&path).expect("a text");
            names.extend(word.find_iter(&text).map(|found| found.as_str().to_owned()));
        }
    }
    names.extend(macros(generated, headers));
    names.into_iter().collect()
}

/// The macros that the compiler knows after some headers, as C++17 and with extensions.
fn macros(generated: &Path, headers: &[&str]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let directory = tempfile::tempdir().expect("a directory");
    let source = directory.path().join("all.cpp");
    fs::write(&source, headers.iter().map(|name| format!("#include \"{name}\"\n")).collect::<String>())
        .expect("a file");
    for standard in ["-std=c++17", "-std=gnu++17"] {
        let mut command = Command::new(compiler());
        let output = command.args([standard, "-dM", "-E", "-I"]).arg(generated).arg(&source).output();
        let output = output.expect("the compiler starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let defined = text.lines().filter_map(|line| line.strip_prefix("#define "));
        let name = |line: &str| line.split([' ', '(']).next().map(str::to_owned);
        names.extend(defined.filter_map(name));
    }
    names
}

/// Numbers that depend on a seed only.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `limit`.
    fn below(&mut self, limit: usize) -> usize {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((value ^ (value >> 31)) % limit as u64).expect("below a usize")
    }

    /// Some of the names.
    pub(crate) fn some(&mut self, names: &[String], count: usize) -> Vec<String> {
        (0..count).map(|_| names[self.below(names.len())].clone()).collect()
    }
}
