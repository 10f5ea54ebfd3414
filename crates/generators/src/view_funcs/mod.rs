//! ViewFuncs.{h,cpp}: classes that replay views with the saved arguments.
//!
//! Invariant: every tracked view has a class, whatever is selected for other files. Views that
//! mutate `self` have none. Rule: tools/autograd/gen_view_funcs.py.

mod view;

use self::view::ViewFunc;
use super::autograd_common::{modifies_arguments, use_derived, view_info};
use super::{AutogradContext, Errors, ItemError, Outcome, per_item};
use torchgen_base::render::Fragment;
use torchgen_model::model::NativeFunction;

const FILES: [&str; 2] = ["ViewFuncs.h", "ViewFuncs.cpp"];

/// The class of one view.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The include of the operator's header.
    pub(crate) header: Fragment,
    /// The class.
    pub declaration: Fragment,
    /// Its methods.
    pub definition: Fragment,
}

/// The classes of all views, in the order of the operators.
pub fn replays(ctx: &AutogradContext) -> Result<Vec<Replay>, Errors> {
    let is_view = |f: &NativeFunction| view_info(f, ctx.target).is_some() && !modifies_arguments(f);
    let tracked = ctx.matched.functions.iter().filter(|fn_| use_derived(fn_, ctx.target) && is_view(fn_.func));
    let views: Vec<&NativeFunction> = tracked.map(|fn_| fn_.func).collect();
    let declaration =
        ctx.target.template("torch/view_funcs/declaration.j2", "torch/library/autograd/replay_declaration.j2");
    let definition =
        ctx.target.template("torch/view_funcs/definition.j2", "torch/library/autograd/replay_definition.j2");
    let replays = per_item(&views, |f| {
        let classes = ViewFunc::all(ctx, f)?.into_iter().map(|view| {
            Ok(Replay {
                header: ctx.header(f, "_ops.h")?,
                declaration: ctx.renderer.about([*f]).fragment(declaration, &view)?.into(),
                definition: ctx.renderer.about([*f]).fragment(definition, &view)?.into(),
            })
        });
        classes.collect::<Result<Vec<_>, ItemError>>()
    })?;
    Ok(replays.into_iter().flatten().collect())
}

/// Makes both files.
pub fn run(ctx: &AutogradContext) -> Outcome {
    let replays = replays(ctx)?;
    let list = |part: fn(&Replay) -> &Fragment| -> Vec<Fragment> { replays.iter().map(part).cloned().collect() };
    let mut files = Vec::with_capacity(FILES.len());
    for name in FILES {
        let mut env = ctx.env(name)?;
        env.set("view_func_declarations", list(|replay| &replay.declaration));
        env.set("view_func_definitions", list(|replay| &replay.definition));
        env.set("ops_headers", list(|replay| &replay.header));
        files.push(ctx.file(name, &env)?);
    }
    Ok(files)
}
