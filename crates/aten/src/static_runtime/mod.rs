//! Static runtime's generated operators, and their tests.
//!
//! An operator is generated if its arguments are basic values, and it has an out variant with one
//! output or is a view. Invariant: operators are in the order of their groups; overloads that
//! follow one another share a registration. Rule: torchgen/static_runtime.

pub mod command;
mod table;
mod view;

use self::table::{Table, table};
use self::view::{File, Operator, Test, Variant, converts};
use torchgen_base::render::{RenderError, Renderer};
use torchgen_kit::driver::data::Tables;
use torchgen_model::group::{NativeFunctionsGroup, NativeFunctionsViewGroup};
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{BackendIndex, NativeFunction, Return, Type};

/// A member of an operator: an overload.
enum Member<'a> {
    Out(NativeFunctionsGroup<'a>),
    View(NativeFunctionsViewGroup<'a>),
}

impl<'a> Member<'a> {
    /// The function that scripts call.
    fn called(&self) -> &'a NativeFunction {
        match self {
            Member::Out(group) => group.functional,
            Member::View(group) => group.view,
        }
    }

    /// The name that overloads share.
    fn base(&self) -> &'a str {
        match self {
            Member::Out(group) => &group.functional.func.name.name.base,
            Member::View(group) => group.view.root_name(),
        }
    }

    /// Whether static runtime can call it.
    fn is_supported(&self, table: &Table) -> bool {
        if table.hand_written.contains(self.base()) {
            return false;
        }
        match self {
            Member::Out(group) => {
                !table.blocked.contains(&group.out.func.name.name.base)
                    && converts(&group.out.func)
                    && converts(&group.functional.func)
                    && (group.structured() || has_plain_out(group.out))
                    && only_tensor(&group.out.func.returns).is_some_and(Return::is_write)
                    && !group.out.use_const_ref_for_mutable_tensors
                    && !aliases(group.out)
            }
            Member::View(group) => {
                !table.blocked.contains(self.base())
                    && converts(&group.view.func)
                    && only_tensor(&group.view.func.returns).is_some_and(|tensor| !tensor.is_write())
            }
        }
    }
}

/// Whether the only output is called `out`, and the overload as well.
fn has_plain_out(f: &NativeFunction) -> bool {
    let schema = f.func.to_string();
    schema.ends_with("Tensor(a!) out) -> Tensor(a!)") && f.func.name.overload_name == "out"
}

/// The only return, if it is a tensor.
fn only_tensor(returns: &[Return]) -> Option<&Return> {
    match returns {
        [only] if only.ty == Type::TENSOR => Some(only),
        _ => None,
    }
}

/// Whether an input other than `self` may be an alias of an output.
fn aliases(f: &NativeFunction) -> bool {
    let of = |argument: &ArgumentRef<'_>| match argument {
        ArgumentRef::Arg(a) => a.annotation.as_ref().is_some_and(|annotation| !annotation.alias_set.is_empty()),
        _ => false,
    };
    f.func.arguments.non_out().iter().any(of)
}

/// Operators: runs of members with the same name.
fn operators<'a>(members: &[Member<'a>], cpu: &BackendIndex) -> Vec<Operator<'a>> {
    let operator = |members: &[Member<'a>]| Operator {
        name: members.first().map(Member::base).unwrap_or_default(),
        variants: members.iter().map(|member| Variant::from_member(member, cpu)).collect(),
    };
    members.chunk_by(|a, b| a.base() == b.base()).map(operator).collect()
}

/// The texts of the two files.
fn texts(
    groups: &[NativeFunctionsGroup<'_>],
    views: Vec<NativeFunctionsViewGroup<'_>>,
    cpu: &BackendIndex,
    renderer: &Renderer,
    tables: &Tables,
) -> Result<[String; 2], RenderError> {
    let table = table(tables);
    let is_supported = |member: &Member| member.is_supported(table);
    let test = |member| Test::from_member(member, table);
    let outs: Vec<Member> = groups.iter().map(|group| Member::Out(*group)).filter(is_supported).collect();
    let views: Vec<Member> = views.into_iter().map(Member::View).filter(is_supported).collect();
    let tests = File { outs: outs.iter().map(test).collect(), views: views.iter().map(test).collect::<Vec<_>>() };
    let operators = File { outs: operators(&outs, cpu), views: operators(&views, cpu) };
    Ok([
        renderer.fragment("torch/static_runtime/operators.j2", &operators)?,
        renderer.fragment("torch/static_runtime/tests.j2", &tests)?,
    ])
}
