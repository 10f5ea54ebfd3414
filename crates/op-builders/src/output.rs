//! The command `op-builders`: reads documents and writes files.
//!
//! Invariant: the set of files depends on flags alone. Their contents are in `view`, `docs` and
//! `examples`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::model::{Callable, Model};
use super::view::{FileView, views};
use super::{codes, docs, examples, model, records};
use torchgen_base::diag::{CodeInfo, Diagnostic, codes as shared, did_you_mean};
use torchgen_base::render::Renderer;
use torchgen_base::write::OutputFile;
use torchgen_kit::driver::family::GeneratingCommand;
use torchgen_kit::driver::output::GeneratedFiles;
use torchgen_kit::driver::request::Request;
use torchgen_kit::driver::{JobError, Session};

/// The command.
pub(super) struct OpBuilders;

/// The headers that builders are compiled with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Target {
    /// The generated support library
    #[default]
    Standalone,
    /// MIGraphX's own headers
    Migraphx,
}

/// The flags of `op-builders`.
#[derive(Debug, Clone, Args)]
pub(super) struct Flags {
    /// YAML file with additional primitive operators; can be repeated
    #[arg(long, value_name = "FILE", action = clap::ArgAction::Append)]
    primitives: Vec<PathBuf>,
    /// The headers to compile the builders with
    #[arg(long, value_enum, default_value_t, value_name = "TARGET")]
    target: Target,
    /// Write the support library (`emit`), or include existing headers from a directory
    #[arg(long, default_value = "emit", value_name = "emit|DIR")]
    support: String,
}

/// The path of a file, and its template.
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

/// The support library.
const SUPPORT: &[Part] = &[
    ("builder_value.h", "op_builders/support/value.h.j2"),
    ("builder_value.cpp", "op_builders/support/value.cpp.j2"),
    ("builder_shape.h", "op_builders/support/shape.h.j2"),
    ("builder_shape.cpp", "op_builders/support/shape.cpp.j2"),
    ("builder_argument.h", "op_builders/support/argument.h.j2"),
    ("builder_argument.cpp", "op_builders/support/argument.cpp.j2"),
    ("builder_module.h", "op_builders/support/module.h.j2"),
    ("builder_module.cpp", "op_builders/support/module.cpp.j2"),
    ("builder_common.h", "op_builders/support/common.h.j2"),
    ("builder_common.cpp", "op_builders/support/common.cpp.j2"),
    ("builder_rules.h", "op_builders/support/rules.h.j2"),
    ("builder_registry.h", "op_builders/support/registry.h.j2"),
    ("builder_rules_elementwise.cpp", "op_builders/support/rules_elementwise.cpp.j2"),
    ("builder_rules_layout.cpp", "op_builders/support/rules_layout.cpp.j2"),
    ("builder_rules_indexing.cpp", "op_builders/support/rules_indexing.cpp.j2"),
    ("builder_rules_matrix.cpp", "op_builders/support/rules_matrix.cpp.j2"),
    ("builder_rules_quantization.cpp", "op_builders/support/rules_quantization.cpp.j2"),
    ("op_builder_registry.cpp", "op_builders/support/registry.cpp.j2"),
    ("builder_support.h", "op_builders/support_header.j2"),
];

/// The parts that `builder_support.h` includes.
const HEADERS: &[&str] = &["value", "shape", "argument", "module", "common", "registry", "inserter", "tensors"];

impl GeneratingCommand for OpBuilders {
    type Flags = Flags;
    const NAME: &'static str = "op-builders";
    const ABOUT: &'static str = "Generate op builders (composite operators) in C++ from signatures and bodies";
    const CODES: &'static [&'static CodeInfo] = codes::ALL;
    const EMIT: &'static [&'static str] = &["docs", "model", "self-test"];
    const SCAFFOLD: &'static [(&'static str, &'static str)] = &[
        ("ops.yaml", "op_builders/new/ops.yaml.j2"),
        ("main.cpp", "op_builders/new/main.cpp.j2"),
        ("CMakeLists.txt", "op_builders/new/CMakeLists.txt.j2"),
        ("README.md", "op_builders/new/README.md.j2"),
    ];

    fn make(request: &Request, flags: &Flags, session: &mut Session) -> Result<GeneratedFiles, JobError> {
        let model = read(request, &flags.primitives, session)?;
        let mut contracts = Vec::new();
        let mut tested = Vec::new();
        for callable in &model.builders {
            contracts.extend(examples::contracts(callable));
            tested.extend(examples::examples(callable, &mut session.diagnostics));
        }
        session.check(request.common.strict)?;
        let renderer = request.renderer("op_builders", session)?;
        let files = Files { request, flags, renderer: &renderer, model: &model };
        let made = files.all(&contracts, &tested).map_err(|error| error.diagnostic())?;
        Ok(request.made(made, renderer))
    }

    fn explain(what: &str, request: &Request, session: &mut Session) -> Result<String, JobError> {
        let model = read(request, &[], session)?;
        session.check_errors()?;
        let named = |callable: &&Callable| callable.signature.name == what || callable.names.iter().any(|n| n == what);
        let Some(callable) = model.builders.iter().find(named) else {
            let known = model.builders.iter().flat_map(|builder| builder.names.iter().map(String::as_str));
            let diagnostic = Diagnostic::new(&shared::USAGE, format!("there is no builder `{what}`"));
            return Err(diagnostic.maybe_help(did_you_mean(what, known)).into());
        };
        #[derive(Serialize)]
        struct View<'a> {
            b: docs::BuilderDoc,
            code: &'a str,
        }
        let code = callable.record.body.as_ref().map_or("", |body| body.as_str());
        let renderer = request.renderer("op_builders", session)?;
        let text = renderer.fragment("op_builders/explain.j2", &View { b: docs::builder(callable), code });
        text.map_err(|error| error.diagnostic().into())
    }
}

/// The documents of a request, checked.
fn read(request: &Request, primitives: &[PathBuf], session: &mut Session) -> Result<Model, JobError> {
    let mut sources = request.clone();
    sources.sources.extend(primitives.iter().cloned());
    let documents = sources.documents(OpBuilders::NAME, session)?;
    let records = records::read(documents, &mut session.diagnostics);
    model::check(records, session)
}

struct Files<'a> {
    request: &'a Request,
    flags: &'a Flags,
    renderer: &'a Renderer,
    model: &'a Model,
}

/// The names of nested namespaces, and the text to open and close them.
struct Namespaces {
    support: String,
    open_support: String,
    close_support: String,
    open: String,
    close: String,
    inner: String,
}

#[derive(Serialize)]
struct NamespaceView<'a> {
    parts: &'a [&'a str],
    migraphx: bool,
}

impl Files<'_> {
    fn render<V: Serialize>(&self, template: &str, view: &V) -> Result<String, torchgen_base::render::RenderError> {
        self.renderer.fragment(template, view)
    }

    fn namespaces(&self) -> Result<Namespaces, torchgen_base::render::RenderError> {
        let parts: Vec<&str> = self.model.namespace.split("::").collect();
        let (first, rest) = parts.split_at(1);
        let migraphx = self.flags.target == Target::Migraphx;
        let part = |template, parts, migraphx| {
            self.render(template, &NamespaceView { parts, migraphx }).map(|text| text.trim_end().to_owned())
        };
        Ok(Namespaces {
            support: first.concat(),
            open_support: part("op_builders/open_namespace.j2", first, migraphx)?,
            close_support: part("op_builders/close_namespace.j2", first, migraphx)?,
            open: part("op_builders/open_namespace.j2", rest, false)?,
            close: part("op_builders/close_namespace.j2", rest, false)?,
            inner: rest.join("::"),
        })
    }

    fn all(
        &self,
        contracts: &[examples::ContractView],
        tested: &[examples::ExampleView],
    ) -> Result<Vec<OutputFile>, torchgen_base::render::RenderError> {
        #[derive(Serialize)]
        struct Banner<'a> {
            sources: Vec<&'a str>,
        }
        #[derive(Serialize)]
        struct Documentation<'a> {
            namespace: &'a str,
            builders: Vec<docs::BuilderDoc>,
        }
        #[derive(Serialize)]
        struct SelfTest<'a> {
            banner: &'a str,
            namespace: &'a str,
            support: &'a str,
            support_header: &'a str,
            contracts: &'a [examples::ContractView],
            examples: &'a [examples::ExampleView],
        }
        let mut sources: Vec<&str> = Vec::new();
        for callable in &self.model.builders {
            let name = callable.record.path.file_name().and_then(|name| name.to_str()).unwrap_or("YAML");
            if !sources.contains(&name) {
                sources.push(name);
            }
        }
        let banner = self.render("op_builders/banner.j2", &Banner { sources })?.trim_end().to_owned();
        let namespaces = self.namespaces()?;
        let (builders, helpers) = views(self.model);
        let is_standalone = self.flags.target == Target::Standalone;
        let emits_support = is_standalone && self.flags.support == "emit";
        let prefix = match self.flags.support.as_str() {
            "emit" => "builder_".to_owned(),
            dir => format!("{}/builder_", dir.trim_end_matches('/')),
        };
        let support_header = format!("{prefix}support.h");
        let view = FileView {
            banner: &banner,
            namespace: &self.model.namespace,
            support: &namespaces.support,
            open_support: &namespaces.open_support,
            close_support: &namespaces.close_support,
            open_namespace: &namespaces.open,
            close_namespace: &namespaces.close,
            builder_namespace: &namespaces.inner,
            prefix: &prefix,
            support_header: &support_header,
            builders_header: true,
            migraphx: !is_standalone,
            headers: HEADERS,
            builders: &builders,
            helpers: &helpers,
        };
        let mut files = Vec::new();
        let mut parts: Vec<Part> = BUILDERS.to_vec();
        if emits_support || !is_standalone {
            parts.extend(TOOLS);
        }
        if emits_support {
            parts.extend(SUPPORT);
        }
        for (name, template) in parts {
            files.push(self.request.file(name, self.render(template, &view)?));
        }
        if emits_support || !is_standalone {
            let namespace = format!("{}::expr", self.model.namespace);
            #[derive(Serialize)]
            struct Helpers<'a> {
                banner: &'a str,
                namespace: &'a str,
            }
            let text =
                self.renderer.fragment("kit/cpp/expr.h.j2", &Helpers { banner: &banner, namespace: &namespace })?;
            files.push(self.request.file("builder_expr.h", text));
        }
        if self.request.emits("docs") {
            let view = Documentation { namespace: &self.model.namespace, builders: docs::builders(self.model) };
            files.push(self.request.file("op_builders.md", self.render("op_builders/docs.md.j2", &view)?));
        }
        if self.request.emits("model") {
            let mut text =
                serde_json::to_string_pretty(&docs::model(self.model)).expect("strings and numbers always serialize");
            text.push('\n');
            files.push(self.request.file("op_builders.json", text));
        }
        if self.request.emits("self-test") {
            let view = SelfTest {
                banner: &banner,
                namespace: &self.model.namespace,
                support: &namespaces.support,
                support_header: &support_header,
                contracts,
                examples: tested,
            };
            files.push(
                self.request.file("op_builders_self_test.cpp", self.render("op_builders/self_test.cpp.j2", &view)?),
            );
        }
        Ok(files)
    }
}
