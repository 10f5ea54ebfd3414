//! Each code has a page in docs/diagnostics, whose examples are correct: the wrong ones get their
//! code, the right ones pass.
//!
//! A block of code whose fence is `yaml wrong` holds a native_functions.yaml, or a family.yaml if
//! it begins with `family:`, or several files after comments with their names. `aten` in the fence
//! selects PyTorch's layout, `stubs` a run of `backend-stubs`; `bytes` allows for escapes such as
//! `\xff`. Lines that begin with `$ ` are commands to run instead of the default one, and the
//! output of the last one counts. The page shows the whole output for the wrong one, in a block
//! `text` below `## Message`, and what `check --fix` changes in it, if anything, below `## Fix`.
//! `UPDATE_EXPECT=1` writes them again, and the list of all codes in `docs/diagnostics/README.md`
//! and `docs/SUMMARY.md`.

use std::path::PathBuf;
use std::sync::LazyLock;

use libtest_mimic::Trial;
use torchgen_rs::{CodeInfo, codes, explanation};

use crate::cases::{blocks, program, unescaped};
use crate::expected::{assert_is_text_of_file, compare_with_file};
use crate::pytorch::AUTOGRAD_TEMPLATES;
use crate::{fixes, json_schema, reported, root};

/// The templates that PyTorch's layout needs. They are empty: no example has an error in a
/// template.
const ATEN_TEMPLATES: [&str; 39] = [
    "ATenOpList.cpp",
    "CompositeViewCopyKernels.cpp",
    "DispatchKeyFunction.h",
    "DispatchKeyFunctions.h",
    "DispatchKeyFunctions_inl.h",
    "DispatchKeyNativeFunctions.cpp",
    "DispatchKeyNativeFunctions.h",
    "LazyIr.h",
    "LazyNonNativeIr.h",
    "Function.h",
    "FunctionalInverses.h",
    "Functions.cpp",
    "Functions.h",
    "MethodOperators.h",
    "NativeAotStubs.cpp",
    "NativeAotStubs.h",
    "NativeFunction.h",
    "NativeFunctions.h",
    "NativeMetaFunction.h",
    "NativeMetaFunctions.h",
    "Operator.h",
    "Operators.cpp",
    "Operators.h",
    "RedispatchFunctions.h",
    "RegisterBackendSelect.cpp",
    "RegisterDispatchDefinitions.ini",
    "RegisterDispatchKey.cpp",
    "RegisterFunctionalization.cpp",
    "RegisterSchema.cpp",
    "RegistrationDeclarations.h",
    "TensorBody.h",
    "TensorMethods.cpp",
    "UfuncCPU.cpp",
    "UfuncCPUKernel.cpp",
    "UfuncCUDA.cu",
    "ViewMetaClasses.cpp",
    "ViewMetaClasses.h",
    "aten_interned_strings.h",
    "enum_tag.h",
];

/// The name of a family's file.
const FAMILY: &str = "family.yaml";

/// A file's name, and its text.
type Files = Vec<(String, String)>;

struct Example {
    /// The words of the fence after the language.
    words: Vec<String>,
    files: Files,
    /// The words of the commands to run.
    commands: Vec<Vec<String>>,
}

impl Example {
    fn is(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }
}

/// Directories with the templates of PyTorch's layout, written once for all examples: they would be
/// most of the files of a run.
static EMPTY_TEMPLATES: LazyLock<PathBuf> = LazyLock::new(|| {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("empty-templates");
    for (directory, names) in [("aten", &ATEN_TEMPLATES[..]), ("autograd", AUTOGRAD_TEMPLATES)] {
        std::fs::create_dir_all(root.join(directory)).expect("a new directory");
        names.iter().for_each(|name| std::fs::write(root.join(directory).join(name), "\n").expect("a new file"));
    }
    root
});

/// The blocks of a section that can be run.
fn examples(section: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    for block in blocks(section).expect("a page").iter().filter(|block| block.info.starts_with("yaml ")) {
        let words = block.info.split_whitespace().skip(1).map(str::to_owned).collect();
        let mut files = vec![("native_functions.yaml".to_owned(), String::new())];
        let mut commands = Vec::new();
        for line in block.text.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                commands.push(command.split_whitespace().map(str::to_owned).collect());
                continue;
            }
            match line.strip_prefix("# ").filter(|name| !name.contains(' ')) {
                Some(name) => files.push((name.to_owned(), String::new())),
                None => {
                    let text = &mut files.last_mut().expect("there is a first file").1;
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        found.push(Example { words, files, commands });
    }
    for example in &mut found {
        example.files.retain(|(_, text)| !text.is_empty());
        for (name, text) in &mut example.files {
            let is_family =
                text.lines().find(|line| !line.starts_with('#')).is_some_and(|line| line.starts_with("family:"));
            if is_family && name == "native_functions.yaml" {
                FAMILY.clone_into(name);
            }
        }
    }
    found
}

/// What a run of an example did.
struct Ran {
    passes: bool,
    said: String,
    /// Where it ran, and its arguments.
    directory: tempfile::TempDir,
    words: Vec<String>,
}

/// Runs an example with the subcommand that finds its error.
fn run(example: &Example) -> Ran {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let aten = example.is("aten");
    let place = |name: &str| match (aten, name) {
        (true, "native_functions.yaml" | "tags.yaml") => format!("native/{name}"),
        (true, "derivatives.yaml" | "deprecated.yaml") => format!("autograd/{name}"),
        _ => name.to_owned(),
    };
    let write = |name: &str, text: &str| {
        let path = directory.path().join(place(name));
        std::fs::create_dir_all(path.parent().expect("it is below the directory")).expect("a new directory");
        let bytes = if example.is("bytes") { unescaped(text) } else { text.as_bytes().to_owned() };
        std::fs::write(path, bytes).expect("a new file");
    };
    if aten {
        let names = std::fs::read_to_string(root().join("data/torch/standard_tags.yaml")).expect("the standard tags");
        let tags = names.lines().filter_map(|line| line.strip_prefix("- "));
        write("tags.yaml", &tags.map(|tag| format!("- tag: {tag}\n  desc: As in PyTorch.\n")).collect::<String>());
        write("derivatives.yaml", "[]\n");
        write("deprecated.yaml", "[]\n");
        for (link, shared) in [("templates", "aten"), ("autograd/templates", "autograd")] {
            let own = example.files.iter().any(|(name, _)| name.starts_with(link));
            assert!(!own, "the templates of all examples are shared");
            std::os::unix::fs::symlink(EMPTY_TEMPLATES.join(shared), directory.path().join(link)).expect("a new link");
        }
    }
    example.files.iter().for_each(|(name, text)| write(name, text));
    let program = || program(directory.path());
    let mut command = program();
    if let Some((last, first)) = example.commands.split_last() {
        for words in first {
            if let [mv, from, to] = &words[..]
                && mv == "mv"
            {
                std::fs::rename(directory.path().join(from), directory.path().join(to)).expect("a renamed file");
                continue;
            }
            let output = program().args(&words[1..]).output().expect("the program runs");
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        command.args(&last[1..]);
    } else if example.is("autograd") {
        command.args([
            "autograd",
            "--native-functions-path",
            "native/native_functions.yaml",
            "--tags-path",
            "native/tags.yaml",
        ]);
        command.args(["--autograd-dir", "autograd", "--install-dir", "OUT"]);
    } else if example.is("generate") {
        command.args(["generate", "-s", ".", "-d", "OUT"]);
        command.args(example.is("verbose").then_some("--verbose"));
    } else if example.is("stubs") {
        command.args(["backend-stubs", "-s", "backend.yaml", "-o", "OUT", "--torch-path", "."]);
        if example.files.iter().any(|(name, _)| name == "kernels.cpp") {
            command.args(["--impl-path", "kernels.cpp"]);
        }
    } else if example.is("lazy") {
        command.args(["lazy-tensor", "-s", "backend.yaml", "-o", "OUT", "--torch-path", "."]);
        match example.files.iter().any(|(name, _)| name == "shapes.h") {
            true => command.args(["--shape-inference-hdr", "shapes.h"]),
            false => command.arg("--skip-shape-inference-check"),
        };
    } else if example.files.iter().any(|(name, _)| name == FAMILY) {
        command.args(["check", "-s", FAMILY]);
    } else {
        command.args(["check", "-s", "."]);
        if example.is("stable") {
            command.args(["--abi", "stable"]);
        }
        if aten {
            command.args(["--autograd-dir", "autograd"]);
        }
        if example.files.iter().any(|(name, _)| name == "selection.yaml") {
            command.args(["--op-selection-yaml-path", "selection.yaml"]);
        }
        if example.files.iter().any(|(name, _)| name == "backend.yaml") {
            command.args(["--backend-yaml", "backend.yaml"]);
        }
    }
    if example.files.iter().any(|(name, _)| name.starts_with("torch/")) {
        command.args(["--torch-path", "torch"]);
    }
    if example.files.iter().any(|(name, _)| name.starts_with("data/")) {
        command.args(["--data-dir", "data"]);
    }
    let output = command.output().expect("the program runs");
    // The files and the time of a successful run do not matter.
    let said = String::from_utf8_lossy(&output.stderr);
    reported::note(&said);
    let lines = said
        .lines()
        .filter(|line| !line.ends_with(" s)") && !line.starts_with("  OUT/") && !line.starts_with("  torch/"));
    // The temporary directory differs from run to run.
    let own = directory.path().to_string_lossy().into_owned();
    let lines = lines.map(|line| line.replace(&own, "DIR"));
    let said = lines.map(|line| format!("{line}\n")).collect();
    let words = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    Ran { passes: output.status.success(), said, directory, words }
}

/// The text about fixes on the page of a code with this example, after its run. Empty without any.
fn fix(code: &str, ran: &Ran) -> Result<String, String> {
    if ran.words.first().is_none_or(|word| word != "check") {
        return Ok(String::new());
    }
    let Some((certain, likely, left)) = fixes::fixed(ran.directory.path(), &ran.words)? else {
        return Ok(String::new());
    };
    if left.iter().any(|other| other == code) {
        return Err(format!("{code} is left after\n{certain}{likely}"));
    }
    let shown = |flags: &str, patch: &str| match patch {
        "" => String::new(),
        _ => format!("`torchgen-rs check {flags}` changes:\n\n```diff\n{patch}```\n"),
    };
    let parts = [shown("--fix", &certain), shown("--fix --unsafe-fixes", &likely)];
    Ok(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"))
}

fn check(code: &str, section: &str, errors: &mut Vec<String>) {
    let examples = examples(section);
    let of = |word: &str| examples.iter().find(|example| example.is(word));
    let (wrong, right) = match (of("wrong"), of("right")) {
        (Some(wrong), Some(right)) => (wrong, right),
        (None, None) => return,
        _ => return errors.push(format!("{code} has one example, where a wrong and a right one belong together")),
    };
    let ran = run(wrong);
    let said = &ran.said;
    if !said.contains(&format!("[{code}]")) {
        errors.push(format!("the wrong example of {code} is answered with\n{said}"));
    }
    let Ran { passes, said: said_of_right, .. } = run(right);
    if !passes || said_of_right.contains(&format!("[{code}]")) {
        errors.push(format!("the right example of {code} is answered with\n{said_of_right}"));
    }
    for (name, text) in right.files.iter().filter(|_| passes && !right.is("bytes")) {
        errors.extend(json_schema::violations(name, text, right.is("aten")));
    }
    let path = root().join("docs/diagnostics").join(format!("{code}.md"));
    let old = std::fs::read_to_string(&path).expect("the page");
    let fix = fix(code, &ran).unwrap_or_else(|error| {
        errors.push(error);
        String::new()
    });
    let new = with_message(&old, said, &fix);
    errors.extend(compare_with_file(&path, &new).err());
}

/// The page with this message and this fix, if there is one, between its examples.
fn with_message(page: &str, message: &str, fix: &str) -> String {
    const RIGHT: &str = "\n## Right\n";
    let before = page.find("\n## Message\n").or(page.find(RIGHT)).expect("`## Right`");
    let after = page.find(RIGHT).expect("`## Right`");
    let fix = if fix.is_empty() { String::new() } else { format!("\n## Fix\n\n{fix}") };
    format!("{}\n## Message\n\n```text\n{message}```\n{fix}{}", &page[..before], &page[after..])
}

/// One test for each code with examples, and the others of this module.
pub(crate) fn trials() -> Vec<Trial> {
    let with_examples = codes().iter().filter(|code| !examples(explanation(code).unwrap_or_default()).is_empty());
    let trial = |code: &'static CodeInfo| {
        Trial::test(format!("explanations::{}", code.id), move || {
            let mut errors = Vec::new();
            check(code.id, explanation(code).unwrap_or_default(), &mut errors);
            if errors.is_empty() { Ok(()) } else { Err(errors.join("\n").into()) }
        })
    };
    let others = trials![codes_have_pages, codes_have_examples, ids_and_names_are_unique, the_lists_of_codes_are_fresh];
    with_examples.copied().map(trial).chain(others).collect()
}

/// The codes by what they are about, in the order of their ids: the beginning of the ids, a title.
const AREAS: &[(&str, &str)] = &[
    ("TG00", "Command line and files"),
    ("TG01", "YAML"),
    ("TG02", "Schemas and expressions"),
    ("TG03", "Entries of native_functions.yaml and tags.yaml"),
    ("TG04", "Groups and variants of operators"),
    ("TG05", "Generation"),
    ("TG06", "Derivatives and deprecated signatures"),
    ("TG07", "Selective builds and backends"),
    ("TG08", "Templates"),
    ("TG09", "Lints of libraries"),
    ("TG10", "Generation for backends"),
    ("TG20", "Graph IR"),
    ("TG30", "Tensor IR"),
    ("TG40", "Op builders"),
    ("TG50", "Kernel wrappers"),
    ("TG60", "The stable ABI"),
    ("TG70", "Users' generators"),
];

/// Every code has a page with its name, and every page a code.
fn codes_have_pages() {
    let files = std::fs::read_dir(root().join("docs/diagnostics")).expect("docs/diagnostics");
    let mut pages: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    pages.retain(|path| !path.ends_with("README.md"));
    pages.sort();
    let title = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("text");
        let title = text.lines().next().unwrap_or_default().to_owned();
        (path.file_stem().unwrap_or_default().to_string_lossy().into_owned(), title)
    };
    let found: Vec<(String, String)> = pages.iter().map(title).collect();
    let expected: Vec<(String, String)> =
        codes().iter().map(|code| (code.id.to_owned(), format!("# {} {}", code.id, code.name))).collect();
    assert_eq!(
        found, expected,
        "docs/diagnostics/TG0123.md begins with `# TG0123 its-name`, has a sentence or two, and where YAML alone shows \
         it, `## Wrong` with a ```yaml wrong and `## Right` with a ```yaml right block"
    );
}

/// The beginning of `docs/diagnostics/README.md`.
const HEAD: &str = "# Diagnostics\n\n\
    Every message has a code. Its page shows a wrong example, the message that it gets, and a right\n\
    one. `torchgen-rs explain TG0203` prints the page; a name such as `unknown-type` works too. A test\n\
    runs the examples.\n";

/// The list of all codes, as a page and in the contents of the book.
fn the_lists_of_codes_are_fresh() {
    let (mut page, mut contents) = (HEAD.to_owned(), String::new());
    let mut listed = 0;
    for (range, title) in AREAS {
        page.push_str(&format!("\n## {title}\n\n| code | | |\n| --- | --- | --- |\n"));
        contents.push_str(&format!("  - [{title}]()\n"));
        for CodeInfo { id, name, severity, summary } in codes().iter().filter(|code| code.id.starts_with(range)) {
            listed += 1;
            page.push_str(&format!("| [{id}]({id}.md) `{name}` | {} | {summary} |\n", severity.as_str()));
            contents.push_str(&format!("    - [{id} {name}](diagnostics/{id}.md)\n"));
        }
    }
    assert_eq!(listed, codes().len(), "a code is in no area: add one to AREAS");
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the contents");
    const START: &str = "- [Diagnostics](diagnostics/README.md)\n";
    let (before, after) = summary.split_once(START).expect("an entry of diagnostics");
    let after: String =
        after.lines().skip_while(|line| line.starts_with("  ")).map(|line| format!("{line}\n")).collect();
    for (path, text) in
        [("docs/diagnostics/README.md", page), ("docs/SUMMARY.md", format!("{before}{START}{contents}{after}"))]
    {
        assert_is_text_of_file(&root().join(path), &text);
    }
}

/// Codes about compiled libraries, which no text can show: tests/ui/audit has one.
const BUILT: &[&str] = &["TG6021", "TG6022", "TG6023"];

/// Every code has an example, but for those that no input causes.
fn codes_have_examples() {
    let lacks = |code: &CodeInfo| examples(explanation(code).unwrap_or_default()).is_empty();
    let missing: Vec<&str> = codes().iter().filter(|code| lacks(code)).map(|code| code.id).collect();
    let mut expected = [reported::ELSEWHERE, BUILT].concat();
    expected.sort_unstable();
    assert_eq!(missing, expected, "codes without an example on their page, and those that need none");
}

/// No two families have the same id or the same name.
fn ids_and_names_are_unique() {
    for of in [|code: &CodeInfo| code.id, |code: &CodeInfo| code.name] {
        let mut seen: Vec<&str> = codes().iter().map(|code| of(code)).collect();
        seen.sort_unstable();
        let twice: Vec<_> = seen.windows(2).filter(|two| two[0] == two[1]).map(|two| two[0]).collect();
        assert!(twice.is_empty(), "codes with the same id or name: {twice:?}");
    }
}
