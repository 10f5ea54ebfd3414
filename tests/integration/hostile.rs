//! Hostile text in every text of every kind of YAML: it is refused, or stays in comments, strings
//! and data of what is generated.
//!
//! `samples/` has each key of each kind once. Each text of a sample, and each key that an author
//! chooses, gets a hostile end, and each string inside a text a hostile content, one at a time. If
//! the run succeeds, the code of its output must be that of the unchanged sample, token by token,
//! with strings and comments left out. The keys come from the JSON Schemas, and so from the tables
//! of the readers: the test fails if a sample lacks a key that takes text.

mod code;
mod positions;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;
use walkdir::WalkDir;

use crate::support::pytorch::{copy, pytorch, root};
use crate::support::schema;
use code::{Code, code_of};
use positions::{Position, changed, changed_inside, lacking, positions, with_strings, yaml};

/// Keys that are there only for the message that refuses them.
const REFUSED: &[(&str, &str)] = &[("library", "ufunc_inner_loop")];

/// The ends of hostile texts: with lines and without. Each also joins its line with the next one.
const ENDS: &[&str] = &[
    "\nescaped();\r#error escaped\u{2028}escaped(); */ escaped();\u{85}#error escaped\n\"\"\"\nescaped()\n'''\nescaped()\\",
    " */ escaped(); /* \" escaped(); ' escaped(); \"\"\" escaped() ''' \u{202e}\0 escaped() ??/",
];

/// Hostile texts inside the strings of a text, such as defaults in a schema: what ends a line for
/// some reader, and what is no text.
const INSIDE: &[&str] = &[
    "\r#error escaped\r",
    "\n#error escaped\n",
    "\u{2028}#error escaped\u{85}escaped()\u{c}escaped()",
    "*/ escaped() /* ''' escaped() ''' ??/",
    "\0",
];

/// A kind of YAML, and how the sample is generated.
struct Kind {
    /// The sample, and the trial.
    name: &'static str,
    /// The kinds whose schemas it has the keys of.
    schema: &'static str,
    /// The path of the sample's file below `IN`.
    file: &'static str,
    /// A directory of files beside it.
    directory: &'static str,
    /// Further files: paths below `IN` or `PYTORCH`, and samples.
    beside: &'static [(&'static str, &'static str)],
    /// The command line. `IN` has the files, `OUT` is new, and `PYTORCH` a source path.
    run: &'static str,
    /// Texts that are C++ or Python by design: they end where the author ends them.
    code: &'static [&'static str],
}

/// An operator that its library registers by itself.
const OWN: &str = "- func: ns::registered(Tensor self) -> Tensor\n  registration: own\n";

/// The operators of PyTorch that backends see.
const CHECKOUT: &str = "PYTORCH/checkout/aten/src/ATen/native/native_functions.yaml";

const KINDS: &[Kind] = &[
    Kind {
        name: "tensor-ir",
        schema: "tensor-ir",
        file: "ir.yaml",
        directory: "",
        beside: &[],
        run: "tensor-ir -s IN -d OUT --emit docs,model,parser,self-test,skeletons",
        code: &["types.*.cpp", "types.*.cmp", "types.*.hash", "types.*.print", "types.*.parse"],
    },
    Kind {
        name: "graph-ir",
        schema: "graph-ir",
        file: "ir.yaml",
        directory: "",
        beside: &[],
        run: "graph-ir -s IN -d OUT --emit docs,model,self-test",
        code: &[
            "types.*.cpp",
            "types.*.storage",
            "types.*.argument",
            "types.*.returns",
            "types.*.cmp",
            "types.*.hash",
            "ops[].methods[].decl",
            "ops[].methods[].define",
            "ops[].scratch_size.*",
        ],
    },
    Kind {
        name: "op-builders",
        schema: "op-builders",
        file: "ops.yaml",
        directory: "",
        beside: &[("by_file.inc", "return x;\n")],
        run: "op-builders -s IN -d OUT --emit docs,model,self-test",
        code: &["ops[].impl.inline"],
    },
    Kind {
        name: "wrappers",
        schema: "wrappers",
        file: "backend.yaml",
        directory: "",
        beside: &[("aten.yaml", "aten.yaml")],
        run: "wrappers -s IN/backend.yaml -d OUT --mock --all --emit stubs",
        code: &["functions[].cpu", "ops[].examples[]"],
    },
    Kind {
        name: "wrappers-legacy",
        schema: "wrappers",
        file: "backend.yaml",
        directory: "families/wrappers/tests/legacy",
        beside: &[],
        run: "wrappers -s IN/backend.yaml -d OUT",
        code: &[],
    },
    Kind {
        name: "wrappers-declared",
        schema: "wrappers",
        file: "backend.yaml",
        directory: "families/wrappers/tests/legacy",
        beside: &[],
        run: "wrappers -s IN/backend.yaml -d OUT",
        code: &[],
    },
    Kind {
        name: "generator",
        schema: "generator",
        file: "generator.yaml",
        directory: "",
        beside: &[
            ("row.j2", "// {{ op.name }}\n"),
            ("file.j2", "{{ texts | join }}"),
            ("all.j2", "{{ all | join }}"),
            ("more.yaml", "a: 1\n"),
            ("ops.yaml", "family: generator\ngenerator: .\nrows: [{op: abs, fast: true}]\n"),
        ],
        run: "generator -s IN/generator.yaml -s IN/ops.yaml -d OUT --emit docs,schema",
        // Expressions, and names of files.
        code: &["outputs[].file", "outputs[].where", "outputs[].by", "outputs[].sort", "outputs[].write"],
    },
    Kind {
        name: "library-operators",
        schema: "library",
        file: "native_functions.yaml",
        directory: "",
        beside: &[("derivatives.yaml", "derivatives.yaml")],
        run: "-s IN -d OUT --python-package own",
        code: &[],
    },
    Kind {
        name: "derivatives",
        schema: "derivatives",
        file: "derivatives.yaml",
        directory: "",
        beside: &[("native_functions.yaml", "library-operators.yaml")],
        run: "-s IN -d OUT --python-package own",
        code: &["[].*"],
    },
    Kind {
        name: "library-settings",
        schema: "library-settings",
        file: "library.yaml",
        directory: "",
        beside: &[("native_functions.yaml", "library-operators.yaml"), ("more.yaml", "[]\n")],
        run: "-s IN -d OUT",
        code: &[],
    },
    Kind {
        name: "stable",
        schema: "",
        file: "native_functions.yaml",
        directory: "",
        beside: &[
            ("derivatives.yaml", "stable-derivatives.yaml"),
            ("library.yaml", "stable-settings.yaml"),
            ("own.yaml", OWN),
        ],
        run: "-s IN -d OUT",
        code: &[],
    },
    Kind {
        name: "stable-settings",
        schema: "library-settings",
        file: "library.yaml",
        directory: "",
        beside: &[
            ("native_functions.yaml", "stable.yaml"),
            ("derivatives.yaml", "stable-derivatives.yaml"),
            ("own.yaml", OWN),
        ],
        run: "-s IN -d OUT",
        code: &[],
    },
    Kind {
        name: "stable-derivatives",
        schema: "",
        file: "derivatives.yaml",
        directory: "",
        beside: &[
            ("native_functions.yaml", "stable.yaml"),
            ("library.yaml", "stable-settings.yaml"),
            ("own.yaml", OWN),
        ],
        run: "-s IN -d OUT",
        code: &[],
    },
    Kind {
        name: "backend",
        schema: "backend",
        file: "backend.yaml",
        directory: "",
        beside: &[
            ("derivatives.yaml", "[]\n"),
            ("operators/native_functions.yaml", "stable.yaml"),
            (CHECKOUT, "native_functions.yaml"),
        ],
        run: "backend-stubs -s IN/backend.yaml -o OUT --torch-path PYTORCH/checkout",
        // Names under `symint` that no operator has select nothing.
        code: &["symint[]", "files.*.prologue", "files.*.registrations", "files.*.epilogue"],
    },
    Kind {
        name: "lazy",
        schema: "backend",
        file: "lazy.yaml",
        directory: "",
        beside: &[(CHECKOUT, "native_functions.yaml")],
        run: "lazy-tensor -s IN/lazy.yaml -o OUT --torch-path PYTORCH/checkout --skip-shape-inference-check",
        code: &["non_native[].opkind"],
    },
    Kind {
        name: "native_functions",
        schema: "native-functions",
        file: "../pytorch/source/native/native_functions.yaml",
        directory: "",
        beside: &[],
        run: "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti",
        code: &[],
    },
    Kind {
        name: "tags",
        schema: "tags",
        file: "../pytorch/source/native/tags.yaml",
        directory: "",
        beside: &[("PYTORCH/source/native/native_functions.yaml", "native_functions.yaml")],
        run: "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti",
        code: &[],
    },
    Kind {
        name: "selective",
        schema: "selective",
        file: "selective.yaml",
        directory: "",
        beside: &[("PYTORCH/source/native/native_functions.yaml", "native_functions.yaml")],
        run: "-s PYTORCH/source -d OUT --aoti-install-dir OUT/aoti --op-selection-yaml-path IN/selective.yaml",
        code: &[],
    },
];

/// A trial for each kind.
pub(crate) fn trials() -> Vec<Trial> {
    let trial = |kind: &'static Kind| {
        Trial::test(format!("hostile::{}", kind.name), move || {
            let wrong = wrong(kind);
            if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n").into()) }
        })
    };
    let keys = Trial::test("hostile::samples_have_all_keys", || {
        let lacking = keys_without_sample();
        if lacking.is_empty() { Ok(()) } else { Err(format!("add to a sample: {lacking:#?}").into()) }
    });
    KINDS.iter().map(trial).chain([keys]).collect()
}

fn samples() -> PathBuf {
    root().join("tests/integration/hostile/samples")
}

fn sample(name: &str) -> Value {
    let text = fs::read_to_string(samples().join(name)).expect("a sample");
    serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn schema(kind: &str) -> Value {
    let text = fs::read_to_string(schema::path(kind)).expect("a schema");
    serde_json::from_str(&text).expect("a schema is JSON")
}

/// The keys that take text and are in no sample of their kind.
fn keys_without_sample() -> Vec<String> {
    let kinds: BTreeSet<&str> = KINDS.iter().map(|kind| kind.schema).filter(|name| !name.is_empty()).collect();
    let of = |schema_name: &str| {
        let samples: Vec<Value> = KINDS
            .iter()
            .filter(|kind| kind.schema == schema_name)
            .map(|kind| sample(&format!("{}.yaml", kind.name)))
            .collect();
        let lacking = lacking(&schema(schema_name), &samples);
        let lacking = lacking.into_iter().filter(|(_, key)| !REFUSED.contains(&(schema_name, key.as_str())));
        lacking.map(|(table, key)| format!("{schema_name}: `{key}` of {table}")).collect::<Vec<_>>()
    };
    kinds.into_iter().flat_map(of).collect()
}

/// A directory with the sample, in which one file changes from run to run.
struct Place {
    top: tempfile::TempDir,
}

impl Place {
    fn new(kind: &Kind) -> Place {
        let top = tempfile::tempdir().expect("a temporary directory");
        let input = top.path().join("in");
        fs::create_dir(&input).expect("a new directory");
        if !kind.directory.is_empty() {
            copy(&root().join(kind.directory), &input);
        }
        if kind.run.contains("PYTORCH") {
            pytorch(&top.path().join("pytorch"));
        }
        for (path, text) in kind.beside {
            let text = match text.ends_with(".yaml") {
                true => fs::read_to_string(samples().join(text)).expect("a sample"),
                false => (*text).to_owned(),
            };
            let path = match path.strip_prefix("PYTORCH") {
                Some(rest) => top.path().join(format!("pytorch{rest}")),
                None => input.join(path),
            };
            fs::create_dir_all(path.parent().expect("a directory above")).expect("a directory");
            fs::write(path, text).expect("a new file");
        }
        Place { top }
    }

    /// What the program generates, as code; its messages if it reports errors.
    fn run(&self, kind: &Kind, sample: &Value) -> Result<BTreeMap<String, Code>, String> {
        let path = |name: &str| self.top.path().join(name);
        fs::write(path("in").join(kind.file), yaml(sample)).expect("the sample");
        let out = path("out");
        fs::remove_dir_all(&out).or_else(|error| if out.exists() { Err(error) } else { Ok(()) }).expect("no output");
        fs::create_dir(&out).expect("a new directory");
        let word = |word: &str| {
            let places = [("PYTORCH", path("pytorch")), ("IN", path("in")), ("OUT", path("out"))];
            let filled = |word: String, (name, to): &(&str, PathBuf)| match word.strip_prefix(name) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", to.display()),
                _ => word,
            };
            places.iter().fold(word.to_owned(), filled)
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args(kind.run.split(' ').map(word)).env("NO_COLOR", "1").current_dir(root());
        let output = command.output().expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => Ok(files(&out)),
            Some(1 | 2) if said.contains("error[TG") => Err(said),
            code => panic!("{}: status {code:?}\n{said}", kind.name),
        }
    }
}

/// The code of every file below a directory.
fn files(out: &Path) -> BTreeMap<String, Code> {
    let entries = WalkDir::new(out).into_iter().map(|entry| entry.expect("a readable entry"));
    let paths = entries.filter(|entry| entry.file_type().is_file()).map(walkdir::DirEntry::into_path);
    paths
        .filter_map(|path| {
            let name = path.strip_prefix(out).expect("below").to_string_lossy().into_owned();
            let text = fs::read_to_string(&path).expect("a text");
            Some((name.clone(), code_of(&name, &text)?))
        })
        .collect()
}

/// What is wrong with the texts of a kind.
fn wrong(kind: &Kind) -> Vec<String> {
    let place = Place::new(kind);
    let sample = sample(&format!("{}.yaml", kind.name));
    let plain = match place.run(kind, &sample) {
        Ok(plain) => plain,
        Err(said) => return vec![format!("the sample has errors:\n{said}")],
    };
    assert!(!plain.is_empty(), "{}: nothing is generated", kind.name);
    let schema = (!kind.schema.is_empty()).then(|| schema(kind.schema));
    let mut wrong = Vec::new();
    for position in positions(&sample, schema.as_ref()) {
        if kind.code.contains(&position.pattern.as_str()) {
            continue;
        }
        wrong.extend(ENDS.iter().filter_map(|end| {
            escaped(kind, &place, &plain, &changed(&sample, &position, end), &position)
                .map(|what| format!("{what} with {end:?}"))
        }));
    }
    let strings = with_strings(&sample, schema.as_ref());
    let strings: Vec<Position> = strings.into_iter().filter(|at| !kind.code.contains(&at.pattern.as_str())).collect();
    if let Some(position) = strings.first() {
        // All at once: variants of an operator have equal defaults.
        let hostile = |inside: &str| strings.iter().fold(sample.clone(), |all, at| changed_inside(&all, at, inside));
        wrong.extend(INSIDE.iter().filter_map(|inside| {
            escaped(kind, &place, &plain, &hostile(inside), position)
                .map(|what| format!("{what} with {inside:?} inside"))
        }));
    }
    wrong
}

/// How a hostile text at a position gets out of its place.
fn escaped(
    kind: &Kind,
    place: &Place,
    plain: &BTreeMap<String, Code>,
    changed: &Value,
    position: &Position,
) -> Option<String> {
    let hostile = place.run(kind, changed).ok()?;
    let differs =
        |name: &&String| hostile.get(*name).map(|code| &code.tokens) != plain.get(*name).map(|code| &code.tokens);
    let names: BTreeSet<&String> = plain.keys().chain(hostile.keys()).collect();
    let what = match hostile.iter().find_map(|(name, code)| Some((name, code.wrong.as_ref()?))) {
        Some((name, wrong)) => format!("{name}: {wrong}"),
        None => {
            let name = *names.iter().find(|name| differs(name))?;
            let none = Vec::new();
            let of = |files: &BTreeMap<String, Code>| files.get(name).map_or(none.clone(), |code| code.tokens.clone());
            let (before, after) = (of(plain), of(&hostile));
            let at = before.iter().zip(&after).take_while(|(before, after)| before == after).count();
            let shown = |tokens: &[String]| {
                tokens[at.min(tokens.len())..].iter().take(8).cloned().collect::<Vec<_>>().join(" ")
            };
            format!("{name}: `{}` became `{}`", shown(&before), shown(&after))
        }
    };
    Some(format!("{} at `{}`: {what}", kind.name, position.pattern))
}
