//! Snippets of README and docs/ that no other test replays: their entries are one library, which is
//! generated for both ABIs, and their C++ compiles against it.
//!
//! A block that has only derivatives gets operators with their schemas. One after
//! `<!-- with: SCHEMA -->` gets that operator too. A block of C++ after
//! `<!-- in a function: DECLARATIONS -->` has statements; its includes are moved before the
//! function. Blocks after `<!-- file: … -->` and `<!-- append: … -->` belong to `walkthrough.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use regex::Regex;

use super::stable_library;
use crate::support::cxx::{Program, quick};
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![snippets_compile_for_the_cpp_api, snippets_compile_for_the_stable_abi, snippets_are_found]
}

/// A block of code that is not a file of a walk-through.
struct Snippet {
    /// The page and the line.
    place: String,
    language: String,
    /// The comment before it.
    mark: String,
    text: String,
}

impl Snippet {
    /// Whether it has entries of a library that gets C++: one that registers itself does not.
    fn has_entries(&self) -> bool {
        let registers_itself = ["registered", "registration: generated"].iter().any(|word| self.text.contains(word));
        let first = self.text.lines().next().unwrap_or_default();
        let is_entry = first.starts_with("- func: ") || first.starts_with("- name: ") && first.contains("::");
        self.language == "yaml" && is_entry && !registers_itself
    }

    /// Its operators and its derivatives.
    fn entries(&self) -> (String, String) {
        let at =
            if self.text.starts_with("- name: ") { Some(0) } else { self.text.find("\n- name: ").map(|at| at + 1) };
        let (operators, derivatives) = self.text.split_at(at.unwrap_or(self.text.len()));
        let mut text = format!("# {}\n{operators}\n", self.place);
        let schemas = derivatives.lines().filter_map(|line| line.strip_prefix("- name: ")).map(without_comment);
        for schema in schemas.chain(self.mark.strip_prefix("with: ")) {
            if !operators.contains(schema) {
                let name = schema.split("::").nth(1).and_then(|rest| rest.split('(').next()).expect("a name");
                text.push_str(&format!("- func: {schema}\n  dispatch: {{CPU: {name}_cpu}}\n"));
            }
        }
        (text, derivatives.to_owned())
    }

    /// Whether it is C++, and neither a template nor for CUDA.
    fn is_cpp(&self) -> bool {
        ["c++", "cpp"].contains(&self.language.as_str())
            && !self.text.starts_with("// templates/")
            && !self.text.contains("__global__")
    }
}

/// The snippets of a page.
fn of_page(page: &str, text: &str) -> Vec<Snippet> {
    let (mut found, mut mark) = (Vec::new(), "");
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            let text = block.map(|line| format!("{line}\n")).collect();
            let place = format!("{page}:{}", number + 1);
            let (language, mark) = (language.to_owned(), std::mem::take(&mut mark).to_owned());
            found.push(Snippet { place, language, mark, text });
        } else if let Some(comment) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->")) {
            mark = comment;
        } else if !line.is_empty() {
            mark = "";
        }
    }
    found.retain(|snippet| !["file: ", "append: "].iter().any(|word| snippet.mark.starts_with(word)));
    found
}

/// The snippets of README and of the pages, but for those of codes.
fn snippets() -> Vec<Snippet> {
    let pages = fs::read_dir(root().join("docs")).expect("the pages");
    let mut pages: Vec<String> =
        pages.map(|page| format!("docs/{}", page.expect("a page").file_name().to_string_lossy())).collect();
    pages.retain(|page| page.ends_with(".md") && page != OF_EXAMPLE);
    pages.push("README.md".to_owned());
    pages.sort();
    let mut namespaces: Vec<BTreeSet<String>> = Vec::new();
    let mut all = Vec::new();
    for page in &pages {
        let mut snippets = of_page(page, &fs::read_to_string(root().join(page)).expect("a page"));
        in_few_namespaces(&mut snippets, &mut namespaces);
        all.extend(snippets);
    }
    all
}

/// Gives the snippets of a page another namespace: the first one without operators of these names.
/// Few sources are compiled so.
fn in_few_namespaces(snippets: &mut [Snippet], namespaces: &mut Vec<BTreeSet<String>>) {
    let operator = Regex::new(r"(?m)^- (?:func|name): (\w+)::(\w+)").expect("a regex");
    let declared = snippets.iter().filter(|snippet| snippet.has_entries());
    let declared = declared.flat_map(|snippet| operator.captures_iter(&snippet.text)).map(|found| found.extract().1);
    let declared: Vec<[&str; 2]> = declared.filter(|[namespace, _]| *namespace != "aten").collect();
    if declared.is_empty() {
        return;
    }
    let names: BTreeSet<String> = declared.iter().map(|[_, name]| (*name).to_owned()).collect();
    let own: BTreeSet<&str> = declared.iter().map(|[namespace, _]| *namespace).collect();
    let own = Regex::new(&format!(r"\b(?:{})\b", Vec::from_iter(own).join("|"))).expect("a regex");
    let free = namespaces.iter().position(|taken| taken.is_disjoint(&names));
    let number = free.unwrap_or(namespaces.len());
    if free.is_none() {
        namespaces.push(BTreeSet::new());
    }
    namespaces[number].extend(names);
    for text in snippets.iter_mut().flat_map(|snippet| [&mut snippet.text, &mut snippet.mark]) {
        *text = own.replace_all(text, format!("snippets{number}")).into_owned();
    }
}

fn without_comment(schema: &str) -> &str {
    schema.split(" #").next().unwrap_or(schema).trim_end()
}

/// Generates a library of snippets for an ABI, to `out` in a directory.
fn generating(snippets: &[&Snippet], abi: &str, directory: &Path) -> Command {
    let (operators, derivatives): (String, String) = snippets.iter().map(|snippet| snippet.entries()).unzip();
    fs::write(directory.join("native_functions.yaml"), operators).expect("a file");
    if !derivatives.is_empty() {
        fs::write(directory.join("derivatives.yaml"), derivatives).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.arg("-s").arg(directory).arg("-d").arg(directory.join("out")).args(["--abi", abi]);
    command.arg("--torch-path").arg(torch().package());
    command
}

/// Generates all snippets that an ABI can have, and returns the pages of the others.
fn generate<'s>(all: &'s [Snippet], abi: &str, directory: &Path) -> Vec<&'s str> {
    let can_have = |snippet: &&Snippet| {
        let directory = tempfile::tempdir().expect("a directory");
        let output = generating(&[*snippet], abi, directory.path()).output().expect("the program runs");
        output.status.success()
    };
    let entries = all.iter().filter(|snippet| snippet.has_entries());
    let (can, cannot): (Vec<&Snippet>, Vec<&Snippet>) = entries.partition(can_have);
    run(&mut generating(&can, abi, directory));
    cannot.iter().filter_map(|snippet| snippet.place.split(':').next()).collect()
}

/// A program with the generated sources of each namespace as one, but for those that need CUDA, and
/// with more C++.
fn with_sources(mut program: Program, out: &Path, cpp: &str) -> Program {
    let mut units: BTreeMap<String, String> = BTreeMap::new();
    for path in walkdir::WalkDir::new(out).sort_by_file_name() {
        let path = path.expect("an entry").into_path();
        let below = path.strip_prefix(out).expect("it is below").to_string_lossy().into_owned();
        let namespace = below.split('/').next().unwrap_or_default();
        if below.ends_with(".cpp") && !below.contains("CUDA") {
            units.entry(namespace.to_owned()).or_default().push_str(&format!("#include \"{below}\"\n"));
        } else if path.ends_with("include") {
            program = program.include(path);
        }
    }
    units.insert("pages".to_owned(), cpp.to_owned());
    units.iter().fold(program.include(out), |program, (name, text)| program.text(&format!("{name}.cpp"), text))
}

/// A snippet as a part of a source.
fn placed(snippet: &Snippet, number: usize) -> String {
    let Snippet { place, mark, text, .. } = snippet;
    let Some(declared) = mark.strip_prefix("in a function: ") else { return format!("// {place}\n{text}\n") };
    let (includes, body): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("#include"));
    let (includes, body) = (includes.join("\n"), body.join("\n"));
    format!("// {place}\n{includes}\n[[maybe_unused]] static void snippet_{number}() {{\n{declared}\n{body}\n}}\n")
}

/// The code of this page is that of an example, which `privateuse1.rs` builds.
const OF_EXAMPLE: &str = "docs/privateuse1.md";

/// What all sources on the stable ABI include.
const STABLE_HEADER: &str = "#include <torch/csrc/stable/library.h>\n#include <torch/csrc/stable/tensor.h>\n";

/// Headers of torch for the snippets in C++.
const HEADERS: &str = "#include <ATen/autocast_mode.h>\n#include <ATen/ops/mul_meta.h>\n\
                       #include <torch/csrc/autograd/custom_function.h>\n";

fn snippets_compile_for_the_cpp_api() {
    let all = snippets();
    let directory = tempfile::tempdir().expect("a directory");
    let only_stable = generate(&all, "unstable", directory.path());
    assert_eq!(only_stable, ["docs/stable-abi-gradients.md", "docs/stable-abi.md"]);
    let cpp = all.iter().filter(|snippet| snippet.is_cpp()).enumerate();
    let mut cpp: String = cpp.map(|(number, snippet)| placed(snippet, number)).collect();
    let backend = all.iter().find(|snippet| snippet.text.starts_with("backend: ")).expect("a backend");
    fs::write(directory.path().join("backend.yaml"), &backend.text).expect("a file");
    run(Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["backend-stubs", "-s", "backend.yaml", "-o", "backend", "--torch-path"])
        .arg(torch().package())
        .current_dir(directory.path()));
    // Includes of its sources are relative to where it was generated.
    let header = directory.path().join("backend/PrivateUse1NativeFunctions.h");
    let header = fs::read_to_string(header).expect("a header");
    assert!(all.iter().any(|one| one.is_cpp() && header.contains(&one.text)), "{header}");
    cpp.push_str("#include \"backend/RegisterPrivateUse1.cpp\"\n");
    let out = directory.path().join("out");
    let namespaces = fs::read_dir(&out).expect("what was generated").map(|entry| entry.expect("an entry").file_name());
    let namespaces = namespaces.map(|name| name.to_string_lossy().into_owned()).filter(|name| name.starts_with("snip"));
    let headers = namespaces.map(|own| format!("#include <{own}/Functions.h>\n#include <{own}/NativeFunctions.h>\n"));
    let headers: String = headers.collect();
    with_sources(torch().cxx("snippets"), &out, &format!("{HEADERS}{headers}{cpp}"))
        .include(directory.path())
        .compiles();
}

fn snippets_compile_for_the_stable_abi() {
    let all = snippets();
    let directory = tempfile::tempdir().expect("a directory");
    let only_unstable = generate(&all, "stable", directory.path());
    assert_eq!(only_unstable, ["docs/functionalization.md"]);
    let program = stable_library::bare("stable_snippets").compiler(quick()).precompiled(STABLE_HEADER);
    with_sources(program, &directory.path().join("out"), "").compiles();
}

fn snippets_are_found() {
    let page = "<!-- file: a -->\n```yaml\n- func: f() -> ()\n```\ntext\n\n<!-- in a function: int i; -->\n\n```c++\n\
                #include <a>\n\ni = 1;\n```\n```yaml\n- func: g() -> ()\n  dispatch: {CPU: registered}\n```\n";
    let found = of_page("p", page);
    assert_eq!(found.iter().map(|one| one.place.as_str()).collect::<Vec<_>>(), ["p:9", "p:14"]);
    assert!(found[0].is_cpp() && !found[1].has_entries());
    let expected = "// p:9\n#include <a>\n[[maybe_unused]] static void snippet_0() {\nint i;\n\ni = 1;\n}\n";
    assert_eq!(placed(&found[0], 0), expected);
}
