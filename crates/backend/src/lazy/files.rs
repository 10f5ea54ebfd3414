//! The files that only a lazy backend has: kernels, nodes, and nodes that are not operators.
//!
//! Invariant: operators are in the order of their functional variants' names. Rule:
//! torchgen/gen_lazy_tensor.py, `run_gen_lazy_tensor`.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::function::function;
use super::node::node;
use super::schema::{LazySchema, Properties};
use super::{Options, shape};
use crate::backend::decided::NodeText;
use crate::backend::header::{includes, namespace};
use crate::backend::registration::comment;
use crate::backend::{Decided, External};
use torchgen_api::{CType, SymInts};
use torchgen_base::diag::{Diagnostic, Span};
use torchgen_base::render::{Env, Fragment, RenderError};
use torchgen_base::write::OutputFile;
use torchgen_generators::decider::{Part, Parts};
use torchgen_generators::managers;
use torchgen_generators::{Context, Errors, ItemError, per_item};
use torchgen_model::codes;
use torchgen_model::model::{BackendIndex, FunctionSchema, NativeFunction, SchemaSpans};
use torchgen_model::records::{BackendRecord, NonNativeRecord};

/// A lazy backend.
pub(super) struct LazyBackend<'a> {
    pub(super) options: &'a Options,
    pub(super) record: &'a BackendRecord,
    pub(super) external: &'a External,
    /// The nodes that are not operators, with their schemas.
    pub(super) others: &'a [OtherNode<'a>],
    /// What the caller of the program decided, if it was asked.
    pub(super) decided: Option<&'a Decided>,
}

#[derive(Serialize)]
struct BaseInclude<'a> {
    path: &'a str,
}

const FUNCTIONS: &str = "DispatchKeyNativeFunctions.cpp";

impl<'a> LazyBackend<'a> {
    /// The files.
    ///
    /// # Errors
    /// A kernel or a node cannot be generated.
    pub(super) fn files(&self, ctx: &Context<'a>) -> Result<Vec<OutputFile>, Errors> {
        let made = [self.functions(ctx), self.nodes(ctx), self.other_nodes(ctx)];
        let (mut files, mut errors) = (Vec::new(), Errors::default());
        for result in made {
            match result {
                Ok(file) => files.push(file),
                Err(Errors(more)) => more.into_iter().for_each(|one| errors.add(one)),
            }
        }
        if errors.0.is_empty() { Ok(files) } else { Err(errors) }
    }

    /// The shape functions that are not declared.
    pub(super) fn undeclared(&self, ctx: &Context<'a>, header: &str) -> Result<Vec<Diagnostic>, Errors> {
        let declared = shape::declared(header);
        let index = ctx.indices.get(self.external.key);
        let spans = spans(&[&self.record.full_codegen]);
        let found = per_item(&self.operators_in_lists(ctx, &[&self.record.full_codegen]), |f| {
            let Some(kernel) = index.get_kernel(f).filter(|_| !shape::has_meta_function(f)) else { return Ok(None) };
            let declaration = shape::declaration(f, kernel)?;
            let name = f.func.name.to_string();
            Ok((!declared.contains(declaration.as_str())).then_some((name, declaration)))
        })?;
        let missing = |(name, declaration): (String, String)| {
            let header = &self.options.names.shape_inference_hdr;
            let message = format!("`{header}` does not declare the function that computes the shape of `{name}`");
            Diagnostic::new(&codes::SHAPE_MISSING, message)
                .at(spans.get(name.as_str()).copied().unwrap_or_default())
                .note(format!("expected on a line of its own: {declaration}"))
                .help("declare it there and define it with the others: PyTorch has no meta function for this operator")
        };
        Ok(found.into_iter().flatten().map(missing).collect())
    }

    /// The operators in some lists, in order.
    fn operators_in_lists(&self, ctx: &Context<'a>, lists: &[&[torchgen_base::yaml::Text]]) -> Vec<&'a NativeFunction> {
        let names: HashSet<&str> = lists.iter().flat_map(|list| list.iter()).map(|name| name.as_str()).collect();
        let functions = ctx.grouped.iter().flat_map(|item| item.functions());
        functions.filter(|f| names.contains(f.func.name.to_string().as_str())).collect()
    }

    fn functions(&self, ctx: &Context<'a>) -> Result<OutputFile, Errors> {
        let (options, key) = (self.options, self.external.key);
        let names = &options.names;
        let index = ctx.indices.get(key);
        let class = format!("{key}NativeFunctions");
        let definitions = self.each(ctx, &[&self.record.full_codegen], |f| {
            let Some(kernel) = index.get_kernel(f) else { return Ok(None) };
            let mut view = function(options, &class, f, index, kernel, ctx.target.tables)?;
            view.own = self.decided.map(|decided| decided.kernel(f)).unwrap_or_default();
            view.text(ctx.renderer, &f.full_name()).map(Some)
        })?;
        let own = [format!("{}/{key}NativeFunctions.h", options.directory), format!("{}/LazyIr.h", options.directory)];
        let mut paths = vec![
            names.tensor_class_hdr.as_str(),
            &names.shape_inference_hdr,
            "ATen/Functions.h",
            "ATen/native/TensorConversions.h",
            "ATen/NativeFunctions.h",
            "ATen/CompositeExplicitAutogradNonFunctionalFunctions.h",
            "ATen/MetaFunctions.h",
            "ATen/Operators.h",
            "ATen/native/CPUFallback.h",
            "torch/csrc/lazy/core/ir_builder.h",
            "torch/csrc/lazy/core/lazy_graph_executor.h",
            "torch/csrc/lazy/core/metrics.h",
            "torch/csrc/lazy/core/shape.h",
        ];
        paths.extend(own.iter().map(String::as_str));
        paths.extend(options.forced_fallback.then_some("torch/csrc/lazy/ts_backend/ts_eager_fallback.h"));
        let (opened, closed) = namespace(ctx, &self.external.cpp_namespace)?;
        let mut env = Env::new();
        env.set("generated_comment", comment(ctx, &options.generator, FUNCTIONS)?);
        env.set("includes", vec![includes(ctx, paths)?]);
        env.set("helper_fns", ctx.renderer.fragment("torch/lazy/helpers.j2", &())?);
        env.set("native_functions_include", "");
        env.set("namespace_prologue", opened);
        env.set("namespace_epilogue", closed);
        env.set("native_function_definitions", definitions);
        Ok(ctx.file(managers::CPU, &format!("{key}NativeFunctions.cpp"), FUNCTIONS, &env)?)
    }

    fn nodes(&self, ctx: &Context<'a>) -> Result<OutputFile, Errors> {
        let options = self.options;
        let index = ctx.indices.get(self.external.key);
        let lists = [&*self.record.full_codegen, &self.record.ir_gen];
        let declarations = self.each(ctx, &lists, |f| self.node(ctx, f, index).map(Some))?;
        let (opened, closed) = namespace(ctx, &self.external.cpp_namespace)?;
        let paths = vec![
            "ATen/core/Formatting.h",
            "c10/core/ScalarType.h",
            "torch/csrc/lazy/core/hash.h",
            "torch/csrc/lazy/core/ir.h",
            "torch/csrc/lazy/core/shape.h",
            "optional",
            "vector",
        ];
        let base = options.names.node_base_hdr.iter();
        let base = base.map(|path| ctx.renderer.fragment("torch/lazy/base_include.j2", &BaseInclude { path }));
        let mut env = Env::new();
        env.set("lazy_ir_sysinc", vec![includes(ctx, paths)?]);
        env.set("lazy_ir_inc", base.collect::<Result<Vec<String>, RenderError>>()?);
        env.set("ir_declarations", declarations);
        env.set("namespace_prologue", opened);
        env.set("namespace_epilogue", closed);
        Ok(ctx.file(managers::CPU, "LazyIr.h", "LazyIr.h", &env)?)
    }

    fn node(&self, ctx: &Context, f: &NativeFunction, index: &BackendIndex) -> Result<String, ItemError> {
        let sym_ints = SymInts::kept_if(index.get_kernel(f).is_some_and(|kernel| kernel.supports_symint()));
        let schema = LazySchema::new(&f.func, Properties::OPERATOR, self.value(), sym_ints)?;
        let mut view = node(self.options, &schema, None, ctx.target.tables)?;
        view.own = self.text(&f.func);
        Ok(view.text(ctx.renderer, &f.full_name())?)
    }

    /// The text of a node that the caller of the program decided.
    fn text(&self, func: &FunctionSchema) -> NodeText {
        self.decided.map(|decided| decided.node(func)).unwrap_or_default()
    }

    /// The parts of an operator that the caller of the program can decide.
    ///
    /// # Errors
    /// A kernel or a node cannot be generated.
    pub(super) fn parts(&self, ctx: &Context<'_>, f: &NativeFunction) -> Result<Parts, ItemError> {
        let name = f.func.name.to_string();
        let is_in = |list: &[torchgen_base::yaml::Text]| list.iter().any(|one| one.as_str() == name);
        let (index, mut parts) = (ctx.indices.get(self.external.key), Parts::new());
        let whole = is_in(&self.record.full_codegen);
        if let Some(kernel) = index.get_kernel(f).filter(|_| whole) {
            let class = format!("{}NativeFunctions", self.external.key);
            let view = function(self.options, &class, f, index, kernel, ctx.target.tables)?;
            parts.extend(view.parts(ctx.renderer, &f.full_name())?);
        }
        if whole || is_in(&self.record.ir_gen) {
            let sym_ints = SymInts::kept_if(index.get_kernel(f).is_some_and(|kernel| kernel.supports_symint()));
            let schema = LazySchema::new(&f.func, Properties::OPERATOR, self.value(), sym_ints)?;
            parts.extend(node(self.options, &schema, None, ctx.target.tables)?.parts(ctx.renderer, &f.full_name())?);
        }
        Ok(parts)
    }

    /// The nodes that are no operators, each with the parts that the caller of the program can
    /// decide.
    pub(super) fn other_parts(&self, ctx: &Context<'_>) -> Result<Vec<(&'a FunctionSchema, Parts)>, Errors> {
        let made = self.others.iter().map(|OtherNode { record, func, spans }| {
            let view = LazySchema::new(func, Properties::from_names(&record.properties), self.value(), SymInts::Kept)
                .and_then(|schema| node(self.options, &schema, record.opkind.as_deref(), ctx.target.tables))
                .map(|view| view.parts(ctx.renderer, ""));
            let mut parts = view.map_err(|error| error.into_diagnostic(spans))??;
            let names = record.properties.iter().map(|name| name.as_str().to_owned()).collect();
            parts.insert("properties", Part::List(names));
            Ok((func, parts))
        });
        made.collect()
    }

    fn other_nodes(&self, ctx: &Context<'a>) -> Result<OutputFile, Errors> {
        let mut nodes: Vec<Fragment> = Vec::new();
        let mut errors = Errors::default();
        for OtherNode { record, func, spans } in self.others {
            let made = LazySchema::new(func, Properties::from_names(&record.properties), self.value(), SymInts::Kept)
                .and_then(|schema| {
                    let mut view = node(self.options, &schema, record.opkind.as_deref(), ctx.target.tables)?;
                    view.own = self.text(func);
                    Ok(view.text(ctx.renderer, ""))
                });
            match made {
                Ok(text) => nodes.push(Fragment::new(text?)),
                Err(error) => errors.add(error.into_diagnostic(spans)),
            }
        }
        if !errors.0.is_empty() {
            return Err(errors);
        }
        let (opened, closed) = namespace(ctx, &self.external.cpp_namespace)?;
        let mut paths = vec![
            "torch/csrc/lazy/core/ir.h",
            "torch/csrc/lazy/core/ir_builder.h",
            "torch/csrc/lazy/core/internal_ops/ltc_ops.h",
            "torch/csrc/lazy/core/shape_inference.h",
        ];
        paths.extend(self.options.names.node_base_hdr.as_deref().filter(|path| !path.is_empty()));
        let mut env = Env::new();
        env.set("lazy_non_native_ir_inc", vec![includes(ctx, paths)?]);
        env.set("non_native_ir_nodes", nodes);
        env.set("namespace_prologue", opened);
        env.set("namespace_epilogue", closed);
        Ok(ctx.file(managers::CPU, "LazyNonNativeIr.h", "LazyNonNativeIr.h", &env)?)
    }

    /// The type of values.
    fn value(&self) -> CType {
        CType::from_qualified_name(&self.options.names.lazy_value_class)
    }

    /// One text for each operator in the lists. An operator without one is reported where it is
    /// listed.
    fn each(
        &self,
        ctx: &Context<'a>,
        lists: &[&[torchgen_base::yaml::Text]],
        make: impl Fn(&'a NativeFunction) -> Result<Option<String>, ItemError> + Sync + Send,
    ) -> Result<Vec<Fragment>, Errors> {
        let spans = spans(lists);
        let texts = per_item(&self.operators_in_lists(ctx, lists), |f| {
            make(f).map_err(|error| match error {
                ItemError::Api(error) if *error.code() == codes::LAZY_OPERATOR => {
                    let name = f.func.name.to_string();
                    let message = format!("`{name}`: {}", error.message());
                    let place = error.into_diagnostic(&f.spans.schema).primary;
                    let listed = spans.get(name.as_str()).copied().unwrap_or(f.spans.name);
                    let refused = Diagnostic::new(&codes::LAZY_OPERATOR, message).at(listed);
                    let help = "list it under `supported` and write its kernel by hand";
                    let refused = refused.help(help);
                    ItemError::Diagnostic(match place {
                        Some(label) => refused.also(label.span, "in its schema"),
                        None => refused,
                    })
                }
                other => other,
            })
        })?;
        Ok(texts.into_iter().flatten().map(Fragment::new).collect())
    }
}

/// The place of a name in the lists.
fn spans<'t>(lists: &[&'t [torchgen_base::yaml::Text]]) -> HashMap<&'t str, Span> {
    lists.iter().flat_map(|list| list.iter()).map(|name| (name.as_str(), name.span())).collect()
}

/// A node that is not an operator.
pub(super) struct OtherNode<'a> {
    pub(super) record: &'a NonNativeRecord,
    pub(super) func: FunctionSchema,
    /// Where its schema and its arguments are.
    pub(super) spans: SchemaSpans,
}
