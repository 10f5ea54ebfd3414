//! The Python module `torchgen_rs`, installed without torch: what its functions return and raise,
//! its types, its behaviour in threads, forks and interrupts, and its commands under the names of
//! the reference's scripts, which write what the program writes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Trial;
use walkdir::WalkDir;

use crate::support::expected::assert_is_text_of_file;
use crate::support::pytorch::{copy, pytorch};
use crate::support::tool_wheel::{installed, tool};
use crate::support::torch::{root, run, torch};

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        importing_is_fast,
        starting_is_fast,
        functions_return_what_commands_do,
        operators_as_objects,
        hooks_decide_what_backends_generate,
        functions_in_templates_of_a_generator,
        operators_are_those_of_the_reference,
        versions_of_torch_without_its_files,
        listings_of_the_page,
        replacements_work_or_raise,
        names_that_projects_use,
        texts_are_those_of_the_reference,
        torch_runs_with_the_alias,
        reference_of_names,
        runs_share_nothing,
        ctrl_c_ends_a_run,
        scripts_of_the_reference,
        mypy_accepts_right_and_refuses_wrong,
        pyright_accepts_right_and_refuses_wrong,
        stubs_are_those_of_the_module
    ]
}

/// Where the scripts are.
fn script(name: &str) -> PathBuf {
    root().join("tests/python_module").join(name)
}

/// Runs a script of the tests in a directory of its own.
fn python(name: &str) {
    let work = tempfile::tempdir().expect("a temporary directory");
    run(tool("python").arg("-B").arg(script(name)).arg(work.path()).arg(root().join("tests/mini/source")));
}

/// The processor seconds that the import takes; the smallest of some.
const IMPORT: &str = "
import time
began = time.process_time()
import torchgen_rs
print(time.process_time() - began)
";

fn importing_is_fast() {
    let seconds = |_| run(tool("python").args(["-c", IMPORT])).trim().parse::<f64>().expect("a number");
    let least = (0..5).map(seconds).fold(f64::INFINITY, f64::min);
    assert!(least < 0.05, "`import torchgen_rs` took {least} s");
    let requires = "import importlib.metadata as m; print(m.requires('torchgen-rs'))";
    assert_eq!(run(tool("python").args(["-c", requires])).trim(), "None");
}

/// The processor seconds of a program.
const SECONDS: &str = "
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)
";

/// What the script `torchgen-rs` of the package costs more than Python itself. `docs/wheels.md` has
/// the whole start of an optimized one.
fn starting_is_fast() {
    let least = |program: &str, arguments: &[&str]| {
        let seconds = |_| {
            let program = installed().join("bin").join(program);
            run(tool("python").args(["-c", SECONDS]).arg(program).args(arguments))
                .trim()
                .parse::<f64>()
                .expect("a number")
        };
        (0..5).map(seconds).fold(f64::INFINITY, f64::min)
    };
    let more = least("torchgen-rs", &["--version"]) - least("python", &["-I", "-c", "pass"]);
    assert!(more < 0.04, "the script costs {more} s more than Python");
}

fn functions_return_what_commands_do() {
    python("functions.py");
}

fn operators_as_objects() {
    python("model.py");
    python("texts.py");
    python("api.py");
    python("api_more.py");
    python("dest.py");
    python("nodes.py");
}

fn hooks_decide_what_backends_generate() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let mut command = tool("python");
    command.arg("-B").arg(script("hooks.py")).arg(work.path()).arg(root().join("tests/mini/source"));
    run(command.arg(torch().package().join("../torchgen/packaged/ATen")));
}

fn versions_of_torch_without_its_files() {
    let work = tempfile::tempdir().expect("a temporary directory");
    let wheel = torch().package().join("../torchgen/packaged/ATen");
    run(tool("python").arg("-B").arg(script("packaged.py")).arg(work.path()).arg(wheel));
}

fn functions_in_templates_of_a_generator() {
    python("generators.py");
}

/// What `answers.py` prints for the reference about torch 2.15's operators: the number of answers
/// and their hash.
const ANSWERS: &str = "174520 f4aa81d500d8e7f59457233d32e7d6783791677b67955c57dce50acca21143d2";

/// What `signatures.py` prints for the reference about every twentieth one.
const SIGNATURES: &str = "24052 e08140bbd91b5e97a11874f298dd750914ecb8735ac86d9254e64e379afe530c";

/// What `derivatives.py` and `conventions.py` print for the reference about every twentieth one.
const DERIVATIVES: &str = "1859 d92217196dd259ee7c3056792a55056072a06874cc155976307456c4b7d101b6";
const CONVENTIONS: &str = "27767 cf7c6521e66fe6e97b5ce0787c33b83756973be63ad537e68e55d0164d01daa8";

/// What `parts.py` prints for the reference about every twentieth one.
const PARTS: &str = "1870 a99d107ecdab76da6af51c420b4db877c1e0f85c55b7e8b748d2492070668aee";

/// What `kernels.py` prints for the reference about every twentieth one.
const KERNELS: &str = "21230 85fcaf3f9fd2f7a7b9e6bdcaacc41769cff74b0975ba8d930159d2534027fc03";

fn operators_are_those_of_the_reference() {
    let packaged = torch().package().join("../torchgen/packaged/ATen/native");
    let files = ["native_functions.yaml", "tags.yaml"].map(|name| packaged.join(name));
    let derivatives = torch().package().join("../torchgen/packaged/autograd/derivatives.yaml");
    let said = |name: &str, more: &[&Path]| {
        let mut command = tool("python");
        command.arg(script(name)).arg("torchgen_rs").args(&files).args(more).arg("20");
        run(&mut command).trim().to_owned()
    };
    assert_eq!(said("answers.py", &[]), ANSWERS);
    assert_eq!(said("signatures.py", &[]), SIGNATURES);
    assert_eq!(said("derivatives.py", &[&derivatives]), DERIVATIVES);
    assert_eq!(said("conventions.py", &[]), CONVENTIONS);
    assert_eq!(said("kernels.py", &[]), KERNELS);
    assert_eq!(said("parts.py", &[]), PARTS);
}

/// The template of a backend's header, which the directory with PyTorch's layout lacks.
const HEADER: &str = "$namespace_prologue\nstruct ${class_name} {\n$dispatch_declarations\n};\n$namespace_epilogue\n";

/// The file of derivatives that listings read.
const SCALED: &str = "- name: scale(Tensor self, Scalar factor) -> Tensor\n  self: grad * factor\n";

/// Runs the listings of `docs/coming-from-torchgen.md` one after the other, beside a directory
/// `ATen` with PyTorch's layout and one with derivatives; each prints what the text block after it
/// has.
fn listings_of_the_page() {
    let page = std::fs::read_to_string(root().join("docs/coming-from-torchgen.md")).expect("a page");
    let work = tempfile::tempdir().expect("a temporary directory");
    copy(&root().join("tests/mini/source"), &work.path().join("ATen"));
    std::fs::create_dir(work.path().join("autograd")).expect("a new directory");
    std::fs::write(work.path().join("autograd/derivatives.yaml"), SCALED).expect("a new file");
    let header = work.path().join("ATen/templates/DispatchKeyNativeFunctions.h");
    std::fs::write(header, HEADER).expect("a new file");
    let mut count = 0;
    for part in page.split("\n```python\n").skip(1) {
        let (listing, rest) = part.split_once("\n```\n").expect("a listing ends");
        let output = run(tool("python").args(["-c", listing]).current_dir(work.path()));
        let shown = rest.split_once("\n```text\n").and_then(|(_, text)| text.split_once("\n```\n"));
        let (expected, _) = shown.expect("a listing has its output after it");
        assert_eq!(output.trim_end(), expected, "{listing}");
        count += 1;
    }
    assert_eq!(count, 8);
}

fn replacements_work_or_raise() {
    python("replaced.py");
}

fn texts_are_those_of_the_reference() {
    python("said.py");
}

fn torch_runs_with_the_alias() {
    let site = run(tool("python").args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')"]));
    let mut command = torch().tool("python");
    run(command.args(["-m", "torchgen_rs.alias"]).arg(script("torch_alias.py")).env("PYTHONPATH", &site));
}

/// The mark before the table of names in `docs/coming-from-torchgen.md`.
const NAMES_OF_PROJECTS: &str = "<!-- tests/python_module/used_names.py prints this table -->\n";

/// The page has the table of the names that projects use, as the package has them now.
fn names_that_projects_use() {
    let mut command = tool("python");
    let printed = run(command.arg("-B").arg(script("used_names.py")).arg(script("used_names.txt")));
    let path = root().join("docs/coming-from-torchgen.md");
    let page = std::fs::read_to_string(&path).expect("a page");
    let (before, rest) = page.split_once(NAMES_OF_PROJECTS).expect("the page has the mark");
    let (_, after) = rest.split_once("\n\n").expect("a table ends");
    assert_is_text_of_file(&path, &format!("{before}{NAMES_OF_PROJECTS}{}\n\n{after}", printed.trim_end()));
}

/// `docs/torchgen-reference.md` has what the docstrings of the package say.
fn reference_of_names() {
    let expected = run(tool("python").arg(script("reference.py")).arg(root().join("python/torchgen_rs")));
    let expected = format!("{}\n", expected.trim_end());
    assert_is_text_of_file(&root().join("docs/torchgen-reference.md"), &expected);
}

fn runs_share_nothing() {
    python("processes.py");
}

fn ctrl_c_ends_a_run() {
    python("interrupted.py");
}

/// The files below a directory, without the record of runs.
fn tree(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = WalkDir::new(directory).into_iter().map(|entry| entry.expect("a readable directory"));
    let files = files.filter(|entry| entry.file_type().is_file() && entry.file_name() != ".torchgen-rs.manifest");
    let read = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(directory).expect("it is below").to_owned();
        (path, std::fs::read(entry.path()).expect("a readable file"))
    };
    files.map(read).collect()
}

/// Runs a module with arguments, and the program with others. Both must write and print the same.
#[track_caller]
fn compare(module: &str, arguments: &[&str], command: &[&str]) {
    let work = tempfile::tempdir().expect("a temporary directory");
    let packaged = torch().package().join("../torchgen/packaged");
    let packaged = packaged.canonicalize().expect("the wheel has its generator").to_string_lossy().into_owned();
    let inputs = work.path().join("inputs");
    std::fs::create_dir(&inputs).expect("a new directory");
    let write = |name: &str, text: &str| std::fs::write(inputs.join(name), text).expect("a new file");
    write("backend.yaml", "backend: PrivateUse1\ncpp_namespace: vendor::kernels\nsupported: [abs, mul.out]\n");
    write("lazy.yaml", "backend: Lazy\ncpp_namespace: torch::lazy\nfull_codegen: [abs]\nsupported: [mul.Tensor]\n");
    write("roots.yaml", "[aten::add, aten::mul]\n");
    write("version.h.in", "#define TORCH_VERSION_MAJOR @TORCH_VERSION_MAJOR@\n");
    write("version.txt", "2.15.0a0\n");
    pytorch(&inputs.join("pytorch"));
    copy(&root().join("tests/selection"), &inputs.join("selection"));
    let said = |name: &str, mut program: Command, arguments: &[&str]| {
        let here = work.path().join(name);
        std::fs::create_dir(&here).expect("a new directory");
        let arguments = arguments.iter().map(|word| word.replace("TORCH", &packaged).replace("IN", "../inputs"));
        let output = program.args(arguments).current_dir(&here).output().expect("a program that runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{name}: {text}");
        (tree(&here), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let mut with_python = tool("python");
    with_python.args(["-m", module]);
    let (files, printed) = said("module", with_python, arguments);
    let (expected, expected_print) = said("program", Command::new(env!("CARGO_BIN_EXE_torchgen-rs")), command);
    let names = |tree: &BTreeMap<PathBuf, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&files), names(&expected), "{module}");
    let different: Vec<_> =
        files.iter().filter(|(path, bytes)| expected[*path] != **bytes).map(|(path, _)| path).collect();
    assert!(different.is_empty(), "{module}: {different:?}");
    assert_eq!(printed, expected_print, "{module}");
    assert!(!files.is_empty() || !printed.is_empty(), "{module} did nothing");
}

/// The modules with the reference's names, and the command of each with arguments that always
/// precede.
const SCRIPTS: &[(&str, &[&str])] = &[
    ("gen", &["generate"]),
    ("gen_backend_stubs", &["backend-stubs"]),
    ("gen_lazy_tensor", &["lazy-tensor"]),
    ("generate_code", &["generate-code"]),
    ("gen_version_header", &["gen-version-header"]),
    ("gen_unboxing", &["gen-unboxing"]),
    ("gen_pyi", &["gen-pyi"]),
    ("gen_oplist", &["gen-oplist"]),
    ("gen_operators_yaml", &["gen-operators-yaml"]),
    ("gen_op_registration_allowlist", &["gen-op-registration-allowlist"]),
    ("static_runtime.gen_static_runtime_ops", &["gen-static-runtime-ops"]),
    ("autograd.gen_autograd", &["autograd", "--subset=libtorch"]),
    ("autograd.gen_annotated_fn_args", &["autograd", "--subset=annotated"]),
    ("packaged.autograd.gen_autograd", &["autograd", "--subset=libtorch"]),
    ("packaged.autograd.gen_annotated_fn_args", &["autograd", "--subset=annotated"]),
];

/// Real inputs: `TORCH` is the generator of the wheel, `IN` the directory of small files.
const INPUTS: &[(&str, &[&str])] = &[
    ("gen", &["-s", "TORCH/ATen", "-d", "out", "--generate", "headers", "--per-operator-headers"]),
    ("gen_backend_stubs", &["-s", "IN/backend.yaml", "-o", "out", "--torch-path", "TORCH/ATen"]),
    (
        "gen_lazy_tensor",
        &["-s", "IN/lazy.yaml", "-o", "out", "--torch-path", "TORCH/ATen", "--skip-shape-inference-check"],
    ),
    (
        "gen_version_header",
        &["--template-path", "IN/version.h.in", "--version-path", "IN/version.txt", "--output-path", "version.h"],
    ),
    ("gen_unboxing", &["-s", "TORCH/ATen", "-d", "out"]),
    ("gen_op_registration_allowlist", &["--root-ops", "IN/roots.yaml"]),
    (
        "gen_operators_yaml",
        &[
            "--dep_graph_yaml_path",
            "IN/selection/graph.yaml",
            "--models_yaml_path",
            "IN/selection/models.yaml",
            "--rule_name",
            "rule",
            "--model_name",
            "bird",
            "--model_versions",
            "3,4",
            "--output_path",
            "model.yaml",
        ],
    ),
    (
        "gen_oplist",
        &[
            "--output_dir",
            "out",
            "--model_file_list_path",
            "IN/selection/expected/bird.yaml",
            "--allow_include_all_overloads",
        ],
    ),
    (
        "generate_code",
        &[
            "--native-functions-path",
            "IN/pytorch/source/native/native_functions.yaml",
            "--tags-path",
            "IN/pytorch/source/native/tags.yaml",
            "--autograd-dir",
            "IN/pytorch/autograd",
            "--gen-dir",
            "out",
        ],
    ),
    (
        "gen_pyi",
        &[
            "--native-functions-path",
            "TORCH/ATen/native/native_functions.yaml",
            "--tags-path",
            "TORCH/ATen/native/tags.yaml",
            "--deprecated-functions-path",
            "TORCH/autograd/deprecated.yaml",
            "--template-dir",
            "IN/pytorch/stubs",
            "--out",
            "out",
        ],
    ),
    ("static_runtime.gen_static_runtime_ops", &["-s", "TORCH/ATen", "-p", "ops.cpp", "-t", "test.cc"]),
];

/// The positional arguments of the reference's scripts for autograd, and the flags that they are.
const AUTOGRAD: [(&str, &str); 4] = [
    ("TORCH/ATen/native/native_functions.yaml", "--native-functions-path"),
    ("TORCH/ATen/native/tags.yaml", "--tags-path"),
    ("out", "--out-dir"),
    ("TORCH/autograd", "--autograd-dir"),
];

/// The scripts that take them.
const POSITIONAL: [&str; 3] =
    ["autograd.gen_autograd", "autograd.gen_annotated_fn_args", "packaged.autograd.gen_annotated_fn_args"];

/// The modules of the package that are scripts, but for the program itself.
fn modules() -> BTreeSet<String> {
    let package = root().join("python/torchgen_rs");
    let name = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a readable file");
        let name = path.strip_prefix(&package).expect("it is below").with_extension("");
        text.contains("__name__ == \"__main__\"").then(|| name.to_string_lossy().replace('/', "."))
    };
    let files = WalkDir::new(&package).into_iter().map(|entry| entry.expect("a readable directory").into_path());
    files.filter(|path| path.extension().is_some_and(|ending| ending == "py")).filter_map(|path| name(&path)).collect()
}

fn scripts_of_the_reference() {
    let mut scripts = modules();
    assert!(scripts.remove("__main__") && scripts.remove("alias.__main__"));
    assert_eq!(scripts, SCRIPTS.iter().map(|(module, _)| (*module).to_owned()).collect());
    // `packaged.autograd.gen_autograd` is the same function as another one.
    let with_inputs = INPUTS.iter().map(|(module, _)| *module).chain(POSITIONAL);
    assert_eq!(with_inputs.collect::<BTreeSet<_>>().len(), SCRIPTS.len() - 1);
    compare("torchgen_rs", &["list", "--json"], &["list", "--json"]);
    for (module, command) in SCRIPTS {
        let command = [*command, &["--help"]].concat();
        compare(&format!("torchgen_rs.{module}"), &["--help"], &command);
    }
    let command = |module: &str| SCRIPTS.iter().find(|(name, _)| *name == module).expect("a module").1;
    for (module, words) in INPUTS {
        compare(&format!("torchgen_rs.{module}"), words, &[command(module), words].concat());
    }
    let positional: Vec<&str> = AUTOGRAD.iter().map(|(value, _)| *value).collect();
    let flags: Vec<&str> = AUTOGRAD.iter().flat_map(|(value, flag)| [*flag, *value]).collect();
    for module in POSITIONAL {
        compare(&format!("torchgen_rs.{module}"), &positional, &[command(module), &flags].concat());
    }
}

/// The lines of a file that a type checker rejects; its messages begin with `path:line:`.
fn objections(said: &str, name: &str) -> BTreeSet<usize> {
    let line = |text: &str| text.split_once(name)?.1.strip_prefix(':')?.split(':').next()?.parse().ok();
    said.lines().filter(|text| text.contains("error")).filter_map(line).collect()
}

/// Runs a type checker on the correct and the wrong uses.
#[track_caller]
fn check_types(command: impl Fn() -> Command) {
    for name in ["right.py", "wrong.py"] {
        let text = std::fs::read_to_string(script(name)).expect("a text file");
        let marked = text.lines().enumerate().filter(|(_, line)| line.ends_with("  # wrong")).map(|(i, _)| i + 1);
        let expected: BTreeSet<usize> = marked.collect();
        let output = command().arg(script(name)).output().expect("the type checker runs");
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(objections(&said, name), expected, "{name}\n{said}");
        assert_eq!(output.status.success(), expected.is_empty(), "{name}\n{said}");
    }
}

fn mypy_accepts_right_and_refuses_wrong() {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mypy");
    check_types(|| {
        let mut command = torch().tool("mypy");
        command
            .arg("--strict")
            .arg("--cache-dir")
            .arg(&cache)
            .arg("--python-executable")
            .arg(installed().join("bin/python"));
        command
    });
}

fn pyright_accepts_right_and_refuses_wrong() {
    let project = tempfile::tempdir().expect("a temporary directory");
    std::fs::write(project.path().join("pyrightconfig.json"), "{}").expect("a new file");
    check_types(|| {
        let mut command = torch().tool("pyright");
        command.arg("--pythonpath").arg(installed().join("bin/python")).arg("-p").arg(project.path());
        command
    });
}

fn stubs_are_those_of_the_module() {
    let site = run(tool("python").args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')"]));
    let mut stubtest = torch().tool("stubtest");
    stubtest.args(["torchgen_rs", "--ignore-missing-stub", "--allowlist"]).arg(script("stubtest.txt"));
    run(stubtest.env("PYTHONPATH", &site));
}
