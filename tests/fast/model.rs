//! The output of `torchgen-rs model`: the bundled library, another family, and torch without files.
//! `tests/torch/model.rs` has all of PyTorch's operators.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value;

use crate::root;
use crate::schema::validator;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![
        a_library,
        kernels_and_formulas,
        another_family_and_its_file,
        kernel_wrappers,
        torch_without_files,
        a_backend_and_its_shape_functions,
        what_is_not_there,
        the_list_of_another_project,
        lines_fit_the_schemas
    ]
}

/// The status, the output and the errors of `model` with these arguments.
fn run(arguments: &[&str], dir: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs")).arg("model").args(arguments).current_dir(dir).output();
    let output = output.expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// The header and the things.
#[track_caller]
fn lines(arguments: &[&str], dir: &Path) -> (Value, Vec<Value>) {
    let (status, out, said) = run(arguments, dir);
    assert_eq!((status, said.as_str()), (Some(0), ""));
    let mut lines = out.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    (lines.next().expect("a header"), lines.collect())
}

#[track_caller]
fn find<'a>(things: &'a [Value], kind: &str, name: &str) -> &'a Value {
    let found = things.iter().find(|thing| thing["kind"] == kind && thing["name"] == name);
    found.unwrap_or_else(|| panic!("there is no {kind} {name}"))
}

/// The values of a key in a list.
fn all<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().into_iter().flatten().filter_map(|item| item[key].as_str()).collect()
}

fn a_library() {
    let (header, things) = lines(&["--outputs"], root());
    assert_eq!(
        (&header["family"], &header["format"], &header["things"]),
        (&"library".into(), &1.into(), &things.len().into())
    );
    let soft_cap = find(&things, "operator", "opkit::soft_cap");
    assert_eq!(soft_cap["at"]["file"], "./native_functions.yaml");
    let facts = &soft_cap["facts"];
    assert_eq!((&facts["structured_delegate"], &facts["tags"][0]), (&"soft_cap.out".into(), &"pointwise".into()));
    assert_eq!(all(&soft_cap["parts"], "role"), ["self", "argument", "return"]);
    assert_eq!(all(&soft_cap["relations"], "kind"), ["group", "delegates_to", "differentiated_by"]);
    assert!(all(&facts["dispatch"], "origin").contains(&"registered"), "{facts}");
    assert!(all(&facts["derivatives"], "node").contains(&"SoftCapBackward0"), "{facts}");
    assert!(all(&soft_cap["outputs"], "file").contains(&"include/opkit/Functions.h"), "{soft_cap}");
    let group = find(&things, "group", "opkit::soft_cap");
    assert_eq!(all(&group["relations"], "to"), ["opkit::soft_cap", "opkit::soft_cap_", "opkit::soft_cap.out"]);
    // An operator is what `explain` explains.
    let output = Command::new(env!("CARGO_BIN_EXE_torchgen-rs"))
        .args(["explain", "soft_cap.default", "--json"])
        .current_dir(root())
        .output();
    let explained = String::from_utf8(output.expect("the program runs").stdout).expect("text");
    assert_eq!(serde_json::from_str::<Value>(&explained).expect("JSON"), *soft_cap);
}

fn kernels_and_formulas() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (header, things) = lines(&["--torch", "2.15", "--also", "kernels", "--only", "mul,mul_"], dir.path());
    assert_eq!(header["things"], things.len());
    let kernel = find(&things, "kernel", "at::native::mul_sparse");
    assert_eq!(all(&kernel["relations"], "to"), ["aten::mul.Tensor"]);
    assert_eq!(all(&kernel["facts"]["services"], "key"), ["SparseCPU", "SparseCUDA", "SparseMPS", "SparseXPU"]);
    assert_eq!(all(&kernel["signatures"], "name"), ["mul_sparse"]);
    let structured = find(&things, "kernel", "at::native::mul_out");
    assert_eq!(
        all(&structured["relations"], "to"),
        ["aten::mul.Tensor", "aten::mul_.Tensor", "aten::mul.out"],
        "{structured}"
    );
    assert_eq!(all(&structured["facts"]["services"], "through")[0], "aten::mul.out");
    // All that operators say of kernels, and nothing else.
    let services: usize = things.iter().map(|thing| thing["facts"]["services"].as_array().map_or(0, Vec::len)).sum();
    let dispatch = things.iter().map(|thing| thing["facts"]["dispatch"].as_array().map_or(0, Vec::len)).sum::<usize>();
    assert!(services == dispatch && services > 20, "{services} {dispatch}");

    let (_, things) = lines(&["--also", "formulas", "--only", "soft_cap,soft_cap_"], root());
    let found: Vec<&Value> = things.iter().filter(|thing| thing["kind"] == "formula").collect();
    let names: Vec<&str> = found.iter().filter_map(|thing| thing["name"].as_str()).collect();
    let inplace = "opkit::soft_cap self (forward)";
    assert_eq!(names, ["opkit::soft_cap self", "opkit::soft_cap result (forward)", inplace]);
    assert_eq!(all(&found[2]["relations"], "to"), ["opkit::soft_cap_"]);
    assert_eq!(all(&found[0]["relations"], "to"), ["opkit::soft_cap", "opkit::soft_cap_"]);
    assert_eq!(found[0]["at"]["file"], "./derivatives.yaml");
    let facts = &found[0]["facts"];
    assert_eq!(facts["differentiates"], serde_json::json!(["self"]));
    assert_eq!((&facts["direction"], &facts["node"]), (&"backward".into(), &"SoftCapBackward0".into()));
    assert_eq!(facts["names"], serde_json::json!(["grad", "result", "cap"]));
    assert_eq!((&facts["functions"], &facts["methods"]), (&serde_json::json!([]), &serde_json::json!(["pow"])));
}

fn another_family_and_its_file() {
    let source = "families/graph-ir/example";
    let (header, things) = lines(&["-s", source], root());
    assert_eq!((&header["family"], &header["namespace"]), (&"graph-ir".into(), &"glow".into()));
    let (_, some) = lines(&["-s", source, "--only", "Relu"], root());
    assert_eq!(some, [find(&things, "node", "Relu").clone(), find(&things, "instruction", "Relu").clone()]);
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().to_string_lossy().into_owned();
    let tool = || Command::new(env!("CARGO_BIN_EXE_torchgen-rs"));
    let made = tool().args(["graph-ir", "-s", source, "-d", &out, "--emit", "model"]).current_dir(root()).output();
    assert!(made.expect("the program runs").status.success());
    let file = std::fs::read_to_string(dir.path().join("ir_model.jsonl")).expect("the model");
    assert_eq!(file, run(&["-s", source], root()).1);
}

fn kernel_wrappers() {
    let check = |source: &str, name: &str, at: (&str, usize), roles: &[&str]| {
        let (_, things) = lines(&["-s", source, "--only", name], root());
        let found = find(&things, "operator", name);
        assert_eq!((&found["at"]["file"], &found["at"]["line"]), (&at.0.into(), &at.1.into()), "{found}");
        assert_eq!(all(&found["parts"], "role"), roles, "{found}");
        found["parts"].clone()
    };
    check(
        "families/wrappers/tests/templates.yaml",
        "abs",
        ("families/wrappers/tests/templates.yaml", 9),
        &["self", "return"],
    );
    let legacy = "families/wrappers/tests/legacy/Declarations.yaml";
    let roles = ["self", "argument", "keyword", "out", "return"];
    let parts = check("families/wrappers/tests/legacy/backend.yaml", "add.out", (legacy, 14), &roles);
    assert_eq!(parts[2], serde_json::json!({"role": "keyword", "name": "alpha", "type": "Scalar", "default": "1"}));
    assert_eq!(parts[3]["alias"], "a!");
}

fn torch_without_files() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let names = |version: &str| {
        let (header, things) = lines(&["--torch", version, "--only", "rename,add.out"], dir.path());
        assert_eq!(header["torch"], version);
        things.iter().map(|thing| format!("{} {}", thing["kind"], thing["name"]).replace('"', "")).collect::<Vec<_>>()
    };
    let add = ["operator aten::add.out", "group aten::add.Tensor"];
    assert_eq!(names("2.10"), ["operator aten::rename", add[0], add[1], "view_group aten::rename"]);
    let (status, _, said) = run(&["--torch", "2.15", "--only", "rename"], dir.path());
    assert!(status == Some(2) && said.starts_with("error[TG0001]: there is no operator `rename`"), "{said}");
    let (_, things) = lines(&["--torch", "2.12", "--only", "rename_"], dir.path());
    let rename = find(&things, "operator", "aten::rename_");
    assert_eq!(rename["facts"]["versions"], serde_json::json!({"since": "2.10", "until": "2.12"}));
    assert!(rename["at"].is_null() && rename["parts"][0]["at"].is_null(), "{rename}");
    assert_eq!(std::fs::read_dir(dir.path()).expect("a directory").count(), 0);
}

fn a_backend_and_its_shape_functions() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let text = "backend: XLA\ncpp_namespace: vendor\nfull_codegen: [nonzero, sin]\nsupported: [relu]\n";
    std::fs::write(dir.path().join("backend.yaml"), format!("{text}derivatives: derivatives.yaml\n")).expect("a file");
    let derivatives = "- name: sin(Tensor self) -> Tensor\n  self: grad * self.cos()\n  result: auto_linear\n";
    std::fs::write(dir.path().join("derivatives.yaml"), derivatives).expect("a file");
    let arguments = ["--torch", "2.15", "--backend-yaml", "backend.yaml", "--lazy", "--only", "nonzero,sin,relu"];
    let (_, things) = lines(&arguments, dir.path());
    let of_backend = |name: &str| {
        let thing = find(&things, "operator", name);
        let kernels = thing["facts"]["dispatch"].as_array().expect("kernels");
        let kernel =
            kernels.iter().find(|kernel| kernel["origin"] == "backend").map(|kernel| kernel["function"].clone());
        let shape = thing["signatures"].as_array().expect("signatures").iter().find(|own| own["convention"] == "lazy");
        (kernel, shape.map(|shape| shape["name"].clone()))
    };
    // PyTorch has a meta function for `sin`.
    assert_eq!(of_backend("aten::nonzero"), (Some("vendor::nonzero".into()), Some("compute_shape_nonzero".into())));
    assert_eq!(of_backend("aten::sin"), (Some("vendor::sin".into()), None));
    assert_eq!(of_backend("aten::relu"), (Some("vendor::relu".into()), None));
    let [sin, relu] = ["sin", "relu"].map(|name| &find(&things, "operator", &format!("aten::{name}"))["facts"]);
    let of_sin = &sin["derivatives"][0];
    assert_eq!((&of_sin["key"], &of_sin["at"]["file"]), (&"AutogradXLA".into(), &"derivatives.yaml".into()), "{sin}");
    assert_eq!(of_sin["backward"][0]["formula"], "grad * self.cos()");
    assert_eq!(relu["derivatives"], serde_json::json!([]));
    let (_, things) = lines(&["--torch", "2.15", "--lazy", "--only", "relu"], dir.path());
    let relu = find(&things, "operator", "aten::relu");
    assert!(all(&relu["signatures"], "convention").contains(&"lazy"), "{relu}");
}

fn what_is_not_there() {
    let empty = tempfile::tempdir().expect("a temporary directory");
    let check = |arguments: &[&str], dir: &Path, expected: &str| {
        let (status, out, said) = run(arguments, dir);
        assert_eq!((status, out.as_str(), said.as_str()), (Some(2), "", expected), "{arguments:?}");
    };
    check(
        &["--torch", "2.9"],
        empty.path(),
        "error[TG0001]: the operators of torch 2.9 are not known\n |\n = help: those of torch 2.10 to 2.15 are\n\n",
    );
    check(
        &["--only", "soft_cup"],
        root(),
        "error[TG0001]: there is no operator `soft_cup`\n |\n = help: did you mean `soft_cap`?\n\n",
    );
    check(
        &["-s", "families/graph-ir/example", "--only", "Rely"],
        root(),
        "error[TG0001]: graph-ir has no `Rely` here\n |\n = help: did you mean `Relu`?\n\n",
    );
    check(
        &["-s", "families/graph-ir/example", "--outputs"],
        root(),
        "error[TG0001]: `--outputs` is for operators, not for the records of graph-ir\n |\n = help: leave out `--outputs`\n\n",
    );
    check(
        &["-s", "families/graph-ir/example", "--also", "kernels"],
        root(),
        "error[TG0001]: `--also` is for operators, not for the records of graph-ir\n |\n = help: leave out `--also`\n\n",
    );
    check(
        &["--torch", "2.15", "--also", "formulas"],
        empty.path(),
        "error[TG0001]: `--also formulas` needs derivatives.yaml, and there is none here\n |\n = help: name its directory with `--autograd-dir`\n\n",
    );
    check(
        &["--backend-yaml", "backend.yaml"],
        root(),
        "error[TG0001]: `backend.yaml` is for PyTorch's operators, and `.` has a library\n |\n = help: name PyTorch's sources with `-s`\n\n",
    );
    let (status, _, said) = run(&[], empty.path());
    assert!(status == Some(2) && said.starts_with("error[TG0002]: found neither an operator library"), "{said}");
}

fn lines_fit_the_schemas() {
    let sources = [
        ("model", vec!["--also", "kernels,formulas"], root().to_owned()),
        ("model", vec!["-s", "tests/mini/source", "--outputs", "--also", "kernels"], root().to_owned()),
        ("model", vec!["-s", "tests/stable/library"], root().to_owned()),
        ("family-model", vec!["-s", "families/op-builders/example"], root().to_owned()),
        ("family-model", vec!["-s", "families/tensor-ir/example"], root().to_owned()),
        ("family-model", vec!["-s", "families/wrappers/tests/templates.yaml"], root().to_owned()),
        ("family-model", vec!["-s", "families/graph-ir/example", "--only", "Relu,Add"], root().to_owned()),
    ];
    for (kind, arguments, dir) in sources {
        let validator = validator(kind);
        let (header, things) = lines(&arguments, &dir);
        assert!(!things.is_empty(), "{arguments:?}");
        for line in [header].iter().chain(&things) {
            let wrong: Vec<String> = validator.iter_errors(line).map(|error| error.to_string()).collect();
            assert!(wrong.is_empty(), "{arguments:?}: {line}: {wrong:?}");
        }
        // A key with another name is an error.
        let mut wrong = things[0].clone();
        wrong["sort"] = wrong["kind"].take();
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}

/// A list with keys of its own: its schemas are read, and nothing else is.
fn the_list_of_another_project() {
    let directory = tempfile::tempdir().expect("a directory");
    let list = "version: 3\nown:\n- {func: 'fast_cast(Tensor self, int format) -> Tensor', route: fast}\n\
                - func: 'add_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'\n\
                - func: 'vendor::pair(Tensor self, *, Tensor? out=None) -> (Tensor output, Tensor output)'\n";
    std::fs::write(directory.path().join("list.yaml"), list).expect("a file");
    let (_, things) = lines(&["--foreign", "-s", "list.yaml"], directory.path());
    let names: Vec<&str> = things.iter().filter_map(|thing| thing["name"].as_str()).collect();
    assert_eq!(names, ["aten::fast_cast", "aten::add_.Tensor", "vendor::pair"]);
    assert_eq!(things[0]["at"]["line"], 3);
    assert_eq!(things[1]["parts"][0]["mutable"], true);
    assert!(things[2]["signatures"].as_array().is_some_and(|all| !all.is_empty()), "{}", things[2]);
    std::fs::write(directory.path().join("list.yaml"), list.replace("int format", "integer format")).expect("a file");
    let (status, _, said) = run(&["--foreign", "-s", "list.yaml"], directory.path());
    assert!(status == Some(1) && said.contains("unknown type `integer`") && said.contains("list.yaml:3:"), "{said}");
}
