//! Checks the table of features of the bundled library, `examples/opkit/features.yaml`: every
//! feature is listed, and every operator that it names uses it.
//!
//! A claim is checked against the entry in the YAML and the generated files, not against the
//! operator's name.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use libtest_mimic::Trial;
use serde_yaml::Value;

/// The tests of this module.
pub(crate) fn trials() -> Vec<Trial> {
    trials![operators_show_what_the_table_says, operators_without_the_stable_abi_have_reasons]
}

/// An operator's entry, and its parts in other files.
struct Operator<'a> {
    library: &'a Library,
    entry: &'a Value,
    /// Name and overload, without the namespace.
    name: String,
    arguments: String,
    returns: String,
    /// Its entry in derivatives.yaml.
    derivative: Option<&'a Value>,
}

struct Library {
    entries: Vec<Value>,
    derivatives: Vec<Value>,
}

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn entries(path: &str) -> Vec<Value> {
    serde_yaml::from_str(&read(path)).expect("a list of entries")
}

/// Name, arguments and returns of a schema, without the namespace.
fn parts(schema: &str) -> (String, String, String) {
    let schema = schema.split_once("::").map_or(schema, |(_, rest)| rest);
    let (name, rest) = schema.split_once('(').expect("arguments");
    let (arguments, returns) = rest.rsplit_once(") -> ").expect("returns");
    (name.to_owned(), arguments.to_owned(), returns.to_owned())
}

impl Library {
    fn operator(&self, name: &str) -> Operator<'_> {
        let of = |entry: &Value, key: &str| parts(entry[key].as_str().expect("a schema"));
        let entry =
            self.entries.iter().find(|e| of(e, "func").0 == name).unwrap_or_else(|| panic!("no operator {name}"));
        let (name, arguments, returns) = of(entry, "func");
        let derivative = self.derivatives.iter().find(|e| of(e, "name").0 == name);
        Operator { library: self, entry, name, arguments, returns, derivative }
    }
}

impl Operator<'_> {
    fn keys(&self) -> BTreeSet<&str> {
        let dispatch = self.entry["dispatch"].as_mapping();
        let keys = dispatch.into_iter().flatten().filter_map(|(keys, _)| keys.as_str());
        keys.flat_map(|keys| keys.split(", ")).collect()
    }

    fn has_tag(&self, tag: &str) -> bool {
        match &self.entry["tags"] {
            Value::Sequence(tags) => tags.iter().any(|t| t.as_str() == Some(tag)),
            other => other.as_str() == Some(tag),
        }
    }

    /// Whether it has an argument of the type.
    fn takes(&self, of_type: &str) -> bool {
        self.arguments.split(", ").any(|argument| argument.starts_with(&format!("{of_type} ")))
    }

    fn mutates(&self) -> bool {
        self.arguments.contains("!)")
    }

    /// Whether the generated source registers a kernel for the key.
    fn registered_for(&self, key: &str) -> bool {
        let text = read("generated/src/Library_0.cpp");
        let blocks = text.split("TORCH_LIBRARY_IMPL(").filter(|block| block.starts_with(&format!("opkit, {key}, m)")));
        let blocks: Vec<&str> = blocks.filter_map(|block| block.split("\n}").next()).collect();
        let is_registered = |namespace| {
            let begins = format!("m.impl(\"{namespace}{}\"", self.name);
            blocks.iter().any(|block| block.contains(&begins))
        };
        ["", "opkit::"].into_iter().any(is_registered)
    }

    /// The members of its backward node.
    fn node(&self) -> String {
        let title = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
        let name: String = self.name.split('_').filter(|word| !word.is_empty()).map(title).collect();
        let header = read("generated/include/opkit/AutogradFunctions.h");
        let (_, rest) = header.rsplit_once(&format!(" {name}Backward0 : ")).unwrap_or_else(|| panic!("no node {name}"));
        rest.split_once("\n};").expect("its end").0.to_owned()
    }

    fn saves(&self, name: &str) -> bool {
        self.node().contains(&format!("SavedVariable {name}_;"))
    }
}

/// Whether the operator uses the feature; `None` if the feature does not exist.
fn shows(feature: &str, op: &Operator) -> Option<bool> {
    let several = op.returns.starts_with('(') && op.returns.contains(", ");
    let meta = || read("generated/include/opkit/NativeMetaFunctions.h");
    let base = op.name.split('.').next().expect("a name");
    Some(match feature {
        "functional" => !op.mutates() && !op.returns.contains("(a") && op.returns.starts_with("Tensor"),
        "inplace" => op.name.ends_with('_') && op.returns == "Tensor(a!)" && op.registered_for("ADInplaceOrView"),
        "out" => {
            op.name.ends_with(".out")
                && op.arguments.contains("*, Tensor(a!) out")
                && op.registered_for("ADInplaceOrView")
        }
        "structured with delegates" => {
            op.entry["structured"].as_bool() == Some(true)
                && op.library.entries.iter().any(|e| e["structured_delegate"].as_str() == Some(&op.name))
        }
        "precomputed values" => {
            op.entry["precomputed"].is_sequence() && meta().contains("struct OPKIT_API precompute_out")
        }
        "meta functions" => meta().contains(&format!("struct OPKIT_API structured_{base} ")),
        "generated variants" => {
            let variant = op.entry["autogen"].as_str().map(|name| name.replace('.', "_"));
            variant.is_some_and(|name| read("generated/src/Library_0.cpp").contains(&format!("{name}(")))
        }
        "several outputs" => several,
        "tensor lists" => op.takes("Tensor[]") || op.takes("Tensor(a!)[]"),
        "optional tensors" => op.takes("Tensor?"),
        "SymInt" => op.takes("SymInt"),
        "scalars" => op.takes("Scalar"),
        "strings" => op.takes("str"),
        "Generator" => op.takes("Generator?"),
        "factory with backend select" => {
            !op.arguments.contains("Tensor") && op.takes("Device?") && op.registered_for("BackendSelect")
        }
        "single-output view" => op.returns == "Tensor(a)" && op.registered_for("Functionalize"),
        "multi-output view" => {
            several && op.returns.matches("Tensor(a)").count() > 1 && op.registered_for("Functionalize")
        }
        "composite implicit" => op.registered_for("CompositeImplicitAutograd"),
        "composite explicit" => op.registered_for("CompositeExplicitAutograd") && op.entry["autogen"].is_null(),
        "CPU and Meta only" => {
            op.keys() == BTreeSet::from(["CPU", "Meta"]) && op.registered_for("CPU") && op.registered_for("Meta")
        }
        "PrivateUse1 kernel" => op.keys().contains("PrivateUse1") && op.registered_for("PrivateUse1"),
        "data-dependent output shape" => {
            let fake = format!("register_fake(\"opkit::{}\"", op.name);
            op.has_tag("dynamic_output_shape") && read("generated/python/opkit/_ops.py").contains(&fake)
        }
        "derivative with saved inputs" => op.arguments.split(", ").any(|a| {
            a.split('=')
                .next()
                .and_then(|a| a.rsplit(' ').next())
                .is_some_and(|name| a.starts_with("Tensor") && (op.saves(name) || op.saves(&format!("{name}_arg"))))
        }),
        "derivative with saved results" => op.saves("result"),
        "forward mode" => op.derivative.is_some_and(|d| !d["result"].is_null()),
        "outputs of which some are not differentiable" => {
            let values = op.derivative.and_then(|d| d["output_differentiability"].as_sequence());
            values.is_some_and(|v| v.contains(&Value::from(true)) && v.contains(&Value::from(false)))
        }
        _ => return None,
    })
}

/// All features of a library. The table lists each.
const FEATURES: [&str; 26] = [
    "functional",
    "inplace",
    "out",
    "structured with delegates",
    "precomputed values",
    "meta functions",
    "generated variants",
    "several outputs",
    "tensor lists",
    "optional tensors",
    "SymInt",
    "scalars",
    "strings",
    "Generator",
    "factory with backend select",
    "single-output view",
    "multi-output view",
    "composite implicit",
    "composite explicit",
    "CPU and Meta only",
    "PrivateUse1 kernel",
    "data-dependent output shape",
    "derivative with saved inputs",
    "derivative with saved results",
    "forward mode",
    "outputs of which some are not differentiable",
];

fn operators_show_what_the_table_says() {
    let library = Library { entries: entries("native_functions.yaml"), derivatives: entries("derivatives.yaml") };
    let table: BTreeMap<String, Vec<String>> =
        serde_yaml::from_str(&read("examples/opkit/features.yaml")).expect("a table");
    let named: BTreeSet<&str> = table.keys().map(String::as_str).collect();
    assert_eq!(named, BTreeSet::from(FEATURES), "the features of the table");
    for (feature, operators) in &table {
        assert!(!operators.is_empty(), "no operator shows: {feature}");
        for name in operators {
            let shown = shows(feature, &library.operator(name));
            assert_eq!(shown, Some(true), "{name} does not show: {feature}");
        }
    }
    let bases: BTreeSet<String> = library
        .entries
        .iter()
        .map(|e| parts(e["func"].as_str().expect("a schema")).0)
        .map(|name| name.split('.').next().expect("a name").trim_end_matches('_').to_owned())
        .collect();
    assert!(bases.len() >= 24, "only {} operators", bases.len());
    let claims = |feature: &str, name: &str| shows(feature, &library.operator(name)) == Some(true);
    assert!(!claims("inplace", "rms_norm") && !claims("forward mode", "box_iou") && !claims("SymInt", "swish"));
}

/// `leave_out:` in library.yaml, the table in README.md, and the exemptions of the Python tests are
/// about the same operators.
fn operators_without_the_stable_abi_have_reasons() {
    let settings: Value = serde_yaml::from_str(&read("library.yaml")).expect("settings");
    let names = settings["leave_out"].as_sequence().expect("a list").iter();
    let left_out: BTreeSet<&str> = names.map(|name| name.as_str().expect("a name")).collect();
    let readme = read("examples/opkit/README.md");
    let (_, table) = readme.split_once("| --- | --- |\n").expect("a table");
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let shown: BTreeSet<&str> = rows
        .filter_map(|row| row.split('|').nth(1))
        .flat_map(|cell| cell.split(','))
        .map(|name| name.trim().trim_matches('`'))
        .collect();
    assert_eq!(shown, left_out);
    let exemptions = read("examples/opkit/tests/exemptions.py");
    let (_, list) = exemptions.split_once("NOT_STABLE = {\n").expect("a table");
    let exempted: BTreeSet<&str> = list
        .lines()
        .take_while(|line| *line != "}")
        .filter_map(|line| line.trim().split(':').next())
        .map(|name| name.trim_matches('"'))
        .collect();
    assert_eq!(exempted, left_out);
}
