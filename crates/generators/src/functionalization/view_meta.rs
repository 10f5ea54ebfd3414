//! View metas: one class per view, which stores the view's arguments, replays it and propagates
//! mutations to its base.
//!
//! Invariant: fields own their values, and constructor parameters refer to them. Inverses are
//! hand-written; only their declarations are made here. Rule:
//! torchgen/gen_functionalization_type.py, `ViewMetaSpecialization`.

use serde::Serialize;

use super::table::{self, Replay};
use crate::{Context, ItemError};
use torchgen_api::CallingConvention;
use torchgen_api::functionalization::{
    self, Ownership, ViewInverse, base_binding, mutated_view_binding, out_index_binding,
};
use torchgen_api::{Binding, CType, Locals, Mode, joined, translate_with};
use torchgen_base::diag::Diagnostic;
use torchgen_base::render::Fragment;
use torchgen_kit::driver::data::Tables;
use torchgen_model::codes;
use torchgen_model::group::NativeFunctionsViewGroup;
use torchgen_model::model::rules::Rules;
use torchgen_model::model::{FunctionSchema, NativeFunction};

/// The view whose meta describes its base's geometry best, which the class reports to PyTorch.
const AS_STRIDED: &str = "as_strided";

/// A view or an inplace view, and the group it belongs to.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) g: NativeFunctionsViewGroup<'a>,
    pub(crate) f: &'a NativeFunction,
}

#[derive(Serialize)]
struct Parameter<'a> {
    ty: &'a CType,
    name: &'a str,
}

fn parameters<'b>(bindings: &'b [Binding]) -> Vec<Parameter<'b>> {
    bindings.iter().map(|binding| Parameter { ty: &binding.nctype.ty, name: &binding.name }).collect()
}

/// A field and what it is initialised with.
#[derive(Serialize)]
struct Initialiser {
    name: String,
    expr: String,
}

#[derive(Serialize)]
struct Class<'a> {
    name: String,
    multi_output: bool,
    as_strided: bool,
    /// The output that it represents.
    out_index: &'a str,
    /// The parameters of the constructor.
    parameters: Vec<Parameter<'a>>,
    /// Its serialized form.
    elements: Vec<Parameter<'a>>,
    fields: Vec<Parameter<'a>>,
    initialisers: Vec<Initialiser>,
}

#[derive(Serialize)]
struct Functions {
    name: String,
    replay: Option<Replay>,
    /// The call of the view and that of its copy; `None` if one output is replayed another way.
    view: Option<String>,
    view_copy: Option<String>,
    reverse: String,
    /// The meta of another output.
    sibling: String,
}

#[derive(Serialize)]
struct Inverse {
    declaration: String,
}

/// A replay, or its inverse.
#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Reverse,
}

impl<'a> Member<'a> {
    /// The members of a group.
    pub(crate) fn members_of(g: NativeFunctionsViewGroup<'a>) -> impl Iterator<Item = Member<'a>> {
        [Some(g.view), g.view_inplace].into_iter().flatten().map(move |f| Member { g, f })
    }

    /// The copy variant.
    pub(crate) fn view_copy(&self) -> Result<&'a NativeFunction, Diagnostic> {
        self.g.view_copy.ok_or_else(|| {
            let message = format!("view `{}` has no copy variant for functionalization to call", self.g.view.func.name);
            Diagnostic::new(&codes::VIEW_COPY_MISSING, message).at(self.g.view.spans.name)
        })
    }

    fn func(&self) -> &'a FunctionSchema {
        &self.f.func
    }

    fn is_multi_output(&self) -> bool {
        functionalization::is_multi_output(self.func())
    }

    /// The class.
    ///
    /// # Errors
    /// The schema is not that of a view, or has no C++ form.
    pub(crate) fn class(&self, ctx: &Context) -> Result<String, ItemError> {
        let locals = Locals::for_operator(self.f);
        let multi_output = self.is_multi_output();
        let base = functionalization::base_ctor_arguments(self.func());
        let given = functionalization::extra_ctor_arguments(self.func(), locals)?;
        let fields = functionalization::attributes(self.func(), Ownership::stored(ctx.target.tables), locals)?;
        let mode = Mode { allow_expensive_conversions: true, ..ctx.mode() };
        let values = translate_with(&given, &fields, mode)?;
        let out_index = out_index_binding();
        let view = Class {
            name: functionalization::classname(self.func(), None),
            multi_output,
            as_strided: self.func().name.to_string() == AS_STRIDED,
            out_index: if multi_output { &out_index.name } else { "0" },
            parameters: parameters(&base).into_iter().chain(parameters(&given)).collect(),
            elements: parameters(&base).into_iter().chain(parameters(&fields)).collect(),
            fields: parameters(&fields),
            initialisers: values
                .into_iter()
                .map(|e| Initialiser { name: e.nctype.name.to_string(), expr: e.expr.into_owned() })
                .collect(),
        };
        Ok(ctx.renderer.about([self.f]).fragment("torch/functionalization/view_meta_class.j2", &view)?)
    }

    /// The class's functions.
    ///
    /// # Errors
    /// As for the class; one output cannot be replayed alone; the arguments are not enough to call
    /// the copy variant.
    pub(crate) fn functions(&self, ctx: &Context) -> Result<Vec<Fragment>, ItemError> {
        let tables = ctx.target.tables;
        let replay = table::replay(self.f, tables);
        if let Some(error) = self.unreplayable(tables) {
            return Err(error.into());
        }
        let forward = |f: &NativeFunction| -> Result<Option<String>, ItemError> {
            match replay {
                Some(_) => Ok(None),
                None => {
                    let name = functionalization::forward_name(&f.func, &ctx.namespaces.operators);
                    let call = self.call(ctx, &name, Direction::Forward)?;
                    Ok(Some(if self.is_multi_output() {
                        format!("{call}[{}]", out_index_binding().name)
                    } else {
                        call
                    }))
                }
            }
        };
        let view = Functions {
            name: functionalization::classname(self.func(), None),
            replay,
            view: forward(self.g.view)?,
            view_copy: forward(self.view_copy()?)?,
            reverse: self.call(
                ctx,
                &functionalization::reverse_name(&self.g.view.func, Some(&ctx.namespaces.view_inverses)),
                Direction::Reverse,
            )?,
            sibling: self.construction(ctx, &out_index_binding().name)?,
        };
        let mut templates =
            vec!["torch/functionalization/view_meta_forward.j2", "torch/functionalization/view_meta_reverse.j2"];
        if self.is_multi_output() {
            templates.push("torch/functionalization/view_meta_to_out_index.j2");
        }
        let about = ctx.renderer.about([self.f]);
        let functions = templates.into_iter().map(|template| about.fragment(template, &view).map(Fragment::new));
        Ok(functions.collect::<Result<_, _>>()?)
    }

    /// The call of the view, its copy or its inverse with the fields of the class.
    fn call(&self, ctx: &Context, function: &str, direction: Direction) -> Result<String, ItemError> {
        let locals = Locals::for_operator(self.f);
        let mut known = vec![base_binding()];
        known.extend(functionalization::base_ctor_arguments(self.func()));
        known.extend(functionalization::attributes(self.func(), Ownership::stored(ctx.target.tables), locals)?);
        let func = &self.view_copy()?.func;
        let wanted = match direction {
            Direction::Forward => functionalization::replay_arguments(func, locals)?,
            Direction::Reverse => {
                known.push(mutated_view_binding());
                ViewInverse { locals }.arguments(func)?
            }
        };
        let arguments = translate_with(&known, &wanted, ctx.mode())?;
        Ok(format!("{function}({})", joined(&arguments)))
    }

    /// An expression that makes the meta of the output of that index.
    pub(crate) fn construction(&self, ctx: &Context, out_index: &str) -> Result<String, ItemError> {
        let name = functionalization::classname(self.func(), Some(&ctx.namespaces.view_metas));
        let given = functionalization::extra_ctor_arguments(self.func(), Locals::for_operator(self.f))?;
        let base = functionalization::base_ctor_arguments(self.func());
        let index_name = out_index_binding().name;
        let names = base.iter().chain(&given).map(|b| if b.name == index_name { out_index } else { &*b.name });
        Ok(format!("std::make_shared<{name}>({})", names.collect::<Vec<_>>().join(", ")))
    }

    /// The declaration of the view's inverse.
    ///
    /// # Errors
    /// The schema is not that of a view, or has no C++ form.
    pub(crate) fn inverse(&self, ctx: &Context) -> Result<String, ItemError> {
        let declaration = ViewInverse { locals: Locals::for_operator(self.f) }.signature(self.func())?.decl();
        Ok(ctx
            .renderer
            .about([self.f])
            .fragment("torch/functionalization/view_inverse.j2", &Inverse { declaration })?)
    }

    /// The error if one of several outputs cannot be replayed alone.
    pub(crate) fn unreplayable(&self, tables: &Tables) -> Option<Diagnostic> {
        let alone = Rules::of_tables(tables).one_output_views_replay_alone;
        (alone && self.is_multi_output() && table::replay(self.f, tables).is_none()).then(|| self.no_replay())
    }

    fn no_replay(&self) -> Diagnostic {
        let message = format!(
            "view `{}` has several outputs, and its schema does not say how to replay one of them",
            self.func().name
        );
        Diagnostic::new(&codes::UNREPLAYABLE_VIEW, message)
            .at(self.f.spans.name)
            .note("replaying all outputs to get one would take quadratic time, so this is accepted only for views that are known to be slices of their base")
            .help("make the view CompositeImplicitAutograd, and compose it of views with one output")
            .help(format!("or, if its outputs are slices, say so in `torch/functionalization.yaml` of a directory for `--data-dir`: `single_output_replay: {{{}: chunk}}`; `section` are slices of given lengths, `element` is one index of a dimension", self.func().name))
    }
}
