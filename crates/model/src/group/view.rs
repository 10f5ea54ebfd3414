//! Forms view groups: a view, its copy and its inplace form.
//!
//! Invariant: every operator is in one view group or alone. Functionalization and autograd decide
//! how to replay views. Rule: torchgen/gen.py, `get_grouped_by_view_native_functions`;
//! torchgen/model.py, `NativeFunctionsViewGroup`.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::NativeFunctionsViewGroup;
use crate::codes;
use crate::model::Target;
use crate::model::view_kind::ViewSchemaKind;
use crate::model::{BaseOperatorName, NativeFunction, OperatorName, SchemaKind};
use torchgen_base::diag::{Diagnostic, Diagnostics};

/// The role of an operator among those of one view signature.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Aliasing,
    AliasingInplace,
    NonAliasing(SchemaKind),
}

/// All view groups, in order of each signature's first appearance.
pub fn view_groups<'a>(
    functions: &'a [NativeFunction],
    target: Target,
    diagnostics: &mut Diagnostics,
) -> Vec<NativeFunctionsViewGroup<'a>> {
    by_view(functions, target, diagnostics).into_iter().filter_map(|(group, _)| group).collect()
}

/// The view group of each signature, if it has one, and its operators outside the group, in order
/// of the signatures' first appearance.
pub fn by_view<'a>(
    functions: &'a [NativeFunction],
    target: Target,
    diagnostics: &mut Diagnostics,
) -> Vec<(Option<NativeFunctionsViewGroup<'a>>, Vec<&'a NativeFunction>)> {
    let mut by_signature: IndexMap<_, Vec<(Role, &NativeFunction)>, FxBuildHasher> =
        IndexMap::with_capacity_and_hasher(functions.len(), FxBuildHasher);
    for f in functions {
        let role = match f.view_schema_kind() {
            ViewSchemaKind::Aliasing => Role::Aliasing,
            ViewSchemaKind::AliasingInplace => {
                check_inplace_view_tag(f, diagnostics);
                Role::AliasingInplace
            }
            ViewSchemaKind::NonAliasing => Role::NonAliasing(f.func.kind()),
        };
        let namespace = target.identity(f);
        let members = by_signature.entry((namespace, f.func.view_signature_key())).or_default();
        match members.iter().find(|(r, _)| *r == role) {
            None => members.push((role, f)),
            Some((_, first)) => diagnostics.push(two_in_one_role(first, f)),
        }
    }
    let mut all = Vec::with_capacity(by_signature.len());
    for members in by_signature.values() {
        let find = |role| members.iter().find(|(r, _)| *r == role).map(|(_, f)| *f);
        let group = find(Role::Aliasing).map(|view| NativeFunctionsViewGroup {
            view,
            view_copy: find(Role::NonAliasing(SchemaKind::Functional)),
            view_inplace: find(Role::AliasingInplace),
        });
        if let Some(group) = &group {
            check_view_group(group, target, diagnostics);
        }
        let is_in_group = |f: &NativeFunction| group.iter().any(|g| g.functions().any(|own| std::ptr::eq(own, f)));
        let rest = members.iter().map(|(_, f)| *f).filter(|f| !is_in_group(f)).collect();
        all.push((group, rest));
    }
    all
}

/// The operator gets a `_copy` counterpart: every view except composites, inplace views and
/// inverses.
///
/// Rule: torchgen/model.py, `gets_generated_view_copy`.
pub fn gets_generated_view_copy(f: &NativeFunction) -> bool {
    f.is_view_op()
        && !f.has_composite_implicit_autograd_kernel
        && !f.has_tag("inplace_view")
        && !f.func.name.name.base.ends_with("_inverse")
}

/// The name of a view's `_copy` counterpart. Rule: torchgen/model.py, `get_view_copy_name`.
pub fn view_copy_name(f: &NativeFunction) -> OperatorName {
    OperatorName {
        name: BaseOperatorName {
            base: format!("{}_copy", f.func.name.name.base),
            inplace: false,
            dunder_method: f.func.name.name.dunder_method,
            functional_overload: false,
        },
        overload_name: f.func.name.overload_name.clone(),
    }
}

fn check_inplace_view_tag(f: &NativeFunction, diagnostics: &mut Diagnostics) {
    if !f.has_tag("inplace_view") {
        diagnostics.push(
            Diagnostic::new(
                &codes::INPLACE_VIEW_TAG_MISSING,
                format!(
                    "`{}` changes the geometry of its input in place, but lacks the tag `inplace_view`",
                    f.func.name
                ),
            )
            .at(f.spans.name)
            .help(f.spans.with_key("add `tags: inplace_view`", "tags: inplace_view")),
        );
    }
}

fn two_in_one_role(first: &NativeFunction, second: &NativeFunction) -> Diagnostic {
    Diagnostic::new(
        &codes::DUPLICATE_SCHEMA_KIND,
        format!("`{}` and `{}` are the same variant of one view signature", first.func.name, second.func.name),
    )
    .at_with(second.spans.name, "second one")
    .also(first.spans.name, "first one")
}

fn check_view_group(g: &NativeFunctionsViewGroup, target: Target, diagnostics: &mut Diagnostics) {
    match g.view_copy {
        // A library replays the view itself, so it needs no copy.
        None if target.views_need_copies && gets_generated_view_copy(g.view) => diagnostics.push(
            Diagnostic::new(
                &codes::VIEW_COPY_MISSING,
                format!("view operator `{}` has no copy variant", g.view.func.name),
            )
            .at(g.view.spans.name)
            .help(format!("add an operator `{}` with the tag `view_copy`", view_copy_name(g.view))),
        ),
        None => {}
        Some(copy) => check_copy(g.view, copy, diagnostics),
    }
    if let Some(inplace) = g.view_inplace {
        check_composites(g.view, inplace, diagnostics);
    }
}

fn check_copy(view: &NativeFunction, copy: &NativeFunction, diagnostics: &mut Diagnostics) {
    let base = &copy.func.name.name.base;
    if !base.ends_with("_copy") && !base.ends_with("_scatter") {
        diagnostics.push(
            Diagnostic::new(
                &codes::VIEW_COPY_NAME,
                format!(
                    "`{}` has the signature of view `{}`, so its name must end in `_copy` or `_scatter`",
                    copy.func.name, view.func.name
                ),
            )
            .at(copy.spans.name)
            .also(view.spans.name, "the view"),
        );
    } else if !copy.has_tag("view_copy") {
        diagnostics.push(
            Diagnostic::new(
                &codes::VIEW_COPY_TAG_MISSING,
                format!(
                    "`{}` is the copy variant of view `{}`, but lacks the tag `view_copy`",
                    copy.func.name, view.func.name
                ),
            )
            .at(copy.spans.name)
            .help(copy.spans.with_key("add `tags: view_copy`", "tags: view_copy")),
        );
    }
}

fn check_composites(view: &NativeFunction, inplace: &NativeFunction, diagnostics: &mut Diagnostics) {
    let differs = (view.has_composite_implicit_autograd_kernel && !inplace.has_composite_implicit_autograd_kernel)
        || (view.has_composite_implicit_autograd_nested_tensor_kernel
            && !inplace.has_composite_implicit_autograd_nested_tensor_kernel);
    if differs {
        diagnostics.push(
            Diagnostic::new(
                &codes::VIEW_COMPOSITE_MISMATCH,
                format!("view `{}` is composite, but its inplace form `{}` is not", view.func.name, inplace.func.name),
            )
            .at(inplace.spans.dispatch.unwrap_or(inplace.spans.name))
            .also(view.spans.dispatch.unwrap_or(view.spans.name), "the view"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::entry::testing::functions;
    use torchgen_base::diag::{Color, human};
    use torchgen_kit::driver::data::Tables;

    /// Changes the second operator before the groups are made, since no schema shows what these
    /// rules refuse.
    fn check(text: &str, change: impl Fn(&mut NativeFunction), expected: &str) {
        let (mut functions, sources, mut diagnostics) = functions(text);
        change(&mut functions[1]);
        view_groups(&functions, Target::pytorch(Tables::embedded()), &mut diagnostics);
        let shown: String = diagnostics.into_sorted().iter().map(|d| human(d, &sources, Color::Never)).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn names_and_tags_of_the_members() {
        check(
            "- func: fold(Tensor(a) self) -> Tensor(a)\n- func: fold_copy(Tensor self) -> Tensor\n",
            |copy| copy.func.name.name.base = "fold".to_owned(),
            "\
error[TG0421]: `fold` has the signature of view `fold`, so its name must end in `_copy` or `_scatter`
 --> native_functions.yaml:2:9
  |
1 | - func: fold(Tensor(a) self) -> Tensor(a)
  |         ---- the view
2 | - func: fold_copy(Tensor self) -> Tensor
  |         ^^^^^^^^^
",
        );
        check(
            "- func: fold(Tensor(a) self) -> Tensor(a)\n- func: turn(Tensor(a) self) -> Tensor(a)\n",
            |view| view.func.name.name.inplace = true,
            "\
error[TG0407]: `turn_` changes the geometry of its input in place, but lacks the tag `inplace_view`
 --> native_functions.yaml:2:9
  |
2 | - func: turn(Tensor(a) self) -> Tensor(a)
  |         ^^^^
  |
  = help: add `tags: inplace_view`
",
        );
    }
}
