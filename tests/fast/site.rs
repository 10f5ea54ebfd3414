//! What `torchgen-rs docs` writes: all pages of a small library and of small sources of each
//! family, whose texts try to be markup, in both formats, and the data of PyTorch's explorer.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast site::` writes the pages again. `tests/integration/site`
//! opens them in a browser.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;
use walkdir::WalkDir;

use crate::expected::assert_is_text_of_file;
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        pages_of_a_library,
        pages_in_markdown,
        pages_of_families,
        pages_of_families_in_markdown,
        pages_of_families_lead_somewhere,
        an_explorer_of_pytorch,
        what_operators_come_from,
        files_with_code,
        two_versions,
        versions_of_torch,
        what_has_no_site,
    ]
}

/// Runs `docs` with these arguments from the root of the checkout.
fn docs(arguments: &[&str], out: &Path) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let output = command.arg("docs").args(arguments).arg("-d").arg(out).current_dir(root()).output();
    let output = output.expect("the program runs");
    (output.status.code(), String::from_utf8(output.stderr).expect("text"))
}

/// The files below a directory, without the manifest.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(dir).sort_by_file_name().into_iter().map(|entry| entry.expect("an entry"));
    let files = entries.filter(|entry| entry.file_type().is_file());
    let paths = files.map(|entry| entry.path().strip_prefix(dir).expect("a path below").to_owned());
    paths.filter(|path| !path.to_string_lossy().starts_with('.')).collect()
}

/// Compares the pages of a source with those in a directory of `tests/site`. Returns all texts.
fn pages(source: &str, format: &str, expected: &str) -> Vec<(PathBuf, String)> {
    let out = tempfile::tempdir().expect("a directory");
    let (status, said) = docs(&["-s", source, "--format", format], out.path());
    assert_eq!(status, Some(0), "{said}");
    let text = |path: PathBuf| {
        let text = fs::read_to_string(out.path().join(&path)).expect("text");
        (path, text)
    };
    let all: Vec<(PathBuf, String)> = files(out.path()).into_iter().map(text).collect();
    let expected = root().join("tests/site").join(expected);
    let compared = || all.iter().filter(|(path, _)| !has_ending(path, &["css", "js"]));
    for (path, text) in compared() {
        let path = expected.join(path);
        if crate::expected::are_written() {
            fs::create_dir_all(path.parent().expect("a folder")).expect("a directory");
        }
        assert_is_text_of_file(&path, text);
    }
    assert_eq!(files(&expected), compared().map(|(path, _)| path.clone()).collect::<Vec<_>>(), "the sets of files");
    all
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|own| endings.iter().any(|ending| own == *ending))
}

/// Nothing of an author is markup in a page, and nothing is loaded from elsewhere.
fn assert_is_only_text(path: &Path, text: &str) {
    for refused in ["<script>", "<img", "<b ", "<b>", "onerror=\"", "http://", "https://"] {
        assert!(!text.contains(refused), "{} has {refused}", path.display());
    }
    assert_eq!(text.matches("<script").count(), 1, "{}", path.display());
    assert!(text.contains("default-src 'none'; script-src 'self'"), "{}", path.display());
}

/// The same in Markdown, where indented lines are code.
fn assert_is_only_text_in_markdown(path: &Path, text: &str) {
    let text: String = text.lines().filter(|line| !line.starts_with("    ")).collect();
    for refused in ["<script>", "<img", "<b ", "<b>", " [link](", "\"https://"] {
        assert!(!text.contains(refused), "{} has {refused}", path.display());
    }
}

fn pages_of_a_library() {
    let all = pages("tests/site/library", "html", "html");
    let names: Vec<String> = all.iter().map(|(path, _)| path.to_string_lossy().into_owned()).collect();
    let expected = [
        "index.html",
        "objects.inv",
        "operators/shapes.area.html",
        "operators/shapes.label.html",
        "site.js",
        "style.css",
        "works.html",
    ];
    assert_eq!(names, expected);
    let pages = all.iter().filter(|(path, _)| has_ending(path, &["html"]));
    pages.for_each(|(path, text)| assert_is_only_text(path, text));
}

fn pages_in_markdown() {
    let all = pages("tests/site/library", "markdown", "markdown");
    all.iter().for_each(|(path, text)| assert_is_only_text_in_markdown(path, text));
}

/// The families with a small source in `tests/site/families`, beside what is made of it.
const FAMILIES: [&str; 4] = ["graph-ir", "op-builders", "tensor-ir", "wrappers"];

fn of_family(name: &str, format: &str) -> Vec<(PathBuf, String)> {
    pages(&format!("tests/site/families/{name}.yaml"), format, &format!("families/{name}/{format}"))
}

fn pages_of_families() {
    for name in FAMILIES {
        let all = of_family(name, "html");
        let pages = all.iter().filter(|(path, _)| has_ending(path, &["html"]));
        pages.for_each(|(path, text)| assert_is_only_text(path, text));
        assert!(all.iter().all(|(path, _)| has_ending(path, &["html", "css", "js"])), "{name}");
    }
}

/// `--emit docs` writes the same pages, in a folder beside the generated code.
fn pages_of_families_in_markdown() {
    for name in FAMILIES {
        let all = of_family(name, "markdown");
        let (pages, pictures): (Vec<_>, Vec<_>) = all.iter().partition(|(path, _)| has_ending(path, &["md"]));
        pages.iter().for_each(|(path, text)| assert_is_only_text_in_markdown(path, text));
        pictures.iter().for_each(|(path, text)| assert!(!text.contains("<script"), "{}", path.display()));
        let out = tempfile::tempdir().expect("a directory");
        let source = format!("tests/site/families/{name}.yaml");
        let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
        command.args([name, "-s", &source, "-d"]).arg(out.path()).current_dir(root());
        // A run of wrappers writes the report in any case.
        let (folder, names) = if name == "wrappers" {
            (out.path().to_owned(), vec![("index.md", "skip_report.md")])
        } else {
            command.args(["--emit", "docs"]);
            let names = all.iter().filter_map(|(path, _)| path.to_str());
            (out.path().join("docs"), names.map(|name| (name, name)).collect())
        };
        assert!(command.output().expect("the program runs").status.success(), "{name}");
        for (page, file) in names {
            let (_, expected) = all.iter().find(|(path, _)| path == Path::new(page)).expect("a page");
            assert_eq!(&fs::read_to_string(folder.join(file)).expect("text"), expected, "{name}: {page}");
        }
    }
}

/// Every link of a page leads to a page of the site, and to a place in it.
fn pages_of_families_lead_somewhere() {
    for name in FAMILIES {
        let all = of_family(name, "html");
        let mut count = 0;
        for (path, text) in all.iter().filter(|(path, _)| has_ending(path, &["html"])) {
            let text = text.replace("&#x2f;", "/");
            for link in text.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
                let file = match file {
                    "data:," => continue,
                    "" => path.clone(),
                    file => match file.strip_prefix("../") {
                        Some(file) => file.into(),
                        None => path.parent().expect("a folder").join(file),
                    },
                };
                let (_, other) =
                    all.iter().find(|(path, _)| *path == file).unwrap_or_else(|| panic!("{link} of {path:?}"));
                let place = format!("id=\"{anchor}\"");
                assert!(anchor.is_empty() || other.contains(&place), "{link} of {}", path.display());
                count += 1;
            }
        }
        assert!(count > 4, "{name}");
    }
}

/// The data of a script.
fn data(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a script");
    let call = text.trim_end().strip_prefix("torchgen.take(").and_then(|text| text.strip_suffix(");"));
    let (_, json) = call.and_then(|call| call.split_once(", ")).expect("a call with data");
    serde_json::from_str(json).expect("JSON")
}

fn an_explorer_of_pytorch() {
    let out = tempfile::tempdir().expect("a directory");
    let (status, said) = docs(&["--torch", "2.15"], out.path());
    assert_eq!(status, Some(0), "{said}");
    let names = data(&out.path().join("data/names.js"));
    let all = data(&out.path().join("data/operators.js"));
    let names: Vec<&str> = names.as_array().expect("names").iter().filter_map(Value::as_str).collect();
    assert_eq!(names.len(), all["operators"].as_array().map_or(0, Vec::len));
    // The kernel of each key, as `torch._C._dispatch_dump_table` has it.
    let kernel = |operator: &str, key: &str| {
        let place = names.iter().position(|name| *name == operator).expect("an operator");
        let own = &all["operators"][place];
        let row = all["keys"].as_array().and_then(|keys| keys.iter().position(|own| own == key)).expect("a key");
        let grid = all["texts"][own["grid"].as_u64().expect("a number") as usize].as_str();
        let letter = grid.and_then(|grid| grid.chars().nth(row)).expect("a letter");
        let kernel = &own["kernels"][letter.to_digit(36)? as usize];
        all["texts"][kernel[0].as_u64().expect("a number") as usize].as_str()
    };
    for (operator, key, expected) in [
        ("aten::relu", "CPU", Some("CPU")),
        ("aten::zeros", "CPU", Some("CompositeExplicitAutograd")),
        ("aten::zeros", "NestedTensorCPU", None),
        ("aten::linear", "AutogradCPU", Some("CompositeImplicitAutograd")),
        ("aten::linear", "NestedTensorCPU", Some("NestedTensorCPU")),
        ("aten::permute_copy", "CPU", Some("CompositeExplicitAutogradNonFunctional")),
        ("aten::permute_copy", "SparseCPU", None),
    ] {
        assert_eq!(kernel(operator, key), expected, "{operator}, {key}");
    }
    let sizes = files(out.path())
        .into_iter()
        .map(|path| (fs::metadata(out.path().join(&path)).map_or(0, |own| own.len()), path));
    let sizes: Vec<(u64, PathBuf)> = sizes.collect();
    let total: u64 = sizes.iter().map(|(size, _)| size).sum();
    assert!(total < 4_000_000, "{total} bytes: {sizes:?}");
    let first = ["index.html", "style.css", "site.js", "explorer.js", "data/names.js"];
    let first: u64 =
        sizes.iter().filter(|(_, path)| first.iter().any(|own| path == Path::new(own))).map(|(size, _)| size).sum();
    assert!(first < 300_000, "{first} bytes");
}

/// The explorer of two states: the one of PyTorch's files in `tests/diff/new`, and the other.
fn explorer(arguments: &[&str]) -> tempfile::TempDir {
    let out = tempfile::tempdir().expect("a directory");
    let (status, said) = docs(arguments, out.path());
    assert_eq!(status, Some(0), "{said}");
    out
}

/// Replaces numbers by the texts of a table.
fn text(texts: &Value, number: &Value) -> String {
    texts[number.as_u64().expect("a number") as usize].as_str().expect("a text").to_owned()
}

/// The place of an operator, and its record.
fn record(names: &Value, all: &Value, operator: &str) -> (usize, Value) {
    let names = names.as_array().expect("names");
    let place = names.iter().position(|name| name == operator).expect("an operator");
    (place, all["operators"][place].clone())
}

fn what_operators_come_from() {
    let out = explorer(&["--torch", "2.15"]);
    let (names, all) = (data(&out.path().join("data/names.js")), data(&out.path().join("data/operators.js")));
    for (operator, expected) in [
        ("aten::add.Tensor", &["kernels of aten::add.out"][..]),
        ("aten::add.out", &[]),
        ("aten::permute_copy", &["copy of the view aten::permute"]),
        ("aten::squeeze_", &["in place of the view aten::squeeze"]),
        ("aten::bernoulli.Tensor_out", &["generated from aten::bernoulli_.Tensor"]),
    ] {
        let from = record(&names, &all, operator).1["from"].clone();
        let from = from.as_array().cloned().unwrap_or_default();
        let line = |own: &Value| {
            let of = names[own[1].as_u64().expect("a number") as usize].as_str().expect("a name").to_owned();
            format!("{} {of}", text(&all["texts"], &own[0]))
        };
        assert_eq!(from.iter().map(line).collect::<Vec<_>>(), expected, "{operator}");
    }
}

fn files_with_code() {
    let out = explorer(&["-s", "tests/mini/source", "--outputs"]);
    let (names, all) = (data(&out.path().join("data/names.js")), data(&out.path().join("data/operators.js")));
    let (place, own) = record(&names, &all, "aten::scale.out");
    let files = own["files"].as_array().expect("files");
    let files: Vec<String> = files.iter().map(|file| text(&all["texts"], file)).collect();
    assert!(files.iter().any(|file| file.ends_with("/RegisterCUDA_0.cpp")), "{files:?}");
    assert!(text(&all["texts"], &own["at"][0]).ends_with("native_functions.yaml"), "{own}");
    let chunk = data(&out.path().join("data/0.js"));
    let registered = chunk["operators"][place]["registered"].as_array().expect("registrations").clone();
    let of_key = |key: &str| registered.iter().find(|own| text(&chunk["texts"], &own[0]) == key).cloned();
    let cuda = of_key("CUDA").expect("a registration");
    assert!(text(&chunk["texts"], &cuda[1]).ends_with("/RegisterCUDA_0.cpp"), "{cuda}");
    assert!(cuda[2].as_u64().is_some_and(|line| line > 1), "{cuda}");
    assert!(of_key("MPS").is_none());
}

/// The changes are those of `diff`, and each changed operator is there as it was.
fn two_versions() {
    let states = ["--from", "tests/diff/old/ATen"];
    let new = ["-s", "tests/diff/new/ATen", "--autograd-dir", "tests/diff/new/autograd"];
    let out = explorer(&[&states[..], &new].concat());
    let all = data(&out.path().join("data/changes.js"));
    let word = |number: &Value| text(&all["texts"], number);
    let changes = all["changes"].as_array().expect("changes");
    let shown: Vec<(String, String)> = changes.iter().map(|own| (word(&own["kind"]), word(&own["message"]))).collect();
    let mut diff = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    diff.args(["diff", "--from", "tests/diff/old/ATen", "--to", "tests/diff/new/ATen", "--level", "any"]);
    let said = diff.args(["--message-format", "json"]).current_dir(root()).output().expect("the program runs").stderr;
    let said = String::from_utf8(said).expect("text");
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let word = |key: &str| line[key].as_str().expect("text").to_owned();
        (word("code"), word("message"))
    };
    let mut expected: Vec<(String, String)> = said.lines().map(line).collect();
    let mut sorted = shown.clone();
    sorted.sort();
    expected.sort();
    assert_eq!(sorted, expected);
    let about = |operator: &str| {
        let own = changes.iter().filter(|own| word(&own["of"]) == operator);
        own.map(|own| word(&own["about"])).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(about("aten::limited").contains("defaults"), "{:?}", about("aten::limited"));
    assert!(about("aten::turn").is_superset(&["dispatch", "tags", "variants"].map(str::to_owned).into()));
    assert!(about("aten::scale").contains("derivative"), "{:?}", about("aten::scale"));
    let before = all["before"].as_array().expect("operators");
    let names: Vec<String> = before.iter().map(|own| word(&own["name"])).collect();
    assert!(names.contains(&"aten::reverse_order".to_owned()), "a renamed one has its old name: {names:?}");
    assert!(!names.contains(&"aten::mul.Tensor".to_owned()), "one that did not change is not there: {names:?}");
    let scale = before.iter().find(|own| word(&own["name"]) == "aten::scale").expect("an operator");
    assert_eq!(word(&scale["formulas"][0][1]), "grad * factor");
    let (status, said) = docs(&["-s", "tests/site/library", "--from", "2.14"], out.path());
    assert_eq!(status, Some(2));
    assert!(said.contains("`torchgen-rs breaking --against 2.14` compares libraries"), "{said}");
}

/// The versions of torch are those of the library's ABI.
fn versions_of_torch() {
    let out = tempfile::tempdir().expect("a directory");
    let page = |source: &str, name: &str| {
        let (status, said) = docs(&["-s", source], out.path());
        assert_eq!(status, Some(0), "{said}");
        fs::read_to_string(out.path().join("operators").join(name)).expect("a page")
    };
    let stable = page("tests/stable/library", "carried.scale.html");
    assert!(stable.contains("torch 2.10 to 2.15, in one build"), "{stable}");
    let of_api = page("tests/site/library", "shapes.area.html");
    assert!(of_api.contains("torch 2.13 to 2.15, in a build for each"), "{of_api}");
    assert!(of_api.contains("passes its types since torch 2.10"), "{of_api}");
    // Its tests are those whose files name it.
    assert!(of_api.contains("test_shapes.py</li>"), "{of_api}");
    let untested = page("tests/site/library", "shapes.label.html");
    assert!(!untested.contains("test_shapes.py"), "{untested}");
}

fn what_has_no_site() {
    let out = tempfile::tempdir().expect("a directory");
    let (status, said) = docs(&["-s", "families/graph-ir/example", "--outputs"], out.path());
    assert_eq!(status, Some(2));
    assert!(said.contains("`--outputs` is for operators, not for the records of graph-ir"), "{said}");
    let (status, said) = docs(&["--torch", "2.15", "--format", "markdown"], out.path());
    assert_eq!(status, Some(2));
    assert!(said.contains("PyTorch's operators have an explorer, and no pages in Markdown"), "{said}");
}
