//! The keys of a file of wrappers. The readers and the JSON Schema use these tables.
//!
//! Invariant: every key that a reader takes is here.

use torchgen_base::diag::codes;
use torchgen_base::yaml::keys::{KeySpec, KeyTable, Others, Shape};
use torchgen_kit::driver::run_section::FAMILY_SECTION;

/// The keys of a document.
pub(crate) static DOCUMENT: KeyTable = KeyTable {
    what: "a file of wrappers",
    keys: &[
        KeySpec::new("family", Shape::Word(&["wrappers"]), "`wrappers`.").required(),
        FAMILY_SECTION,
        KeySpec::new("name", Shape::Identifier, "The backend's name: the prefix of files and functions.").required(),
        KeySpec::new("namespace", Shape::Text, "The C++ namespace of generated code, if not the name."),
        KeySpec::new("api", Shape::Text, "The C++ namespace of the backend's graph API, if not `<namespace>::api`."),
        KeySpec::new("dispatch_key", Shape::Identifier, "The dispatch key; `PrivateUse1` by default."),
        KeySpec::new("include", Shape::Texts, "The headers of the backend's graph API."),
        KeySpec::new("native_functions", Shape::Text, "PyTorch's native_functions.yaml, relative to this file."),
        KeySpec::new("declarations", Shape::Text, "Declarations.yaml, in place of native_functions.yaml."),
        KeySpec::new("registration", Shape::Text, "RegistrationDeclarations.h, which belongs to Declarations.yaml."),
        KeySpec::new("coverage_min", Shape::Any, "How many operators must have code."),
        KeySpec::new("body", Shape::Text, "A C++ file that generated code is inserted into."),
        KeySpec::new(
            "contiguous",
            Shape::Word(&["all", "none"]),
            "Which inputs are made contiguous first; `all` by default.",
        ),
        KeySpec::new("functions", Shape::Entries(&FUNCTION), "The functions of the backend's graph API."),
        KeySpec::new("ops", Shape::Entries(&ENTRY), "The operators that the backend serves."),
        KeySpec::new(
            "legacy",
            Shape::Keys(&LEGACY),
            "Inputs of torch_spyre's generator, in place of `functions` and `ops`.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[
        ("op", "operators are entries of the list `ops:`"),
        ("fn", "functions are entries of the list `functions:`"),
        ("backend", "the backend's name is the value of `name:`"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of a function.
pub(super) static FUNCTION: KeyTable = KeyTable {
    what: "a function of the backend",
    keys: &[
        KeySpec::new("fn", Shape::Text, "Its schema, such as `Clip(Tensor x, float min, float max) -> Tensor`.")
            .required(),
        KeySpec::new("cpu", Shape::Text, "A C++ expression that computes it on CPU tensors, for `--mock`."),
        KeySpec::new("doc", Shape::Text, "What it does."),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};

/// The keys of an entry.
pub(super) static ENTRY: KeyTable = KeyTable {
    what: "an entry of `ops:`",
    keys: &[
        KeySpec::new(
            "op",
            Shape::Text,
            "`add` for all overloads, `add.Tensor` for one, `relu.default` for the one without a name.",
        )
        .required(),
        KeySpec::new("call", Shape::Text, "The function of the backend that computes it."),
        KeySpec::new("map", Shape::Any, "Parameters and the arguments that they take, or expressions of arguments."),
        KeySpec::new("extra", Shape::Any, "Parameters and their values: constants, or expressions of arguments."),
        KeySpec::new(
            "results",
            Shape::Any,
            "Results of the function and those of the operator that they are, by name or by number from 0.",
        ),
        KeySpec::new("default", Shape::Any, "Optional arguments and the values that `None` means."),
        KeySpec::new("guard", Shape::Any, "Arguments and conditions that are checked when the wrapper runs."),
        KeySpec::new("drop", Shape::Texts, "Arguments that are ignored on purpose."),
        KeySpec::new("shape", Shape::Any, "How the sizes of the result are found; `bypass` by default."),
        KeySpec::new(
            "shapes",
            Shape::Any,
            "The same for each result, if their sizes differ: a list of what `shape` may be.",
        ),
        KeySpec::new("dtype", Shape::Text, "How the type of the result is found; `first` by default."),
        KeySpec::new("dtypes", Shape::Texts, "The same for each result, if their types differ."),
        KeySpec::new(
            "dims",
            Shape::Texts,
            "Arguments that are dimensions: negative ones are counted from the end. By default, those named `dim`, `axis` and so on.",
        ),
        KeySpec::new("contiguous", Shape::Any, "`all`, `none`, or a list of inputs that are made contiguous first."),
        KeySpec::new(
            "template",
            Shape::Text,
            "`base`, `list_inp`, `factory`, `view`, `native`, `fallback`, `fallthrough` or `custom`.",
        ),
        KeySpec::new("inplace", Shape::Bool, "The entry also serves the operators that mutate `self`, such as `add_`."),
        KeySpec::new("composite", Shape::Bool, "Takes a composite operator, and so its derivative, from PyTorch."),
        KeySpec::new("reason", Shape::Text, "Why the template is `custom` or `fallback`, for the report."),
        KeySpec::new("examples", Shape::Values, "Arguments in C++ that `--mock` compares with PyTorch's results."),
    ],
    others: Others::Refused,
    misplaced: &[
        ("fn", "did you mean `call`?"),
        ("operator_name", "that is a key of torch_spyre's Metadata.yaml; write `op:`"),
        ("sendnn_func_name", "that is a key of torch_spyre's Metadata.yaml; write `call:`"),
    ],
    unknown: &codes::UNKNOWN_KEY,
};

/// The inputs of the original generator.
pub(super) static LEGACY: KeyTable = KeyTable {
    what: "`legacy`",
    keys: &[
        KeySpec::new("metadata", Shape::Text, "Metadata.yaml.").required(),
        KeySpec::new(
            "functions",
            Shape::Text,
            "The backend's functions: docstrings as text, YAML from names to docstrings, or a list of `fn:`.",
        )
        .required(),
        KeySpec::new("declarations", Shape::Text, "Declarations.yaml.").required(),
        KeySpec::new("registration", Shape::Text, "RegistrationDeclarations.h.").required(),
        KeySpec::new("templates", Shape::Text, "The directory of Jinja templates.").required(),
        KeySpec::new(
            "prefix",
            Shape::Text,
            "The prefix of the keys `<prefix>_func_name` and `<prefix>_type`; `sendnn` by default.",
        ),
    ],
    others: Others::Refused,
    misplaced: &[],
    unknown: &codes::UNKNOWN_KEY,
};
