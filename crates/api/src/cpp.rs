//! The public C++ API: `at::add(self, other, alpha)` and `self.add(other, alpha)`.
//!
//! Invariant: an operator's convenience signature gathers tensor options and has out arguments
//! first; its faithful signature follows the schema and has no defaults. Rule: torchgen/api/cpp.py
//! and types/signatures.py.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::Locals;
use super::base_type::BaseCppType;
use super::binding::{ArgName, Binding, NamedCType};
use super::ctype::CType;
use super::default::argument_default;
use super::error::{ApiError, BAD_SHAPE, Result, UNSUPPORTED_RETURN, UNSUPPORTED_TYPE};
use super::signature::{CallingConvention, Convention, Signature, SymInts};
use torchgen_model::model::schema::ArgumentRef;
use torchgen_model::model::{Argument, BaseTy, FunctionSchema, NativeFunction, Return, TensorOptionsArguments, Type};

/// How the name of a C++ function is spelled.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spelling {
    /// The signature follows the schema: the name of an out variant ends in `_outf`, not in `_out`.
    pub faithful: bool,
    /// It keeps SymInts, so the name contains `_symint`.
    pub sym_ints: SymInts,
    /// It is the fallback of a hand-written binding, and has a mark in its name.
    pub fallback_binding: bool,
}

/// The name of a schema's C++ function; that of an out variant ends in `_out`.
pub fn name(func: &FunctionSchema) -> String {
    name_as(func, Spelling::default())
}

/// The name of a schema's C++ function in that spelling.
pub fn name_as(func: &FunctionSchema, spelling: Spelling) -> String {
    let prefix = if spelling.fallback_binding { "__dispatch_" } else { "" };
    let symint = if spelling.sym_ints.are_kept() { "_symint" } else { "" };
    let out = match (func.is_out_fn(), spelling.faithful) {
        (false, _) => "",
        (true, false) => "_out",
        (true, true) => "_outf",
    };
    let [before, base, after] = func.name.name.parts();
    [prefix, before, base, after, symint, out].concat()
}

/// The C++ type of a type that is passed and returned by value, or `None` for one that is not.
pub fn valuetype_type(ty: &Type, sym_ints: SymInts) -> Result<Option<CType>> {
    match ty {
        Type::Base(BaseTy::Tensor | BaseTy::Scalar) => Ok(None),
        Type::Base(BaseTy::SymInt) if !sym_ints.are_kept() => Ok(Some(BaseCppType::Long.into())),
        Type::Base(base) => match BaseCppType::from_base_type(*base) {
            Some(base) => Ok(Some(base.into())),
            None => Err(unsupported(ty)),
        },
        Type::Optional(elem) => Ok(valuetype_type(elem, sym_ints)?.as_ref().map(CType::optional)),
        Type::List(elem, size) if **elem == Type::Base(BaseTy::Bool) => match size {
            Some(size) => Ok(Some(CType::base(BaseCppType::Bool).array(*size))),
            None => Err(ApiError::new(&UNSUPPORTED_TYPE, "a list of `bool` needs a size, as in `bool[3]`")),
        },
        Type::List(..) => Ok(None),
        Type::Dict(key, value) => Ok(Some(CType::dict(dict_part(key)?, dict_part(value)?))),
        Type::CustomClass(_) => Err(unsupported(ty)),
    }
}

/// The type of the keys or values of a dictionary, which always owns them.
fn dict_part(ty: &Type) -> Result<CType> {
    match ty {
        Type::Base(BaseTy::Str) => Ok(BaseCppType::StdString.into()),
        Type::Base(BaseTy::Tensor) => Ok(BaseCppType::Tensor.into()),
        Type::Base(BaseTy::Scalar) => Ok(BaseCppType::Scalar.into()),
        Type::List(elem, _) => Ok(dict_part(elem)?.list()),
        Type::Optional(elem) => Ok(dict_part(elem)?.optional()),
        _ => valuetype_type(ty, SymInts::Numbers)?.ok_or_else(|| unsupported(ty)),
    }
}

fn unsupported(ty: &Type) -> ApiError {
    ApiError::new(&UNSUPPORTED_TYPE, format!("type `{ty}` has no C++ type"))
}

/// How to spell the type of an argument.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypeStyle {
    /// The argument is mutable.
    pub mutable: bool,
    /// How SymInts are spelled.
    pub sym_ints: SymInts,
    /// The type must own its value: `::std::vector<int64_t>` instead of `at::IntArrayRef`. This
    /// does not apply inside optionals and lists.
    pub remove_non_owning_ref_types: bool,
    /// This does not apply to tensors and scalars: they are references.
    pub refers_to_tensors: bool,
    /// The toggles to apply.
    pub locals: Locals,
}

/// The C++ type of an argument's type.
pub fn argumenttype_type(ty: &Type, style: TypeStyle) -> Result<CType> {
    let TypeStyle { mutable, sym_ints, remove_non_owning_ref_types: owning, refers_to_tensors, locals } = style;
    if let Some(value) = valuetype_type(ty, sym_ints)? {
        return Ok(value);
    }
    let tensor = CType::base(BaseCppType::Tensor);
    let by_mut_ref = mutable && !locals.use_const_ref_for_mutable_tensors;
    // Only the outermost type can be required to own its value.
    let inner = TypeStyle { remove_non_owning_ref_types: false, ..style };
    let owned_or_ref = |ty: CType| if owning && !refers_to_tensors { ty } else { ty.const_ref() };
    let int_like = |ty: &Type| matches!(ty, Type::Base(BaseTy::Int | BaseTy::SymInt));
    let keeps_symint = |ty: &Type| sym_ints.are_kept() && *ty == Type::Base(BaseTy::SymInt);
    Ok(match ty {
        Type::Base(BaseTy::Tensor) if by_mut_ref => tensor.mut_ref(),
        Type::Base(BaseTy::Tensor) => owned_or_ref(tensor),
        Type::Base(BaseTy::Scalar) => owned_or_ref(BaseCppType::Scalar.into()),
        Type::Optional(elem) => match &**elem {
            Type::Base(BaseTy::Tensor) if by_mut_ref => tensor.mut_ref(),
            Type::Base(BaseTy::Tensor) => owned_or_ref(tensor.optional()),
            Type::Base(BaseTy::Scalar) => owned_or_ref(CType::base(BaseCppType::Scalar).optional()),
            Type::List(ints, _) if keeps_symint(ints) => BaseCppType::OptionalSymIntArrayRef.into(),
            Type::List(ints, _) if int_like(ints) => BaseCppType::OptionalIntArrayRef.into(),
            elem => argumenttype_type(elem, inner)?.optional(),
        },
        Type::List(elem, _) => match &**elem {
            ints if int_like(ints) => match (owning, keeps_symint(ints)) {
                (true, true) => CType::base(BaseCppType::SymInt).vector(),
                (true, false) => CType::base(BaseCppType::Long).vector(),
                (false, true) => BaseCppType::SymIntArrayRef.into(),
                (false, false) => BaseCppType::IntArrayRef.into(),
            },
            Type::Base(BaseTy::Tensor) if locals.use_ilistref_for_tensor_lists => {
                CType::base(BaseCppType::ITensorListRef).const_ref()
            }
            Type::Base(BaseTy::Tensor) => BaseCppType::TensorList.into(),
            Type::Base(BaseTy::Scalar) => CType::base(BaseCppType::Scalar).array_ref(),
            Type::Base(BaseTy::Dimname) => BaseCppType::DimnameList.into(),
            Type::Optional(elem) if **elem == Type::Base(BaseTy::Tensor) => tensor.optional().list().const_ref(),
            elem => argumenttype_type(elem, inner)?.array_ref(),
        },
        Type::Base(_) | Type::Dict(..) | Type::CustomClass(_) => return Err(unsupported(ty)),
    })
}

/// The type of a library's list of booleans without a size. No memory holds its elements as an
/// array, so the dispatcher passes c10's list.
pub(crate) fn bool_list(a: &Argument) -> Option<CType> {
    let list = || CType::base(BaseCppType::Bool).list();
    let is_list = |ty: &Type| matches!(ty, Type::List(elem, None) if **elem == Type::BOOL);
    match &a.ty {
        _ if !a.by_c10 => None,
        Type::Optional(elem) if is_list(elem) => Some(list().optional().const_ref()),
        ty => is_list(ty).then(|| list().const_ref()),
    }
}

/// The C++ type of an argument.
pub fn argument_type(a: &Argument, sym_ints: SymInts, locals: Locals) -> Result<CType> {
    if let Some(list) = bool_list(a) {
        return Ok(list);
    }
    let style = TypeStyle { mutable: a.is_mutable_reference(), sym_ints, locals, ..TypeStyle::default() };
    argumenttype_type(&a.ty, style).map_err(|error| error.about(&a.name))
}

/// The C++ type of a return's type. A `SymInt` always stays one.
fn returntype_type(ty: &Type, style: TypeStyle) -> Result<CType> {
    let TypeStyle { mutable, locals, .. } = style;
    if let Some(value) = valuetype_type(ty, SymInts::Kept).map_err(ApiError::into_return)? {
        return Ok(value);
    }
    let tensor = CType::base(BaseCppType::Tensor);
    match ty {
        Type::Base(BaseTy::Tensor) if !mutable => Ok(tensor),
        Type::Base(BaseTy::Tensor) if locals.use_const_ref_for_mutable_tensors => Ok(tensor.const_ref()),
        Type::Base(BaseTy::Tensor) => Ok(tensor.mut_ref()),
        Type::Base(BaseTy::Scalar) => Ok(BaseCppType::Scalar.into()),
        Type::List(..) if mutable => Err(ApiError::new(
            &UNSUPPORTED_RETURN,
            format!("a mutable `{ty}` can't be returned, since the caller already has it"),
        )),
        Type::List(_, Some(_)) => {
            Err(ApiError::new(&UNSUPPORTED_RETURN, format!("a returned list can't have a size, as `{ty}` has")))
        }
        Type::List(elem, None) => Ok(returntype_type(elem, TypeStyle { mutable: false, ..style })?.vector()),
        Type::Optional(elem) if **elem == Type::Base(BaseTy::Tensor) => Ok(returntype_type(elem, style)?.optional()),
        _ => Err(ApiError::new(&UNSUPPORTED_RETURN, format!("type `{ty}` can't be returned"))),
    }
}

/// The C++ type of one return.
pub fn return_type(r: &Return, locals: Locals) -> Result<CType> {
    let ty = returntype_type(&r.ty, TypeStyle { mutable: r.is_write(), locals, ..TypeStyle::default() })?;
    Ok(if r.owns_strings { ty.owning_strings() } else { ty })
}

/// The C++ type that a function returns: nothing, one value or a tuple.
pub fn returns_type(returns: &[Return], locals: Locals) -> Result<CType> {
    match returns {
        [] => Ok(BaseCppType::Void.into()),
        [single] => return_type(single, locals),
        several => Ok(CType::tuple(several.iter().map(|r| return_type(r, locals)).collect::<Result<Vec<_>>>()?)),
    }
}

/// The name of each return in generated code: the argument that it aliases, its own name, or
/// `fallback_name` (with its index if there are several).
///
/// # Errors
/// An inplace operator with several returns.
pub fn return_names<'a>(f: &'a NativeFunction, fallback_name: &'a str) -> Result<Vec<Cow<'a, str>>> {
    let func = &f.func;
    if func.name.name.inplace && func.returns.len() > 1 {
        return Err(ApiError::new(&BAD_SHAPE, format!("inplace operator `{}` can't have several returns", func.name)));
    }
    let names = func.returns.iter().enumerate().map(|(i, r)| match &r.name {
        _ if func.name.name.inplace => Cow::Borrowed("self"),
        Some(name) if !func.is_out_fn() => {
            if let Some(name) = &r.cpp_name {
                return Cow::Borrowed(name.as_str());
            }
            let taken = func.schema_order_arguments().any(|a| a.name == *name);
            if taken { Cow::Owned(format!("{name}_return")) } else { Cow::Borrowed(name.as_str()) }
        }
        _ => match func.arguments.out.get(i) {
            Some(out) => Cow::Borrowed(out.name.as_str()),
            None if func.returns.len() == 1 => Cow::Borrowed(fallback_name),
            None => Cow::Owned(format!("{fallback_name}{i}")),
        },
    });
    Ok(names.collect())
}

/// The convention: one of an operator's C++ signatures.
#[derive(Debug, Clone, Copy)]
pub struct Cpp<'s> {
    /// Follow the schema: separate tensor options, out arguments last, no defaults.
    pub faithful: bool,
    /// How SymInts are spelled.
    pub sym_ints: SymInts,
    /// A method of `Tensor`, which does not take `self`.
    pub method: bool,
    /// It is the fallback of a hand-written binding.
    pub fallback_binding: bool,
    /// Arguments that get no default although the schema has one.
    pub cpp_no_default_args: &'s BTreeSet<String>,
    /// The toggles to apply.
    pub locals: Locals,
}

impl<'a> CallingConvention<'a> for Cpp<'_> {
    fn convention(&self) -> Convention {
        Convention::Cpp { faithful: self.faithful, method: self.method, fallback_binding: self.fallback_binding }
    }

    fn sym_ints(&self) -> SymInts {
        self.sym_ints
    }

    fn name(&self, func: &FunctionSchema) -> String {
        let Cpp { faithful, sym_ints, fallback_binding, .. } = *self;
        name_as(func, Spelling { faithful, sym_ints, fallback_binding })
    }

    fn arguments(&self, func: &'a FunctionSchema) -> Result<Vec<Binding<'a>>> {
        let mut bindings = Vec::new();
        let out = || func.arguments.out.iter().map(ArgumentRef::Arg);
        let before = (!self.faithful).then(out).into_iter().flatten();
        let after = self.faithful.then(out).into_iter().flatten();
        for argument in before.chain(func.arguments.non_out()).chain(after) {
            match argument {
                ArgumentRef::SelfArg(_) if self.method => {}
                ArgumentRef::Arg(a) | ArgumentRef::SelfArg(a) => bindings.push(self.binding(func, a)?),
                ArgumentRef::TensorOptions(options) if self.faithful => {
                    for a in [&options.dtype, &options.layout, &options.device, &options.pin_memory] {
                        bindings.push(self.binding(func, a)?);
                    }
                }
                ArgumentRef::TensorOptions(options) => bindings.push(options_binding(options)),
            }
        }
        drop_unreachable_defaults(&mut bindings);
        Ok(bindings)
    }

    fn returns_type(&self, func: &FunctionSchema) -> Result<CType> {
        returns_type(&func.returns, self.locals)
    }
}

impl Cpp<'_> {
    fn binding<'a>(&self, func: &FunctionSchema, a: &'a Argument) -> Result<Binding<'a>> {
        let replaced = if func.arguments.tensor_options.is_some() && a.name == "memory_format" {
            ArgName::PossiblyRedundantMemoryFormat
        } else {
            ArgName::from(&a.name)
        };
        let default = if self.faithful || self.cpp_no_default_args.contains(&a.name) {
            None
        } else {
            argument_default(a, self.sym_ints).map_err(|error| error.about(&a.name))?
        };
        Ok(Binding {
            name: Cow::Borrowed(&a.name),
            nctype: NamedCType::new(replaced, argument_type(a, self.sym_ints, self.locals)?),
            argument: ArgumentRef::Arg(a),
            default,
        })
    }
}

/// c10 allows arguments without defaults after arguments with defaults; C++ does not. The reference
/// keeps them.
pub(super) fn drop_unreachable_defaults(bindings: &mut [Binding<'_>]) {
    let by_c10 = |binding: &Binding| binding.argument.argument().is_some_and(|a| a.by_c10);
    if let Some(last) = bindings.iter().rposition(|binding| binding.default.is_none())
        && bindings.iter().any(by_c10)
    {
        bindings[..last].iter_mut().for_each(|binding| binding.default = None);
    }
}

fn options_binding(options: &TensorOptionsArguments) -> Binding<'_> {
    let all = [&options.dtype, &options.layout, &options.device, &options.pin_memory];
    let default = if all.iter().all(|a| a.default.as_deref() == Some("None")) {
        Some("{}")
    } else if options.dtype.default.as_deref() == Some("long") {
        Some("at::kLong")
    } else {
        None
    };
    Binding {
        default: default.map(Cow::Borrowed),
        ..Binding::new("options", BaseCppType::TensorOptions, ArgumentRef::TensorOptions(options))
    }
}

/// Whether the schema's own order of arguments differs from the convenient one, so there is a
/// signature for each.
pub fn has_faithful_signature(func: &FunctionSchema) -> bool {
    func.arguments.tensor_options.is_some() || !func.arguments.out.is_empty()
}

impl Signature<'_> {
    /// Whether the parameters are those of the schema, in order. Otherwise it is the convenient
    /// form of a public function.
    pub fn follows_schema(&self) -> bool {
        match self.convention {
            Convention::Cpp { faithful, .. } => faithful || !has_faithful_signature(self.func),
            _ => true,
        }
    }

    /// The name without the mark of a SymInt overload.
    pub fn name_without_symint(&self) -> String {
        match self.convention {
            Convention::Cpp { faithful, fallback_binding, .. } => {
                name_as(self.func, Spelling { faithful, sym_ints: SymInts::Numbers, fallback_binding })
            }
            _ => self.name.clone(),
        }
    }
}

/// A C++ binding of an operator.
#[derive(Debug, Clone, Copy)]
pub struct BindingKind {
    /// A method of `Tensor`.
    pub method: bool,
    /// The fallback of a hand-written binding.
    pub fallback: bool,
}

impl BindingKind {
    /// The function.
    pub const FUNCTION: BindingKind = BindingKind { method: false, fallback: false };
    /// The method.
    pub const METHOD: BindingKind = BindingKind { method: true, fallback: false };

    /// The fallback of an operator's binding, if that can be written by hand.
    pub fn binding_of(self, f: &NativeFunction) -> BindingKind {
        BindingKind { fallback: f.manual_cpp_binding, ..self }
    }
}

/// All C++ signatures of an operator.
#[derive(Debug, Clone)]
pub struct SignatureGroup<'a> {
    /// The convenient one.
    pub signature: Signature<'a>,
    /// The one that follows the schema, where it differs.
    pub(crate) faithful_signature: Option<Signature<'a>>,
    /// The convenient one with SymInts, for operators that take any.
    pub symint_signature: Option<Signature<'a>>,
    /// The one with SymInts that follows the schema.
    pub(crate) symint_faithful_signature: Option<Signature<'a>>,
}

impl<'a> SignatureGroup<'a> {
    /// The signatures of an operator's function or method.
    pub fn from_native_function(f: &'a NativeFunction, kind: BindingKind, locals: Locals) -> Result<Self> {
        let func = &f.func;
        let plain = Self::convenient(f, kind, locals);
        let faithful = has_faithful_signature(func).then_some(Cpp { faithful: true, ..plain });
        let symbolic = |convention: Cpp<'a>| {
            func.has_symint().then(|| Cpp { sym_ints: SymInts::Kept, ..convention }.signature(func)).transpose()
        };
        Ok(SignatureGroup {
            signature: plain.signature(func)?,
            faithful_signature: faithful.map(|convention| convention.signature(func)).transpose()?,
            symint_signature: symbolic(plain)?,
            symint_faithful_signature: faithful.map(symbolic).transpose()?.flatten(),
        })
    }

    /// The convention of the convenient signature.
    pub fn convenient(f: &'a NativeFunction, kind: BindingKind, locals: Locals) -> Cpp<'a> {
        let BindingKind { method, fallback: fallback_binding } = kind;
        let cpp_no_default_args = &f.cpp_no_default_args;
        Cpp { faithful: false, sym_ints: SymInts::Numbers, method, fallback_binding, cpp_no_default_args, locals }
    }

    /// The signature that follows the schema; without SymInts.
    pub fn most_faithful_signature(&self) -> &Signature<'a> {
        self.faithful_signature.as_ref().unwrap_or(&self.signature)
    }

    /// All signatures, without those with SymInts if these are numbers.
    pub fn spelled(&self, sym_ints: SymInts) -> impl Iterator<Item = &Signature<'a>> {
        self.signatures().filter(move |signature| sym_ints.are_kept() || !signature.symint)
    }

    /// All signatures, those with SymInts last.
    pub fn signatures(&self) -> impl Iterator<Item = &Signature<'a>> {
        let with_symint = [&self.symint_signature, &self.symint_faithful_signature];
        std::iter::once(&self.signature).chain(&self.faithful_signature).chain(with_symint.into_iter().flatten())
    }
}
