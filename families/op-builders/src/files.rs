//! The files, and the template and the view of each.
//!
//! Invariant: the list of files depends on flags alone.

use clap::ValueEnum;
use serde::Serialize;

use super::examples::Tests;
use super::model::Model;
use super::view::{FileView, views};
use torchgen_base::render::{RenderError, Renderer, View, Word};
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::JobError;
use torchgen_kit::driver::context::{FileContext, PlannedFile};

/// The headers that builders are compiled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Target {
    /// The generated support library
    #[default]
    Standalone,
    /// MIGraphX's own headers
    Migraphx,
}

/// What is generated.
pub(super) struct Options {
    pub(super) target: Target,
    /// `emit`, or the directory of an existing support library.
    pub(super) support: String,
    /// The model as data, if it is asked for.
    pub(super) model: Option<String>,
    pub(super) self_test: bool,
}

impl Options {
    fn is_standalone(&self) -> bool {
        self.target == Target::Standalone
    }

    fn emits_support(&self) -> bool {
        self.is_standalone() && self.support == "emit"
    }

    /// Whether files are made that builders for any target need.
    fn emits_tools(&self) -> bool {
        self.emits_support() || !self.is_standalone()
    }
}

/// The path of a file, and its template or C++ source.
type Part = (&'static str, &'static str);

/// The builders.
const BUILDERS: &[Part] = &[
    ("op_builders.h", "op_builders/op_builders.h.j2"),
    ("op_builders.cpp", "op_builders/op_builders.cpp.j2"),
    ("op_builders_typed.h", "op_builders/op_builders_typed.h.j2"),
];

/// Needed by builders for any target.
const TOOLS: &[Part] = &[
    ("builder_inserter.h", "op_builders/support/inserter.h.j2"),
    ("builder_inserter.cpp", "op_builders/support/inserter.cpp.j2"),
    ("builder_tensors.h", "op_builders/support/tensors.h.j2"),
];

/// What modules are written and read with.
const SAVED: &[Part] =
    &[("builder_save.h", "op_builders/support/save.h.j2"), ("builder_save.cpp", "op_builders/support/save.cpp.j2")];

/// The support library, whose sources have the names of the files.
const SUPPORT: &[&str] = &[
    "builder_value.h",
    "builder_value.cpp",
    "builder_shape.h",
    "builder_shape.cpp",
    "builder_argument.h",
    "builder_argument.cpp",
    "builder_module.h",
    "builder_module.cpp",
    "builder_reflect.h",
    "builder_reflect.cpp",
    "builder_common.h",
    "builder_common.cpp",
    "builder_rules.h",
    "builder_registry.h",
    "builder_rules_elementwise.cpp",
    "builder_rules_layout.cpp",
    "builder_rules_indexing.cpp",
    "builder_rules_matrix.cpp",
    "builder_rules_quantization.cpp",
    "op_builder_registry.cpp",
    "builder_support.h",
];

/// What the first line of generated files says.
#[derive(Serialize)]
struct Banner<'a> {
    sources: Vec<&'a str>,
}

/// What opens or closes nested namespaces.
#[derive(Serialize)]
struct NamespaceView<'a> {
    parts: &'a [&'a str],
    migraphx: bool,
}

#[derive(Serialize)]
struct SelfTest<'a> {
    banner: &'a str,
    namespace: &'a str,
    support: &'a str,
    support_header: &'a str,
    #[serde(flatten)]
    tests: &'a Tests,
}

/// Makes all files of builders that were checked.
pub(super) fn files(
    model: &Model,
    options: &Options,
    tests: &Tests,
    context: FileContext,
) -> Result<Vec<OutputFile>, JobError> {
    let file = file_view(model, options, context.renderer)?;
    let FileView { banner, namespace, support, support_header, .. } = &file;
    let words = words(&file);
    let expressions = [(COMMENT, banner.clone()), ("torchgen_support", format!("{namespace}::expr"))];
    let self_test = SelfTest { banner, namespace, support, support_header, tests };
    let file = View::new(&file);
    let self_test = options.self_test.then(|| View::new(&self_test));

    let mut parts: Vec<Part> = BUILDERS.to_vec();
    if options.emits_tools() {
        parts.extend(TOOLS);
    }
    if options.emits_support() {
        parts.extend(SAVED);
    }
    let mut table: Vec<PlannedFile> =
        parts.into_iter().map(|(path, template)| PlannedFile::new(path, template, &file)).collect();
    if options.emits_support() {
        let source = |path: &&'static str| PlannedFile::plain(*path, format!("op_builders/support/{path}"), &words);
        table.extend(SUPPORT.iter().map(source));
    }
    if options.emits_tools() {
        table.push(PlannedFile::plain("builder_expr.h", "kit/cpp/expr.h", &expressions));
    }
    table.extend(options.model.iter().map(|text| PlannedFile::data("op_builders.jsonl", text.clone())));
    let self_test_of = |view| PlannedFile::new("op_builders_self_test.cpp", "op_builders/self_test.cpp.j2", view);
    table.extend(self_test.iter().map(self_test_of));
    context.make(table)
}

/// The line that the banner replaces.
const COMMENT: &str = "// torchgen_comment";

/// What the words of the support library's sources become.
fn words(file: &FileView) -> [Word; 5] {
    [
        (COMMENT, file.banner.clone()),
        ("torchgen_support", file.support.clone()),
        // The builders' namespaces are opened one by one.
        ("namespace torchgen_builders {", file.open_namespace.clone()),
        ("} // namespace torchgen_builders", file.close_namespace.clone()),
        ("torchgen_builders", file.builder_namespace.clone()),
    ]
}

/// The data that most templates share.
fn file_view(model: &Model, options: &Options, renderer: &Renderer) -> Result<FileView, RenderError> {
    let mut sources: Vec<&str> = Vec::new();
    for callable in &model.builders {
        let name = callable.record.path.file_name().and_then(|name| name.to_str()).unwrap_or("YAML");
        if !sources.contains(&name) {
            sources.push(name);
        }
    }
    let banner = renderer.fragment("op_builders/banner.j2", &Banner { sources })?.trim_end().to_owned();
    let namespace: Vec<&str> = model.namespace.split("::").collect();
    let (first, rest) = namespace.split_at(1);
    let migraphx = !options.is_standalone();
    let part = |template, parts, migraphx| {
        renderer.fragment(template, &NamespaceView { parts, migraphx }).map(|text| text.trim_end().to_owned())
    };
    let prefix = match options.support.as_str() {
        "emit" => "builder_".to_owned(),
        dir => format!("{}/builder_", dir.trim_end_matches('/')),
    };
    let (builders, helpers) = views(model);
    Ok(FileView {
        banner,
        namespace: model.namespace.clone(),
        support: first.concat(),
        open_support: part("op_builders/open_namespace.j2", first, migraphx)?,
        close_support: part("op_builders/close_namespace.j2", first, migraphx)?,
        open_namespace: part("op_builders/open_namespace.j2", rest, false)?,
        close_namespace: part("op_builders/close_namespace.j2", rest, false)?,
        builder_namespace: rest.join("::"),
        support_header: format!("{prefix}support.h"),
        prefix,
        migraphx,
        includes: model.traits.includes.clone(),
        version: model.version,
        builders,
        helpers,
    })
}
