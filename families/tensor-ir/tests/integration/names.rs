//! Every name in every position of a tensor IR is refused with a place, or what is generated
//! compiles without warnings.

use std::collections::BTreeSet;
use std::fs;

use libtest_mimic::Trial;
use tempfile::TempDir;

use super::torchgen;
use crate::families::names::{self, Random, all};
use crate::support::cxx::Program;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = trials![names_compile, everyday_names_are_free, odd_irs_compile];
    // Take long: `cargo test --test integration -- --ignored every`.
    trials.extend(
        trials![every_name_compiles, everyday_names_compile].into_iter().map(|trial| trial.with_ignored_flag(true)),
    );
    trials
}

/// The seed of the sample, and how many names each position has in it.
const SEED: u64 = 20_251_122;
const SAMPLE: usize = 8;
/// How many entries are compiled together.
const CHUNK: usize = 200;

/// What every IR has: nodes with most roles, so that most of the library is there. `LISTS` are the
/// entries of a position.
const NODES: &str = "\
    - {expr: \"constant(scalar[] value, dtype type)\", dtype: type, print: \"{value}\"}\n\
    - {expr: \"var(dtype type, str name)\", dtype: type, identity: true, print: \"{name}\", declare: \"{name}: {type}\"}\n\
    - {expr: \"add(expr l, expr r)\", dtype: \"common(l, r)\", print: \"({l} + {r})\", operator: \"+\", commutative: true}\n\
    - {expr: \"intrin_call(intrin_type type, expr[] args, *, attrs intrin_attrs)\", dtype: \"intrinsic(type, args, intrin_attrs)\", print: \"{type}({args:, })\"}\n";

const STMTS: &str = "\
    - {stmt: \"stmts(stmt[] seq)\", print: \"{seq!b}\", scope: {block: seq}}\n\
    - {stmt: \"assign(expr var, expr value)\", print: \"{var} = {value}\"}\n";

/// A position: the list that its entries belong to, and the entry of a name. `N` is the name, and
/// `I` a number.
const POSITIONS: &[(&str, &str)] = &[
    ("exprs", "{expr: \"N(expr aa, int bb)\", dtype: aa, print: \"I e {aa} {bb}\"}"),
    ("stmts", "{stmt: \"N(expr aa, stmt bb)\", print: \"I s {aa} {bb}\"}"),
    ("exprs", "{base: \"N(expr aa)\", dtype: aa}"),
    ("structs", "{struct: \"N(expr aa, int bb)\", print: \"I t {aa} {bb}\"}"),
    ("enums", "'N': {values: [one_v, two_v]}"),
    ("enums", "en_I: {values: ['N', other_v]}"),
    ("intrinsics", "{intrinsic: \"N(expr aa, *, int bb)\", dtype: aa}"),
    (
        "exprs",
        "{expr: \"ne_I(expr N, int bb, expr[] cc, dtype dd, str ee, zz_t[] ff, zz_e gg)\", dtype: f32, print: \"I f {N} {bb} {cc:, } {dd} {ee} {ff:, } {gg}\"}",
    ),
    ("exprs", "{base: \"nb_I(expr aa, int N)\", dtype: aa}"),
    ("stmts", "{stmt: \"ns_I(int N, stmt bb, expr? cc, zz_e dd)\", print: \"I g {N} {bb} {cc} {dd}\"}"),
    ("structs", "{struct: \"nt_I(int N, expr bb)\", print: \"I u {N} {bb}\"}"),
    ("intrinsics", "{intrinsic: \"ni_I(expr N, expr bb, *, int cc)\", dtype: bb}"),
    ("intrinsics", "{intrinsic: \"no_I(expr aa, *, int N)\", dtype: aa}"),
    ("intrinsic_attributes", "'N': key_I"),
];

const LISTS: &[&str] = &["enums", "intrinsic_attributes", "structs", "exprs", "stmts", "intrinsics"];

/// The names that every IR has.
const OWN: [&str; 10] = ["constant", "var", "add", "intrin_call", "stmts", "assign", "twist", "zz_e", "zz_t", "zz_a"];

/// The IR of entries: for each, the number of its position, and a line of YAML.
fn ir(entries: &[(usize, String)]) -> (String, Vec<Option<usize>>) {
    let mut text = String::from("family: tensor-ir\nnamespace: zz\n");
    for list in LISTS {
        text.push_str(&format!("{list}:\n"));
        match *list {
            "enums" => text.push_str("  zz_e: {values: [first_v, second_v]}\n"),
            "intrinsic_attributes" => text.push_str("  zz_a: key\n"),
            "structs" => text.push_str("- {struct: \"zz_t(expr aa)\", print: \"t {aa}\"}\n"),
            "exprs" => text.push_str(NODES),
            "stmts" => text.push_str(STMTS),
            _ => text.push_str("- {name: twist, args: 2, dtype: l}\n"),
        }
        for (_, line) in entries.iter().filter(|(at, _)| POSITIONS[*at].0 == *list) {
            let mark = if list.starts_with("enums") || list.starts_with("intrinsic_") { "  " } else { "- " };
            text.push_str(&format!("{mark}{line}\n"));
        }
    }
    let places = text.lines().map(|line| {
        let line = line.trim_start_matches(['-', ' ']);
        entries.iter().position(|(_, entry)| entry == line)
    });
    let places = places.collect();
    (text, places)
}

/// Generates the IR of entries; the places of those that are refused. Every error must have a
/// place.
fn generate(entries: &[(usize, String)]) -> (TempDir, BTreeSet<usize>) {
    let (text, places) = ir(entries);
    let directory = tempfile::tempdir().expect("a temporary directory");
    fs::write(directory.path().join("ir.yaml"), &text).expect("a file");
    let flags =
        ["tensor-ir", "-s", "ir.yaml", "-d", "out", "--emit", "parser,self-test,skeletons", "--max-errors", "100000"];
    let output = torchgen(&flags, directory.path());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let mut refused: BTreeSet<usize> = BTreeSet::new();
    for error in said.split("\n\n").filter(|error| error.starts_with("error[")) {
        let place = error.split("--> ir.yaml:").nth(1).and_then(|rest| rest.split(':').next());
        let line: usize = place.and_then(|line| line.parse().ok()).unwrap_or_else(|| panic!("no place:\n{error}"));
        // What another entry takes away from a node of every IR is that entry's error too.
        refused.extend(places[line - 1]);
    }
    assert!(output.status.success() || !refused.is_empty(), "no entry is refused:\n{said}");
    (directory, refused)
}

/// Generates the IR without the entries that are refused.
fn accepted(mut entries: Vec<(usize, String)>) -> TempDir {
    for _ in 0..6 {
        let (directory, refused) = generate(&entries);
        if refused.is_empty() {
            return directory;
        }
        let mut at = 0;
        entries.retain(|_| {
            at += 1;
            !refused.contains(&(at - 1))
        });
    }
    panic!("after six runs, entries are refused: {entries:?}");
}

/// The names of the generated files with an ending, sorted.
fn files(directory: &TempDir, end: &str) -> Vec<String> {
    let entries = fs::read_dir(directory.path().join("out")).expect("what was generated");
    let names = entries.map(|entry| entry.expect("a file").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(end) && !name.contains("undef")).collect();
    names.sort();
    names
}

/// Compiles the generated sources as one unit, and their headers as another one.
fn compiles(directory: &TempDir) {
    let text =
        |end: &str| -> String { files(directory, end).iter().map(|name| format!("#include \"{name}\"\n")).collect() };
    let program = Program::new("tensor_ir_names").include(directory.path().join("out"));
    program.text("sources.cpp", &text(".cpp")).text("headers.cpp", &text(".h")).compiles();
}

/// The names that an IR could have: not those of every IR, which would be there twice.
fn candidates() -> Vec<String> {
    let plain = accepted(Vec::new());
    let out = plain.path().join("out");
    let headers: Vec<String> = files(&plain, ".h");
    let headers: Vec<&str> = headers.iter().map(String::as_str).collect();
    all(&out, &headers).into_iter().filter(|name| !OWN.contains(&name.as_str())).collect()
}

/// The entry of a position for a name, and a number.
fn entry(at: usize, name: &str, number: usize) -> (usize, String) {
    let number = number.to_string();
    let filled = POSITIONS[at].1.split_inclusive(|c: char| !c.is_ascii_alphanumeric()).map(|part| {
        let (word, mark) = part.split_at(part.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).len());
        let word = match word {
            "N" => name,
            "I" => number.as_str(),
            word => word,
        };
        format!("{word}{mark}")
    });
    (at, filled.collect())
}

/// The entries of positions and names.
fn entries(names: impl Fn(usize) -> Vec<String>) -> Vec<(usize, String)> {
    let all = (0..POSITIONS.len()).flat_map(|at| names(at).into_iter().map(move |name| (at, name)));
    all.enumerate().map(|(number, (at, name))| entry(at, &name, number)).collect()
}

/// The everyday names, but for those of nodes that every IR has.
fn everyday() -> Vec<String> {
    let is_small = |name: &String| name.starts_with(|c: char| c.is_ascii_lowercase());
    names::everyday().into_iter().filter(|name| is_small(name) && !OWN.contains(&name.as_str())).collect()
}

/// Of everyday names in steps, each once as a node, a base, a record or an enumeration, and as a
/// field, a value of an enumeration, an intrinsic and an attribute.
fn everyday_entries(step: usize) -> Vec<(usize, String)> {
    let names = everyday().into_iter().filter(|name| !REFUSED.contains(&name.as_str()));
    let names: Vec<String> = names.step_by(step).collect();
    let position = |wanted: &str| POSITIONS.iter().position(|(_, entry)| entry.contains(wanted)).expect("a position");
    let mut all: Vec<(usize, String)> =
        names.iter().enumerate().map(|(number, name)| entry([0, 1, 0, 1, 2, 3, 4][number % 7], name, number)).collect();
    all.extend(names.iter().enumerate().map(|(number, name)| entry(position("'N': key"), name, number)));
    // A builder belongs to one of an expression and an intrinsic.
    let others = names.iter().enumerate().filter(|(number, _)| ![0, 2].contains(&(number % 7)));
    all.extend(others.map(|(number, name)| entry(position("{intrinsic: \"N("), name, number)));
    all.push((position("en_I"), format!("en_every: {{values: [{}]}}", names.join(", "))));
    const TYPES: [&str; 8] = ["expr", "int", "expr[]", "dtype", "str", "zz_t[]", "zz_e", "stmt"];
    for (number, chunk) in names.chunks(TYPES.len()).enumerate() {
        let fields: Vec<String> = chunk.iter().zip(TYPES).map(|(name, ty)| format!("{ty} {name}")).collect();
        let print: Vec<String> = chunk
            .iter()
            .zip(TYPES)
            .map(|(name, ty)| if ty.ends_with("[]") { format!("{{{name}:, }}") } else { format!("{{{name}}}") })
            .collect();
        let (fields, print) = (fields.join(", "), print.join(" "));
        let [expr, stmt] = ["ne_I(", "ns_I("].map(position);
        all.push((expr, format!("{{expr: \"fe_{number}({fields})\", dtype: s32, print: \"{number} f {print}\"}}")));
        all.push((stmt, format!("{{stmt: \"fs_{number}({fields})\", print: \"{number} g {print}\"}}")));
    }
    all
}

fn names_compile() {
    let names = candidates();
    let sample = |at: usize| Random::new(SEED + at as u64).some(&names, SAMPLE);
    let mut all = entries(sample);
    all.extend(everyday_entries(8));
    compiles(&accepted(all));
}

/// The program of `sizes` runs with some of these names too. The self-test is left out, since it
/// casts each node to each.
fn everyday_names_compile() {
    let all = everyday_entries(1);
    let (directory, refused) = generate(&all);
    let refused: Vec<&str> = refused.iter().map(|at| all[*at].1.as_str()).collect();
    assert!(refused.is_empty(), "{refused:?}");
    fs::remove_file(directory.path().join("out/selftest.cpp")).expect("the self-test");
    compiles(&directory);
}

/// Of the everyday names, only these are refused anywhere: each is a word of C++ or of schemas, or
/// is declared by the library.
const REFUSED: [&str; 10] = ["attr", "attrs", "builder", "case", "data", "expr", "func", "index", "match", "stmt"];

fn everyday_names_are_free() {
    let names = everyday();
    let mut all = BTreeSet::new();
    for (at, (_, form)) in POSITIONS.iter().enumerate() {
        let entries: Vec<_> = names.iter().enumerate().map(|(number, name)| entry(at, name, number)).collect();
        let (_, refused) = generate(&entries);
        let refused: Vec<&str> = refused.iter().map(|at| names[*at].as_str()).collect();
        assert!(refused.iter().all(|name| REFUSED.contains(name)), "{form}: {refused:?}");
        all.extend(refused.into_iter().map(str::to_owned));
    }
    assert_eq!(all.into_iter().collect::<Vec<_>>(), REFUSED);
}

fn every_name_compiles() {
    let names = candidates();
    for chunk in entries(|_| names.clone()).chunks(CHUNK) {
        compiles(&accepted(chunk.to_vec()));
    }
}

/// IRs that lack what most have: operands of two kinds, statements alone, no node of two operands.
fn odd_irs_compile() {
    let irs = [
        "exprs:\n\
         - {expr: \"constant(scalar[] value, dtype type)\", dtype: type, print: \"{value}\"}\n\
         - {expr: \"let(stmt s, expr v)\", dtype: v, print: \"let {s} in {v}\"}\n\
         stmts:\n- {stmt: \"run(expr value)\", print: \"run {value}\"}\n",
        "stmts:\n- {stmt: \"nop()\", print: \"nop\"}\n",
    ];
    for text in irs {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let text = format!("family: tensor-ir\nnamespace: zz\n{text}");
        fs::write(directory.path().join("ir.yaml"), text).expect("a file");
        let flags = ["tensor-ir", "-s", "ir.yaml", "-d", "out", "--emit", "parser,self-test,skeletons"];
        let output = torchgen(&flags, directory.path());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        compiles(&directory);
    }
}
