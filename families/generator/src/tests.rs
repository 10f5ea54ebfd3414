//! Tests that run the command over things that the tests provide.

use std::fs;
use std::path::{Path, PathBuf};

use minijinja::Value;
use torchgen_base::diag::TextError;
use torchgen_kit::driver::args::NoFlags;
use torchgen_kit::driver::{JobError, Outcome, Session, Status};
use torchgen_kit::facts::{Parameter, Part, Signature, Thing};

use crate::{FunctionOf, Generators, LazyFacts, Provider, Wanted, World};

/// Three operators: `one::add(Tensor self, int? n)`, `one::mul`, `one::div`.
struct Few;

impl Provider for Few {
    type Flags = NoFlags;

    fn read(_: &Wanted<'_>, _: &NoFlags, _: &mut Session) -> Result<Box<dyn World>, JobError> {
        Ok(Box::new(Few))
    }
}

fn thing(name: &str) -> Thing<LazyFacts> {
    let own = name.to_owned();
    let facts: LazyFacts = Box::new(move || Value::from_pairs([("operator", own.clone())]));
    let tensor = Part { base: Some("Tensor".to_owned()), ..Part::new("self", "self", "Tensor") };
    let int = Part { base: Some("int".to_owned()), optional: true, ..Part::new("argument", "n", "int?") };
    let schema = Some(format!("{name}(Tensor self, int? n) -> ()"));
    Thing { parts: vec![tensor, int], schema, ..Thing::new("operator", format!("one::{name}"), facts) }
}

impl World for Few {
    fn torch(&self) -> Option<String> {
        Some("2.15".to_owned())
    }

    fn things(&mut self) -> Vec<Thing<LazyFacts>> {
        ["add", "mul", "div"].map(thing).into()
    }

    fn declare(&mut self, text: &str, _: &str) -> Result<Thing<LazyFacts>, TextError> {
        match text.split_once('(') {
            Some((name, _)) => Ok(thing(name)),
            None => Err(TextError::new(&crate::codes::ENTRY, 0..1, "expected `(`")),
        }
    }

    fn dispatch_keys(&self) -> Vec<&'static str> {
        vec!["CPU"]
    }

    fn functions(&self, _: &str) -> Vec<Signature> {
        let parameter = Parameter { name: "self".to_owned(), ty: "at::Tensor".to_owned(), default: None };
        let own = |form| Signature {
            convention: "cpp".into(),
            form,
            name: "f".to_owned(),
            returns: "void".to_owned(),
            parameters: vec![parameter.clone()],
            ..Signature::default()
        };
        vec![own("function".into()), own("redispatch".into())]
    }

    fn translate(
        &self,
        _: FunctionOf<'_>,
        _: FunctionOf<'_>,
        given: &[(String, String)],
    ) -> Result<Vec<String>, String> {
        given.first().map(|(_, text)| vec![text.clone()]).ok_or_else(|| "no `self`".to_owned())
    }
}

/// A folder with files, in which the command runs.
struct Case(tempfile::TempDir);

impl Case {
    fn new(files: &[(&str, &str)]) -> Case {
        let case = Case(tempfile::tempdir().expect("a directory"));
        for (name, text) in files {
            case.write(name, text.as_bytes());
        }
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &[u8]) {
        fs::create_dir_all(self.path(name).parent().expect("a directory")).expect("a directory");
        fs::write(self.path(name), text).expect("a file");
    }

    fn run(&self, more: &[&str]) -> Outcome {
        let (source, out) = (self.path("in"), self.path("out"));
        let words = ["-s", &source.to_string_lossy(), "-d", &out.to_string_lossy()].map(str::to_owned);
        let words: Vec<&str> = words.iter().map(String::as_str).chain(more.iter().copied()).collect();
        Generators::<Few>::FAMILY.run_alone(&words)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path("out").join(name)).unwrap_or_default()
    }
}

/// A generator that writes one file from a template.
fn made_by(template: &str) -> (Case, Outcome) {
    let manifest = "family: generator\nname: rows\noutputs:\n- {file: a.txt, over: operator, each: row.j2}\n";
    let case = Case::new(&[("in/generator.yaml", manifest), ("in/row.j2", template)]);
    let outcome = case.run(&[]);
    (case, outcome)
}

/// An entry whose operator is not given is one without.
#[test]
fn entries_without_an_operator() {
    let manifest = "family: generator\nname: rows\nentries: {rows: {operator: op, keys: {op: {type: operator}, x: {}}}}\n\
                    outputs:\n- {file: a.txt, over: rows, each: row.j2}\n";
    let row = "{{ entry.x }} {{ op is none }} {{ entry.op is none }}\n";
    let own = "rows:\n- {x: a}\n- {op: null, x: b}\n";
    let case = Case::new(&[("in/generator.yaml", manifest), ("in/row.j2", row), ("own.yaml", own)]);
    let own = case.path("own.yaml");
    let outcome = case.run(&["-s", &own.to_string_lossy(), "-g", &case.path("in").to_string_lossy()]);
    assert_eq!((outcome.status, &*case.text("a.txt")), (Status::Done, "a True True\nb True True\n"), "{outcome:?}");
}

#[track_caller]
fn check(template: &str, expected: &str) {
    let (case, outcome) = made_by(template);
    assert_eq!(
        (case.text("a.txt").as_str(), outcome.printed.err.contains("error")),
        (expected, false),
        "{}",
        outcome.printed.err
    );
}

#[test]
fn templates_see_things_and_functions() {
    check("{{ op }} {{ op.facts.operator }};", "one::add add;one::mul mul;one::div div;");
    let only = |text: &str| format!("{{% if op.name == 'one::mul' %}}{text}{{% endif %}}");
    check(&only("{{ op.inputs | map(attribute='name') | join(',') }} {{ op.tensors[0].default }}"), "self,n None");
    check(&only("{{ signature(op, 'cpp').decl('g') }}"), "void g(at::Tensor self)");
    check(
        &only("{{ signature(op, 'cpp', form='redispatch').defn() }}"),
        "void f(c10::DispatchKeySet dispatchKeySet, at::Tensor self)",
    );
    check(
        &only(
            "{{ signature(op, 'cpp', style='c10').type }} {{ signature(op, 'cpp', style='c10').parameters[0].type }}",
        ),
        "void (at::Tensor) at::Tensor",
    );
    check(&only("{{ translate(signature(op, 'cpp'), signature(op, 'cpp'), given={'self': 'x'}) }}"), "['x']");
    check(&only("{{ find('one::div').name }} {{ find('no') }} {{ things('operator') | length }}"), "one::div None 3");
    check(
        &only("{{ torch_at_least('2.9') }} {{ hash('a', bits=8) < 256 }} {{ hash('a') == hash('a') }}"),
        "True True True",
    );
    check(
        &only(
            "{{ 'addOut_x' | snake }} {{ 'add_out' | camel }} {{ [[1], [2, 3]] | flatten }} {{ ['a'] | index('a') }}",
        ),
        "add_out_x AddOut [1, 2, 3] 0",
    );
    check(
        &only("{{ 'a->b' | json }} {{ 'a\"b' | cpp_string }} {{ 'a1b2' | re_replace('[0-9]', '-') }}"),
        "\"a->b\" \"a\\\"b\" a-b-",
    );
    // The JSON of things and functions, which lead to each other, ends.
    check(&only("{{ op | json | length > 100 }} {{ op.signatures | json | length > 100 }}"), "True True");
    check(&only("{{ 'a bb ccc' | wrap(4) | comment('# ') }}"), "# a bb\n# ccc");
    check(
        &only(
            "{% set n = namespace(all=[]) %}{% for i in range(3) %}{% set n.all = n.all + [i] %}{% endfor %}{{ n.all }}",
        ),
        "[0, 1, 2]",
    );
}

#[test]
fn what_never_ends_is_refused() {
    for template in [
        "{% set n = namespace(a='x') %}{% for i in range(60) %}{% set n.a = n.a ~ n.a %}{% endfor %}",
        "{% set n = namespace(a=[1]) %}{% for i in range(60) %}{% set n.a = n.a + n.a %}{% endfor %}",
        "{% set n = namespace(a=[1], b=[1]) %}{% for i in range(60) %}{% set n.a = n.a + n.b %}\
         {% set n.b = n.b + n.a %}{% endfor %}",
        "{% macro m(a, n) %}{% if n %}{{ m(a + a, n - 1) }}{% endif %}{% endmacro %}{{ m([1], 60) }}",
        "{% set a = [1] * 100000000 %}",
        "{% set n = namespace(a=[1]) %}{% for i in range(60) %}{% set n.a = n.a | chain(n.a) %}{% endfor %}",
        "{% set n = namespace(a=[1]) %}{% for i in range(60) %}{% set n.a = [n.a, n.a] | sum(start=[]) %}{% endfor %}",
        "{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}",
        "{{ 'x' * 100000000000 }}",
        "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
        "{{ 'x' | re_replace('(a|b|ab)*{1,1000}{1,1000}', '') }}",
        "{% include 'row.j2' %}",
    ] {
        let (case, outcome) = made_by(template);
        assert_eq!(outcome.status, Status::Errors, "{template}: {}", outcome.printed.err);
        assert!(!case.path("out").exists(), "{template}");
    }
}

#[test]
fn files_are_below_the_directory() {
    for (file, by) in [
        ("{by}.txt", "'../a'"),
        ("{by}.txt", "'.a'"),
        ("{by}.txt", "'a/b'"),
        ("{by}.txt", "''"),
        ("{by}.txt", "'a\\\\b'"),
        ("../{by}.txt", "'a'"),
        ("/{by}.txt", "'a'"),
        ("a//{by}.txt", "'a'"),
        ("{by", "'a'"),
        ("{by}{bye}", "'a'"),
        ("{by}{options.no}", "'a'"),
        ("{by}", "'a' if op.facts.operator == 'add' else 'A'"),
    ] {
        let manifest = format!(
            "family: generator\nname: rows\noutputs:\n- {{file: \"{file}\", over: operator, each: row.j2, by: \"{by}\"}}\n"
        );
        let case = Case::new(&[("in/generator.yaml", &manifest), ("in/row.j2", "x")]);
        let outcome = case.run(&[]);
        assert_eq!(outcome.status, Status::Errors, "{file} {by}: {}", outcome.printed.err);
        assert!(!case.path("out").exists(), "{file} {by}");
    }
}

const MANIFEST: &str = r#"family: generator
name: rows
torch: ">=2.10, <3.0"
options:
  key: {type: [a, b], default: a, doc: A key.}
  names: {type: identifier, list: true, default: []}
data: {more: more.yaml}
types: {py: {Tensor: T, int: i, "?": "{} | None", "[]": "list[{}]"}}
entries:
  rows:
    operator: op
    namespace: one
    order: model
    repeat: last
    keys:
      op: {type: operator_or_schema, required: true}
      fast: {type: bool, default: false}
      count: {type: int, default: 1}
      of: {type: argument}
      on: {type: dispatch_key, list: true, default: []}
      old: {deprecated: "write `fast:`"}
outputs:
- file: "{options.key}/{by}_{shard}.txt"
  template: file.j2
  texts:
    rows: {over: rows, each: row.j2, where: entry.count > 0, sort: text, unique: true}
    all: {over: [rows]}
  by: entry.on | length
  shards: {count: 2, by: cost}
- {file: "{torch}.txt", over: operator, each: row.j2, sort: op.name, write: options.key == "a"}
"#;
const ROW: &str = "{% from 'macros.j2' import name %}{{ name(op) }}{% for p in op.inputs %} {{ spelled(p, 'py') }}{% endfor %}{% if entry %} {{ entry.fast }} {{ data.more.x }}{% endif %}\n\n";
const FILE: &str = "{{ rows | join }}{{ all | length }} of {{ items | length }} in {{ by }} {{ shard }} {{ shards }}\n";
const OWN: &str = "family: generator\nrows:\n- {op: mul, fast: true, of: self}\n- {op: add, on: [CPU], since: '2.10'}\n- {op: 'own(Tensor self) -> ()'}\n";

fn whole() -> Case {
    Case::new(&[
        ("in/generator.yaml", MANIFEST),
        ("in/ops.yaml", OWN),
        ("in/row.j2", ROW),
        ("in/file.j2", FILE),
        ("in/macros.j2", "{% macro name(op) %}{{ op.name }}{% endmacro %}\n"),
        ("in/more.yaml", "x: 1\n"),
    ])
}

#[test]
fn a_whole_generator_runs() {
    let case = whole();
    let outcome = case.run(&["--emit", "docs,schema"]);
    assert_eq!(outcome.status, Status::Done, "{}", outcome.printed.err);
    assert_eq!(
        case.text("2.15.txt"),
        "one::add T i | None\none::div T i | None\none::mul T i | None\none::own T i | None\n"
    );
    assert_eq!(case.text("a/0_0.txt"), "one::own T i | None False 1\n1 of 1 in 0 0 2\n");
    assert_eq!(case.text("a/0_1.txt"), "one::mul T i | None True 1\n1 of 1 in 0 1 2\n");
    assert_eq!(case.text("a/1_0.txt"), "one::add T i | None False 1\n1 of 1 in 1 0 2\n");
    assert!(case.text("rows.schema.json").contains("\"fast\""));
    assert!(case.text("rows.md").contains("| `fast` |"));
    let outcome = case.run(&["--set", "key=b"]);
    assert_eq!(outcome.status, Status::Done, "{}", outcome.printed.err);
    assert!(case.path("out/b/0_0.txt").is_file());
    for set in ["key=c", "kay=a", "key", "names=a b"] {
        assert_eq!(case.run(&["--set", set]).status, Status::Failed, "{set}");
    }
}

/// Another project's YAML is a list: it is the only section.
#[test]
fn a_list_is_the_only_section() {
    let manifest = "family: generator\nname: rows\nentries:\n  rows: {operator: func, namespace: one, keys: \
                    {func: {type: operator}}}\noutputs:\n- {file: a.txt, over: rows, each: row.j2}\n";
    let case = Case::new(&[("g/generator.yaml", manifest), ("g/row.j2", "{{ op }};"), ("in/list.yaml", "")]);
    case.write("in/list.yaml", b"- func: mul\n- func: add\n");
    let list = case.path("in/list.yaml").to_string_lossy().into_owned();
    let (generator, out) = (case.path("g").to_string_lossy().into_owned(), case.path("out"));
    let words = ["-g", &generator, "-s", &list, "-d", &out.to_string_lossy()];
    let outcome = Generators::<Few>::FAMILY.run_alone(&words);
    assert_eq!(outcome.status, Status::Done, "{}", outcome.printed.err);
    assert_eq!(case.text("a.txt"), "one::mul;one::add;");
}

#[test]
fn files_are_compared_with_others() {
    let case = whole();
    assert_eq!(case.run(&[]).status, Status::Done);
    fs::rename(case.path("out"), case.path("other")).expect("a directory");
    let other = case.path("other").to_string_lossy().into_owned();
    let outcome = case.run(&["--against", &other]);
    assert_eq!(outcome.status, Status::Done, "{}", outcome.printed.err);
    assert!(outcome.printed.err.contains("5 of 5 files as in"), "{}", outcome.printed.err);
    fs::remove_dir_all(case.path("out")).expect("a directory");
    let text = fs::read_to_string(case.path("other/2.15.txt")).expect("a file");
    case.write("other/2.15.txt", text.replace("one::div T i", "one::div T j").as_bytes());
    fs::remove_file(case.path("other/a/0_0.txt")).expect("a file");
    let outcome = case.run(&["--against", &other]);
    assert_eq!(outcome.status, Status::Errors);
    for part in ["2.15.txt` is another text from line 2 on", "for `one::div`", "made:  one::div T i", "there is no `"] {
        assert!(outcome.printed.err.contains(part), "{part}: {}", outcome.printed.err);
    }
    assert!(!case.path("out").exists());
}

#[test]
fn own_tests_run() {
    let case = whole();
    assert!(case.run(&["--test"]).printed.err.contains("has no directory of a test"));
    case.write("in/tests/one/ops.yaml", OWN.as_bytes());
    case.write("in/tests/other/ops.yaml", OWN.as_bytes());
    case.write("in/tests/other/args", b"--set key=b\n");
    case.write("in/tests/wrong/ops.yaml", OWN.replace("fast: true", "fast: 1").as_bytes());
    let outcome = case.run(&["--bless"]);
    assert_eq!(outcome.status, Status::Done, "{}", outcome.printed.err);
    assert!(case.path("in/tests/one/expected/a/0_0.txt").is_file());
    assert!(case.path("in/tests/other/expected/b/0_0.txt").is_file());
    let said = fs::read_to_string(case.path("in/tests/wrong/errors.txt")).expect("a file");
    assert!(said.contains("this must be `true` or `false`") && said.contains(" tests/wrong/ops.yaml:3:"), "{said}");
    let outcome = case.run(&["--test"]);
    assert_eq!(outcome.status, Status::Done, "{}", outcome.printed.err);
    assert!(outcome.printed.err.contains("3 tests"), "{}", outcome.printed.err);
    case.write("in/tests/one/expected/2.15.txt", b"another\n");
    case.write("in/tests/one/expected/more.txt", b"another\n");
    let outcome = case.run(&["--test"]);
    assert_eq!(outcome.status, Status::Errors);
    for part in ["2.15.txt` is another text from line 1 on", "no test makes", "`--bless` writes"] {
        assert!(outcome.printed.err.contains(part), "{part}: {}", outcome.printed.err);
    }
    assert!(!case.path("out").exists());
}

/// Edited manifests, templates and own YAML end, with a status, and write nothing elsewhere.
#[test]
fn mutants_end_and_stay_below_the_directory() {
    let count: u64 = std::env::var("TORCHGEN_MUTANTS").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let files = [("in/generator.yaml", MANIFEST), ("in/ops.yaml", OWN), ("in/row.j2", ROW), ("in/file.j2", FILE)];
    const PIECES: [&str; 20] = [
        "{{",
        "}}",
        "{%",
        "%}",
        "../",
        "/etc/",
        "[",
        "]",
        "{",
        "}",
        ":",
        "- ",
        "\n",
        "'",
        "\"",
        "&a *a",
        "op",
        "none",
        "~",
        "\u{f0000}",
    ];
    let case = whole();
    let before = names(case.0.path());
    let mut state: u64 = 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below.max(1)
    };
    for _ in 0..count {
        let (name, text) = files[next(files.len())];
        let mut text: Vec<char> = text.chars().collect();
        for _ in 0..=next(3) {
            let at = next(text.len());
            match next(4) {
                0 => drop(text.remove(at)),
                1 => drop(text.splice(at..at, PIECES[next(PIECES.len())].chars())),
                2 => {
                    let end = (at + next(20)).min(text.len());
                    let piece: Vec<char> = text[at..end].to_vec();
                    let to = next(text.len());
                    drop(text.splice(to..to, piece));
                }
                _ => drop(text.splice(at..(at + next(10)).min(text.len()), std::iter::empty())),
            }
        }
        let text: String = text.into_iter().collect();
        case.write(name, text.as_bytes());
        let outcome = case.run(&["--force"]);
        assert!(outcome.status != Status::Done || case.path("out").exists() || text.contains("write"), "{text}");
        let _ = fs::remove_dir_all(case.path("out"));
        assert_eq!(names(case.0.path()), before, "{name}: {text}");
        for (name, text) in files {
            case.write(name, text.as_bytes());
        }
    }
}

fn names(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut pending = vec![dir.to_owned()];
    while let Some(dir) = pending.pop() {
        for entry in fs::read_dir(dir).expect("a directory").filter_map(Result::ok) {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path.clone());
            }
            all.push(path);
        }
    }
    all.sort();
    all
}
