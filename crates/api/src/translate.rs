//! Makes the arguments of one calling convention from what is in scope in another.
//!
//! Facts (expressions of known type for known arguments) are gathered once. A goal is first looked
//! up among the facts, also under types that convert to it implicitly: `const T &` from `T &` from
//! `T`. Then one rule per type may make it from other facts. A rule looks only at the facts and
//! never applies rules itself, so solving ends after a few look-ups.
//!
//! Invariant: the same facts and goals give the same expressions. Rule: torchgen/api/translate.py.

use std::borrow::Cow;

use indexmap::{Equivalent, IndexMap};
use rustc_hash::FxBuildHasher;

use super::base_type::BaseCppType;
use super::binding::{ArgName, Expr, NamedCType};
use super::ctype::{CType, CTypeKind};
use super::error::Unsatisfied;
use super::signature::Signature;

/// How to translate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mode {
    /// The code is in a method of `Tensor`, where `self` is the object.
    pub method: bool,
    /// Conversions may copy: `::std::vector<int64_t>` from `at::IntArrayRef`.
    pub allow_expensive_conversions: bool,
    /// The code is outside namespace `at`, so `Tensor` and `TensorOptions` must be qualified.
    pub outside_at: bool,
}

/// One expression per goal, made only from the bindings.
///
/// # Errors
/// A goal can't be made.
pub fn translate<'a, B, G>(
    bindings: impl IntoIterator<Item = B>,
    goals: impl IntoIterator<Item = G>,
) -> Result<Vec<Expr<'a>>, Unsatisfied>
where
    B: Into<Expr<'a>>,
    G: Into<NamedCType<'a>>,
{
    translate_with(bindings, goals, Mode::default())
}

/// Like [`translate`], in a mode.
///
/// # Errors
/// A goal can't be made.
pub fn translate_with<'a, B, G>(
    bindings: impl IntoIterator<Item = B>,
    goals: impl IntoIterator<Item = G>,
    mode: Mode,
) -> Result<Vec<Expr<'a>>, Unsatisfied>
where
    B: Into<Expr<'a>>,
    G: Into<NamedCType<'a>>,
{
    let facts = Facts::new(bindings.into_iter().map(Into::into), mode);
    let goals: Vec<NamedCType<'a>> = goals.into_iter().map(Into::into).collect();
    let options_wanted = goals.iter().any(|goal| {
        goal.name.as_named() == Some("options") && goal.ty == CType::base(BaseCppType::TensorOptions).const_ref()
    });
    let solver = Solver { facts: &facts, mode, options_wanted };
    goals
        .into_iter()
        .map(|goal| match solver.solve(&goal) {
            Some(expr) => Ok(Expr { expr, nctype: goal }),
            None => Err(Unsatisfied::new(&goal, facts.iter())),
        })
        .collect()
}

/// The arguments for the call of `target` in the body of `source`.
///
/// A memory format beside gathered options counts as possibly redundant in the source too, even if
/// nothing there is gathered: it is passed on unchanged. Rule: torchgen/gen.py, `translate_args`.
///
/// # Errors
/// A parameter of the target can't be made.
pub fn translate_call<'a>(source: &Signature<'a>, target: &Signature<'a>) -> Result<Vec<Expr<'a>>, Unsatisfied> {
    let special = ArgName::PossiblyRedundantMemoryFormat;
    let is_redundant = target.arguments.iter().any(|a| a.nctype.name == special);
    let facts = source.arguments.iter().map(|a| match a.to_expr() {
        Expr { expr, nctype } if is_redundant && a.name == "memory_format" => {
            Expr { expr, nctype: nctype.with_name(special.clone()) }
        }
        fact => fact,
    });
    translate(facts, &target.arguments)
}

/// What is known: for each argument and type, the expression that was given last.
struct Facts<'a>(IndexMap<(ArgName<'a>, CType), Fact<'a>, FxBuildHasher>);

/// What a fact is looked up by, as hashed as its key.
#[derive(Hash)]
struct Key<'k, 'a>(&'k ArgName<'a>, CType);

impl<'a> Equivalent<(ArgName<'a>, CType)> for Key<'_, 'a> {
    fn equivalent(&self, (name, ty): &(ArgName<'a>, CType)) -> bool {
        self.1 == *ty && self.0 == name
    }
}

struct Fact<'a> {
    origin: Origin,
    expr: Cow<'a, str>,
}

/// How to make the expression of a fact from the one given. It is written out only when it is used.
#[derive(Clone, Copy)]
enum Origin {
    Given,
    OptionalTensorRef,
    OptionalScalarRef,
    ScalarToOpmath,
    ElementToOpmath,
    IOptTensorListRef,
}

impl<'a> Facts<'a> {
    fn new(given: impl Iterator<Item = Expr<'a>>, mode: Mode) -> Facts<'a> {
        let room = given.size_hint().0 + 2;
        let mut facts = IndexMap::with_capacity_and_hasher(room, FxBuildHasher);
        for Expr { expr, nctype: NamedCType { name, ty } } in given {
            let also = consequence(&ty).map(|(base, origin)| {
                let also: CType = base.into();
                ((name.clone(), also), Fact { origin, expr: expr.clone() })
            });
            facts.insert((name, ty), Fact { origin: Origin::Given, expr });
            facts.extend(also);
        }
        if mode.method {
            let tensor = CType::base(BaseCppType::Tensor);
            for ty in [tensor.mut_ref(), tensor.const_ref()] {
                let expr = Cow::Borrowed("const_cast<Tensor&>(*this)");
                facts.insert(("self".into(), ty), Fact { origin: Origin::Given, expr });
            }
        }
        Facts(facts)
    }

    fn get(&self, name: &ArgName<'a>, ty: &CType) -> Option<Cow<'a, str>> {
        Some(self.0.get(&Key(name, *ty))?.written())
    }

    fn iter(&self) -> impl Iterator<Item = Expr<'a>> {
        self.0
            .iter()
            .map(|((name, ty), fact)| Expr { expr: fact.written(), nctype: NamedCType { name: name.clone(), ty: *ty } })
    }
}

/// What else a value of a type provides, whatever the goals.
fn consequence(ty: &CType) -> Option<(BaseCppType, Origin)> {
    let tensor = CType::base(BaseCppType::Tensor);
    let scalar = CType::base(BaseCppType::Scalar);
    match ty.kind() {
        CTypeKind::ConstRef(elem) if *elem == scalar => Some((BaseCppType::OpmathT, Origin::ScalarToOpmath)),
        CTypeKind::ConstRef(elem) => match elem.kind() {
            CTypeKind::Optional(elem) if *elem == tensor => {
                Some((BaseCppType::OptionalTensorRef, Origin::OptionalTensorRef))
            }
            CTypeKind::Optional(elem) if *elem == scalar => {
                Some((BaseCppType::OptionalScalarRef, Origin::OptionalScalarRef))
            }
            CTypeKind::List(elem) if *elem == tensor.optional() => {
                Some((BaseCppType::IOptTensorListRef, Origin::IOptTensorListRef))
            }
            _ => None,
        },
        CTypeKind::Base(BaseCppType::ScalarT) => Some((BaseCppType::OpmathT, Origin::ElementToOpmath)),
        _ => None,
    }
}

impl<'a> Fact<'a> {
    fn written(&self) -> Cow<'a, str> {
        let e = &self.expr;
        Cow::Owned(match self.origin {
            Origin::Given => return e.clone(),
            Origin::OptionalTensorRef => format!(
                "(({e}.has_value() && (*{e}).defined()) ? at::OptionalTensorRef(*{e}) : at::OptionalTensorRef())"
            ),
            Origin::OptionalScalarRef => {
                format!("({e}.has_value() ? at::OptionalScalarRef(&({e}.value())) : at::OptionalScalarRef())")
            }
            Origin::ScalarToOpmath => format!("({e}).to<opmath_t>()"),
            Origin::ElementToOpmath => format!("static_cast<opmath_t>({e})"),
            Origin::IOptTensorListRef => format!("at::IOptTensorListRef({e})"),
        })
    }
}

struct Solver<'f, 'a> {
    facts: &'f Facts<'a>,
    mode: Mode,
    /// The callee takes gathered tensor options, which then hold the memory format.
    options_wanted: bool,
}

/// The type that converts to this one implicitly, if there is one.
fn converts_from(ty: &CType) -> Option<CType> {
    match ty.kind() {
        CTypeKind::ConstRef(elem) => Some(elem.mut_ref()),
        CTypeKind::MutRef(elem) => Some(*elem),
        CTypeKind::ArrayRef(elem) if elem.is(BaseCppType::Long) => Some(BaseCppType::IntArrayRef.into()),
        _ => None,
    }
}

impl<'a> Solver<'_, 'a> {
    fn solve(&self, goal: &NamedCType<'a>) -> Option<Cow<'a, str>> {
        if let Some(expr) = self.direct(&goal.name, goal.ty) {
            return Some(expr);
        }
        // The plainest type has the most rules.
        let mut types: Vec<CType> = std::iter::successors(Some(goal.ty), converts_from).collect();
        while let Some(ty) = types.pop() {
            if let Some(expr) = self.rule(&goal.name, &ty) {
                return Some(expr);
            }
        }
        None
    }

    /// Looks among the facts, for the type itself or one that converts to it.
    fn direct(&self, name: &ArgName<'a>, ty: CType) -> Option<Cow<'a, str>> {
        let mut types = std::iter::successors(Some(ty), converts_from);
        types.find_map(|ty| self.facts.get(name, &ty))
    }

    fn options(&self) -> Option<Cow<'a, str>> {
        self.direct(&"options".into(), CType::base(BaseCppType::TensorOptions).const_ref())
    }

    fn out_tensor(&self) -> Option<Cow<'a, str>> {
        self.direct(&"out".into(), CType::base(BaseCppType::Tensor).const_ref())
    }

    fn at(&self) -> &'static str {
        if self.mode.outside_at { "at::" } else { "" }
    }

    /// Makes the goal from facts of other types or other arguments.
    fn rule(&self, name: &ArgName<'a>, ty: &CType) -> Option<Cow<'a, str>> {
        if let Some(part) = name.as_named().and_then(|name| OptionsPart::from_binding(name, ty)) {
            return self.options_part(part, ty);
        }
        match ty.kind() {
            CTypeKind::Base(base) => self.base_rule(name, *base),
            CTypeKind::Optional(elem) => self.optional_rule(name, elem),
            CTypeKind::Vector(elem) if self.mode.allow_expensive_conversions => {
                let list = match elem.as_base()? {
                    BaseCppType::Long => BaseCppType::IntArrayRef,
                    BaseCppType::SymInt => BaseCppType::SymIntArrayRef,
                    _ => return None,
                };
                let list = self.direct(name, list.into())?;
                Some(Cow::Owned(format!("{list}.vec()")))
            }
            // Tensors are handles: constness of a handle does not apply to its contents.
            CTypeKind::MutRef(elem) if elem.is(BaseCppType::Tensor) => {
                let tensor = self.direct(name, elem.const_ref())?;
                Some(Cow::Owned(format!("const_cast<{}Tensor&>({tensor})", self.at())))
            }
            _ => None,
        }
    }

    fn base_rule(&self, name: &ArgName<'a>, base: BaseCppType) -> Option<Cow<'a, str>> {
        let ints = CType::base(BaseCppType::Long);
        let symints = CType::base(BaseCppType::SymInt);
        let direct = |ty: CType| self.direct(name, ty);
        match base {
            BaseCppType::TensorOptions if name.as_named() == Some("options") => self.gathered_options(),
            BaseCppType::IntArrayRef => direct(ints.vector()).or_else(|| {
                let list = direct(BaseCppType::SymIntArrayRef.into())?;
                Some(Cow::Owned(format!("C10_AS_INTARRAYREF_SLOW({list})")))
            }),
            BaseCppType::SymIntArrayRef => match direct(BaseCppType::IntArrayRef.into()) {
                Some(list) => Some(Cow::Owned(format!("c10::fromIntArrayRefSlow({list})"))),
                None => direct(symints.vector()),
            },
            BaseCppType::SymInt => direct(ints),
            BaseCppType::Long => {
                let symint = direct(symints)?;
                Some(Cow::Owned(format!("{symint}.guard_int(__FILE__, __LINE__)")))
            }
            BaseCppType::OptionalIntArrayRef => direct(ints.vector().optional()).or_else(|| {
                let list = direct(BaseCppType::OptionalSymIntArrayRef.into())?;
                Some(mapped(&list, &format!("C10_AS_INTARRAYREF_SLOW(*{list})")))
            }),
            BaseCppType::OptionalSymIntArrayRef => {
                let list = direct(BaseCppType::OptionalIntArrayRef.into())?;
                Some(mapped(&list, &format!("c10::fromIntArrayRefSlow(*{list})")))
            }
            BaseCppType::OptionalScalarRef => direct(CType::base(BaseCppType::Scalar).optional()),
            BaseCppType::OptionalTensorRef => direct(CType::base(BaseCppType::Tensor).optional()),
            BaseCppType::Tensor if self.mode.allow_expensive_conversions => direct(CType::base(base).const_ref()),
            _ => None,
        }
    }

    fn optional_rule(&self, name: &ArgName<'a>, elem: &CType) -> Option<Cow<'a, str>> {
        let direct = |ty: CType| self.direct(name, ty);
        let expensive = self.mode.allow_expensive_conversions;
        match elem.kind() {
            CTypeKind::Base(BaseCppType::SymInt) => {
                let int = direct(CType::base(BaseCppType::Long).optional())?;
                Some(mapped(&int, &format!("c10::SymInt(*{int})")))
            }
            CTypeKind::Base(BaseCppType::Long) => {
                let symint = direct(CType::base(BaseCppType::SymInt).optional())?;
                Some(mapped(&symint, &format!("{symint}->guard_int(__FILE__, __LINE__)")))
            }
            CTypeKind::Base(BaseCppType::Tensor) if expensive => direct(elem.optional().const_ref()),
            CTypeKind::Base(BaseCppType::Scalar) if expensive => {
                let scalar = direct(BaseCppType::OptionalScalarRef.into())?;
                Some(mapped(&scalar, &scalar))
            }
            CTypeKind::Vector(ints) if expensive && ints.is(BaseCppType::Long) => {
                let list = direct(BaseCppType::OptionalIntArrayRef.into())?;
                Some(mapped(&list, &format!("{list}->vec()")))
            }
            _ => None,
        }
    }

    fn gathered_options(&self) -> Option<Cow<'a, str>> {
        let part = |part: OptionsPart| self.direct(&part.name().into(), part.ty());
        let dtype = part(OptionsPart::Dtype)?;
        let pin_memory = part(OptionsPart::PinMemory)?;
        let device = part(OptionsPart::Device)?;
        let layout = part(OptionsPart::Layout)?;
        Some(Cow::Owned(format!(
            "{}TensorOptions().dtype({dtype}).layout({layout}).device({device}).pinned_memory({pin_memory})",
            self.at()
        )))
    }

    /// Takes a part out of gathered options, or uses that of the out tensor.
    fn options_part(&self, part: OptionsPart, ty: &CType) -> Option<Cow<'a, str>> {
        if part == OptionsPart::MemoryFormat {
            let format = self.direct(&ArgName::PossiblyRedundantMemoryFormat, *ty)?;
            return match self.options().filter(|_| !self.options_wanted) {
                Some(options) => {
                    let check = "c10::impl::check_tensor_options_and_extract_memory_format";
                    Some(Cow::Owned(format!("{check}({options}, {format})")))
                }
                None => Some(format),
            };
        }
        if let Some(options) = self.options() {
            return Some(Cow::Owned(match part {
                OptionsPart::Dtype => format!("c10::optTypeMetaToScalarType({options}.dtype_opt())"),
                OptionsPart::PinMemory => format!("{options}.pinned_memory_opt()"),
                OptionsPart::Layout | OptionsPart::Device | OptionsPart::MemoryFormat => {
                    format!("{options}.{}_opt()", part.name())
                }
            }));
        }
        let out = self.out_tensor()?;
        Some(match part {
            OptionsPart::Dtype => Cow::Owned(format!("{out}.scalar_type()")),
            // An out tensor already has its memory.
            OptionsPart::PinMemory => Cow::Borrowed("::std::nullopt"),
            OptionsPart::Layout | OptionsPart::Device | OptionsPart::MemoryFormat => {
                Cow::Owned(format!("{out}.{}()", part.name()))
            }
        })
    }
}

/// `optional` with its value, if it has one, replaced.
fn mapped<'a>(optional: &str, value: &str) -> Cow<'a, str> {
    Cow::Owned(format!("{optional}.has_value() ? ::std::make_optional({value}) : ::std::nullopt"))
}

/// An argument that gathered tensor options represent.
#[derive(Clone, Copy, PartialEq)]
enum OptionsPart {
    Dtype,
    Layout,
    Device,
    PinMemory,
    MemoryFormat,
}

impl OptionsPart {
    const ALL: [OptionsPart; 5] = [
        OptionsPart::Dtype,
        OptionsPart::Layout,
        OptionsPart::Device,
        OptionsPart::PinMemory,
        OptionsPart::MemoryFormat,
    ];

    fn from_binding(name: &str, ty: &CType) -> Option<OptionsPart> {
        OptionsPart::ALL.into_iter().find(|part| part.name() == name && part.ty() == *ty)
    }

    fn name(self) -> &'static str {
        match self {
            OptionsPart::Dtype => "dtype",
            OptionsPart::Layout => "layout",
            OptionsPart::Device => "device",
            OptionsPart::PinMemory => "pin_memory",
            OptionsPart::MemoryFormat => "memory_format",
        }
    }

    fn ty(self) -> CType {
        CType::base(match self {
            OptionsPart::Dtype => BaseCppType::ScalarType,
            OptionsPart::Layout => BaseCppType::Layout,
            OptionsPart::Device => BaseCppType::Device,
            OptionsPart::PinMemory => BaseCppType::Bool,
            OptionsPart::MemoryFormat => BaseCppType::MemoryFormat,
        })
        .optional()
    }
}
