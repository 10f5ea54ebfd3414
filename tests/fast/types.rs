//! `docs/types.md` has the C++ and Python of each type of a schema, as the program generates them.
//!
//! `UPDATE_EXPECT=1 cargo test --test fast types::` writes the page again. A library with an
//! operator for each type is generated for both ABIs, and the page is made of its headers and
//! stubs.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Output};

use libtest_mimic::Trial;
use serde_json::Value;

use crate::expected::assert_is_text_of_file;
use crate::root;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![the_table_of_types_is_fresh]
}

const HEAD: &str = "# Types of schemas\n\n\
    This page lists the types that arguments and results of operators can have, in C++ and in Python. A\n\
    test generates a library with an operator for each type, and makes the page from its headers and\n\
    stubs.\n\n\
    The column C++ has the parameters of kernels and of the functions in `Functions.h`, on libtorch's\n\
    C++ API. For types with `SymInt`, `f` takes integers and `f_symint` symbolic ones; a kernel takes\n\
    symbolic ones if its name ends in `_symint` ([symbolic sizes](symbolic-sizes.md)). On the\n\
    [stable ABI](stable-abi.md), types are those of torch/csrc/stable.\n\n\
    [Schemas](schemas.md#schemas-without-c) lists types that PyTorch accepts, but that have no C++.\n";

/// Parts of the page: a title, and types of arguments with a default.
const ARGUMENTS: &[(&str, &[(&str, &str)])] = &[
    (
        "Tensors",
        &[
            ("Tensor", ""),
            ("Tensor?", "None"),
            ("Tensor[]", ""),
            ("Tensor?[]", ""),
            ("Tensor[]?", "None"),
            ("Tensor(a!)", ""),
            ("Tensor(a!)?", "None"),
            ("Tensor(a!)[]", ""),
        ],
    ),
    (
        "Integers",
        &[
            ("int", "1"),
            ("int?", "None"),
            ("int[]", "[1, 2]"),
            ("int[2]", "1"),
            ("int[]?", "None"),
            ("int[1]?", "None"),
            ("SymInt", "1"),
            ("SymInt?", "None"),
            ("SymInt[]", "[1, 2]"),
            ("SymInt[2]", "1"),
            ("SymInt[]?", "None"),
        ],
    ),
    (
        "Other numbers, and strings",
        &[
            ("float", "0.5"),
            ("float?", "None"),
            ("float[]", "[0.5]"),
            ("float[]?", "None"),
            ("bool", "False"),
            ("bool?", "None"),
            ("bool[3]", "[True, False, True]"),
            ("bool[]", ""),
            ("Scalar", "1"),
            ("Scalar?", "None"),
            ("Scalar[]", ""),
            ("complex", ""),
            ("str", "\"mean\""),
            ("str?", "None"),
            ("str[]", ""),
        ],
    ),
    (
        "Torch's own types",
        &[
            ("ScalarType", "float"),
            ("ScalarType?", "None"),
            ("Layout", "strided"),
            ("Layout?", "None"),
            ("Device", "\"cpu\""),
            ("Device?", "None"),
            ("DeviceIndex", ""),
            ("MemoryFormat", "contiguous_format"),
            ("MemoryFormat?", "None"),
            ("Generator", ""),
            ("Generator?", "None"),
            ("Stream", ""),
            ("Storage", ""),
            ("QScheme", ""),
            ("SymBool", ""),
            ("Dict(str, Tensor)", ""),
        ],
    ),
];

const RESULTS: &[&str] = &[
    "()",
    "Tensor",
    "Tensor?",
    "Tensor[]",
    "(Tensor, Tensor)",
    "(Tensor, int)",
    "(Tensor scores, int count)",
    "int",
    "SymInt",
    "float",
    "bool",
    "Scalar",
    "str",
    "str?",
    "str[]",
    "int[]",
];

/// The types that no C++ is generated for are reported by the name that a reader looks for.
const UNKNOWN: &[&str] = &["Dimname", "Dimname[]", "SymFloat"];

fn tool(dir: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    command.current_dir(dir).args(arguments).env_remove("VIRTUAL_ENV").output().expect("the program runs")
}

/// A library with these entries, and the texts that are generated from it.
struct Library {
    dir: tempfile::TempDir,
}

/// An operator: what it has after its name.
type Operators = BTreeMap<String, String>;

impl Library {
    fn of(operators: &Operators) -> Library {
        let dir = tempfile::tempdir().expect("a directory");
        let mut text = String::new();
        for (name, rest) in operators {
            let takes_symbols = rest.split(" -> ").next().is_some_and(|taken| taken.contains("SymInt"));
            let kernel = if takes_symbols { format!("{name}_symint") } else { name.clone() };
            let tags = if rest.contains("Generator") { "  tags: nondeterministic_seeded\n" } else { "" };
            let _ =
                write!(text, "- func: 't::{name}{rest}'\n{tags}  fake: .fakes:any\n  dispatch:\n    CPU: {kernel}\n");
        }
        std::fs::write(dir.path().join("native_functions.yaml"), text).expect("a new file");
        Library { dir }
    }

    fn generated(&self, arguments: &[&str]) -> [String; 3] {
        let output = tool(self.dir.path(), &[&["generate", "-s", ".", "-d", "out"], arguments].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        ["include/t/Functions.h", "include/t/NativeFunctions.h", "python/t/_ops.pyi"].map(|path| {
            let text = std::fs::read_to_string(self.dir.path().join("out").join(path)).expect(path);
            text.replace("::std::", "std::").replace("_torch.", "torch.").replace(" &", "&")
        })
    }

    /// What the stable ABI refuses: the operator, and the reason.
    fn refused(&self) -> BTreeMap<String, String> {
        let check = ["check", "-s", ".", "--abi", "stable", "--torch-min", "2.10", "--message-format", "json"];
        let output = tool(self.dir.path(), &check);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let reason = |found: Value| {
            let code = found["code"].as_str()?;
            let operator = found["message"].as_str()?.split("`t::").nth(1)?.split('`').next()?.to_owned();
            let help = found["help"][0].as_str().unwrap_or_default().to_owned();
            match code {
                "TG6003" => Some((operator, format!("none: {help}"))),
                "TG6002" => Some((operator, help.replace("`--torch-min ", "since torch ").replace("` has it", ""))),
                _ => None,
            }
        };
        lines.filter_map(reason).collect()
    }
}

/// The line of a function in a text; comments have its schema too.
fn line_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find(|line| !line.trim_start().starts_with("//") && line.contains(&format!(" {name}(")))
}

/// The last parameter of a function in a text: its type and its default.
fn parameter(text: &str, name: &str) -> Option<(String, String)> {
    let line = line_of(text, name)?;
    let end = line.rfind(") {").or(line.rfind(") ->")).or(line.rfind(')'))?;
    let parameters = &line[..end];
    let (_, last) = parameters.split_once("other, ").or(parameters.split_once("other: Tensor, "))?;
    let (ty, default) = last.split_once(" = ").unwrap_or((last, ""));
    let ty = ty.strip_prefix("x: ").or(ty.strip_suffix(" x")).unwrap_or(ty);
    Some((ty.to_owned(), default.to_owned()))
}

/// What a function in a text returns.
fn result(text: &str, name: &str) -> Option<String> {
    let line = line_of(text, name)?;
    if let Some((_, returned)) = line.split_once(" -> ") {
        return Some(returned.trim_end_matches(": ...").to_owned());
    }
    let before = &line[..line.find(&format!(" {name}("))?];
    Some(before.trim_start_matches("inline ").split_once("_API ").map_or(before, |(_, ty)| ty).replace("inline ", ""))
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('|', r"\|"))
}

/// Code for each of these, once.
fn codes(texts: impl IntoIterator<Item = String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    texts.into_iter().for_each(|text| {
        if !seen.contains(&text) {
            seen.push(text);
        }
    });
    seen.iter().map(|text| code(text)).collect::<Vec<_>>().join(", ")
}

/// The texts of one library on both ABIs.
struct Generated {
    unstable: [String; 3],
    stable: [String; 3],
    refused: BTreeMap<String, String>,
}

impl Generated {
    fn of(operators: &Operators) -> Generated {
        let library = Library::of(operators);
        let refused = library.refused();
        let carried = |name: &String| refused.get(name).is_none_or(|why| why.starts_with("since"));
        let kept = operators.iter().filter(|(name, _)| carried(name));
        let kept: Operators = kept.map(|(name, rest)| (name.clone(), rest.clone())).collect();
        let stable = Library::of(&kept).generated(&["--abi", "stable", "--torch-min", "2.15"]);
        Generated { unstable: library.generated(&[]), stable, refused }
    }

    /// The cell of the stable ABI, given what the headers have.
    fn stable(&self, name: &str, found: Vec<String>) -> String {
        match self.refused.get(name) {
            Some(since) if since.starts_with("since") => format!("{}, {since}", codes(found)),
            Some(why) => why.clone(),
            None => codes(found),
        }
    }
}

/// The name of an operator for the type at a place.
fn name(prefix: &str, place: usize) -> String {
    format!("{prefix}{place:02}")
}

fn arguments(page: &mut String) {
    let types: Vec<(&str, &str)> = ARGUMENTS.iter().flat_map(|(_, types)| types.iter().copied()).collect();
    let operator = |(i, (ty, default)): (usize, &(&str, &str))| {
        let default = if default.is_empty() { String::new() } else { format!("={default}") };
        (name("f", i), format!("(Tensor other, {ty} x{default}) -> ()"))
    };
    let generated = Generated::of(&types.iter().enumerate().map(operator).collect());
    let mut place = 0;
    for (title, types) in ARGUMENTS {
        let _ = write!(
            page,
            "\n## {title}\n\n| type | C++ | stable ABI | Python | a default |\n| --- | --- | --- | --- | --- |\n"
        );
        for (ty, default) in *types {
            let name = name("f", place);
            place += 1;
            let both = [name.clone(), format!("{name}_symint")];
            let in_headers = |texts: &[String; 3]| {
                let found = both.iter().flat_map(|name| texts[..2].iter().filter_map(|text| parameter(text, name)));
                found.collect::<Vec<_>>()
            };
            let cpp = in_headers(&generated.unstable);
            assert!(!cpp.is_empty(), "{ty} is not in the headers");
            let stable = in_headers(&generated.stable).into_iter().map(|(ty, _)| ty).collect();
            let python = parameter(&generated.unstable[2], &name).expect("a stub");
            let mut defaults = Vec::new();
            if !default.is_empty() {
                defaults.push(code(default));
                let own = codes(cpp.iter().map(|(_, own)| own.clone()).filter(|own| !own.is_empty() && own != default));
                if !own.is_empty() {
                    defaults.push(format!("in C++ {own}"));
                }
                if python.1 != *default {
                    defaults.push(format!("in Python {}", code(&python.1)));
                }
            }
            let _ = writeln!(
                page,
                "| `{ty}` | {} | {} | {} | {} |",
                codes(cpp.into_iter().map(|(ty, _)| ty)),
                generated.stable(&name, stable),
                code(&python.0),
                defaults.join(", ")
            );
        }
    }
}

fn results(page: &mut String) {
    let operator = |(i, ty): (usize, &&str)| (name("g", i), format!("(Tensor other) -> {ty}"));
    let generated = Generated::of(&RESULTS.iter().enumerate().map(operator).collect());
    page.push_str("\n## Results\n\n| type | C++ | stable ABI | Python |\n| --- | --- | --- | --- |\n");
    for (i, ty) in RESULTS.iter().enumerate() {
        let name = name("g", i);
        let both = [name.clone(), format!("{name}_symint")];
        let in_headers = |texts: &[String; 3]| {
            both.iter().flat_map(|name| texts[..2].iter().filter_map(|text| result(text, name))).collect::<Vec<_>>()
        };
        let python = result(&generated.unstable[2], &name).expect("a stub");
        let python = python.replace("_return_types.", "return_types.").replace(&name, "NAME");
        let stable = generated.stable(&name, in_headers(&generated.stable));
        let _ =
            writeln!(page, "| `{ty}` | {} | {stable} | {} |", codes(in_headers(&generated.unstable)), code(&python));
    }
    page.push_str(
        "\nIn Python, results of which one has a name are a named tuple, here of two fields: `.scores` and\n\
         `.count`. Its class has the name of the function ([libraries](libraries.md#the-python-package)).\n",
    );
}

/// The types that schemas cannot have here.
fn unknown(page: &mut String) {
    let operators = UNKNOWN.iter().enumerate().map(|(i, ty)| (name("f", i), format!("(Tensor other, {ty} x) -> ()")));
    let output = tool(Library::of(&operators.collect()).dir.path(), &["check", "-s", "."]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(text.matches("error[TG0203]").count(), UNKNOWN.len(), "{text}");
    let names = codes(UNKNOWN.iter().map(|ty| (*ty).to_owned()));
    let _ = write!(page, "\n{names} are not types of a library's schemas: `check` reports TG0203.\n");
}

fn the_table_of_types_is_fresh() {
    let mut page = HEAD.to_owned();
    arguments(&mut page);
    results(&mut page);
    unknown(&mut page);
    assert_is_text_of_file(&root().join("docs/types.md"), &page);
}
