//! Types and arguments in stubs (`.pyi`).
//!
//! Invariant: single types and single formals. Rule: torchgen/api/python.py,
//! `argument_type_str_pyi`, `argument_str_pyi`, `returns_str_pyi`.

use super::argument::PythonArgument;
use super::default::or_none;
use super::signature::PythonSignature;
use super::structseq::field_names;
use crate::error::{ApiError, Result};
use torchgen_model::codes::NO_PYTHON_TYPE;
use torchgen_model::model::{BaseTy, Return, Type};

const OR_NONE: &str = " | None";

/// The type of an argument.
pub fn argument_type(ty: &Type) -> Result<String> {
    let (ty, mut optional) = if let Type::Optional(elem) = ty { (&**elem, true) } else { (ty, false) };
    let text = match ty {
        Type::Base(base) => base_type(*base).to_owned(),
        Type::List(elem, size) => {
            let holds_optionals = matches!(&**elem, Type::Optional(_));
            optional |= ty.is_tensor_like() && holds_optionals;
            list(elem, size.is_some())?
        }
        Type::Optional(_) | Type::CustomClass(_) | Type::Dict(..) => {
            return Err(ApiError::new(&NO_PYTHON_TYPE, format!("stubs have no form for `{ty}`")));
        }
    };
    Ok(if optional { or_none_type(&text) } else { text })
}

/// The type of a return, which is concrete where an argument's is not.
pub fn return_type(ty: &Type) -> Result<String> {
    Ok(match ty {
        Type::Optional(elem) => or_none_type(&return_type(elem)?),
        Type::Base(BaseTy::Device) => "_device".to_owned(),
        Type::List(elem, _) => format!("tuple[{}, ...]", return_type(elem)?),
        ty => argument_type(ty)?,
    })
}

/// The return type of a signature: a structseq by its name, or else the types.
pub fn returns_type(signature: &PythonSignature<'_>) -> Result<String> {
    returned(&signature.name, signature.returns)
}

/// The same of a function with that name and these returns.
pub fn returned(name: &str, returns: &[Return]) -> Result<String> {
    if !field_names(returns)?.is_empty() {
        return Ok(format!("torch.return_types.{name}"));
    }
    let types = returns.iter().map(|r| return_type(&r.ty)).collect::<Result<Vec<_>>>()?;
    Ok(match types.as_slice() {
        [] => "None".to_owned(),
        [single] => single.clone(),
        several => format!("tuple[{}]", several.join(", ")),
    })
}

/// The formals of a signature: a method's `self`, and the star before keyword-only arguments.
pub fn formals(signature: &PythonSignature<'_>) -> Result<Vec<String>> {
    let mut formals = signature.arguments().map(|a| formal(a, signature)).collect::<Result<Vec<_>>>()?;
    if formals.len() > signature.positional.len() {
        formals.insert(signature.positional.len(), "*".to_owned());
    }
    // Deprecated methods have none, as in the reference.
    if signature.is_method() && signature.deprecated.is_none() {
        formals.insert(0, "self".to_owned());
    }
    Ok(formals)
}

/// The formals of the form that takes the elements of its only positional argument, a list of
/// integers, one by one; `None` if it is something else.
pub fn vararg_formals(signature: &PythonSignature<'_>) -> Result<Option<Vec<String>>> {
    let ([first], None) = (signature.positional.as_slice(), signature.deprecated) else { return Ok(None) };
    let Type::List(elem, _) = &*first.ty else { return Ok(None) };
    if !matches!(**elem, Type::Base(BaseTy::Int | BaseTy::SymInt)) {
        return Ok(None);
    }
    let own_self = signature.is_method().then(|| Ok("self".to_owned()));
    let star = argument_type(elem).map(|elem| format!("*{}: {elem}", first.name));
    let rest = signature.arguments().skip(1).map(|a| formal(a, signature));
    own_self.into_iter().chain([star]).chain(rest).collect::<Result<_>>().map(Some)
}

fn formal(argument: &PythonArgument<'_>, signature: &PythonSignature<'_>) -> Result<String> {
    let is_out = signature.out.as_ref().is_some_and(|out| std::ptr::eq(&out.argument, argument));
    let form = FormalContext { method: signature.is_method(), deprecated: signature.deprecated.is_some(), is_out };
    formal_as(argument, form)
}

/// What the formal of an argument depends on besides the argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormalContext {
    /// It is in the signature of a method.
    pub method: bool,
    /// It is in a deprecated signature.
    pub deprecated: bool,
    /// It is the argument for outputs.
    pub is_out: bool,
}

/// `name: type = default`
pub fn formal_as(
    argument: &PythonArgument<'_>,
    FormalContext { method, deprecated, is_out }: FormalContext,
) -> Result<String> {
    let mut ty = argument_type(&argument.ty).map_err(|error| error.about(argument.name))?;
    let name = match argument.name {
        "self" if ty == "Tensor" && !method && !deprecated => "input",
        // A keyword of Python.
        "from" => "from_",
        name => name,
    };
    if name == "out" && !deprecated {
        ty = or_none_type(&ty);
    }
    Ok(match argument.default.as_deref() {
        Some(default) if !(deprecated && is_out) => format!("{name}: {ty} = {}", default_of(default, &argument.ty)),
        _ => format!("{name}: {ty}"),
    })
}

fn default_of(default: &str, ty: &Type) -> String {
    if let Type::List(elem, _) = ty
        && elem.is(BaseTy::Int)
        && let Some(inside) = default.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'))
    {
        let items: Vec<&str> = inside.split(',').map(str::trim).collect();
        return format!("({})", items.join(", "));
    }
    match default {
        "c10::MemoryFormat::Contiguous" => "contiguous_format",
        "QScheme::PER_TENSOR_AFFINE" => "per_tensor_affine",
        other => or_none(other),
    }
    .to_owned()
}

fn or_none_type(ty: &str) -> String {
    if ty.ends_with(OR_NONE) { ty.to_owned() } else { format!("{ty}{OR_NONE}") }
}

fn base_type(base: BaseTy) -> &'static str {
    match base {
        BaseTy::Int | BaseTy::DeviceIndex => "_int",
        BaseTy::SymInt => "_int | SymInt",
        BaseTy::Float => "_float",
        BaseTy::Str => "str",
        BaseTy::Scalar => "Number | _complex | PySymType",
        BaseTy::ScalarType => "_dtype",
        BaseTy::Bool => "_bool",
        BaseTy::QScheme => "_qscheme",
        BaseTy::Layout => "_layout",
        BaseTy::Device => "DeviceLikeType | None",
        BaseTy::MemoryFormat => "memory_format",
        BaseTy::Dimname => "str | EllipsisType | None",
        BaseTy::Storage => "Storage | UntypedStorage",
        BaseTy::Tensor | BaseTy::Generator | BaseTy::Stream => base.as_str(),
        BaseTy::Complex => "_complex",
        // The reference has no form for types that no function in Python uses.
        BaseTy::DimVector | BaseTy::SymBool | BaseTy::GraphModule => "",
    }
}

fn list(elem: &Type, sized: bool) -> Result<String> {
    Ok(match elem {
        Type::Base(BaseTy::Int) if sized => "_int | _size".to_owned(),
        Type::Base(BaseTy::Int) => "_size".to_owned(),
        elem if elem.is_tensor_like() => {
            let elem = if matches!(elem, Type::Optional(_)) { "Tensor | None" } else { "Tensor" };
            let single = if sized { "Tensor | " } else { "" };
            format!("{single}tuple[{elem}, ...] | list[{elem}]")
        }
        Type::Base(BaseTy::Float) => "Sequence[_float]".to_owned(),
        Type::Base(BaseTy::SymInt) if sized => {
            let elem = base_type(BaseTy::SymInt);
            format!("{elem} | Sequence[{elem}]")
        }
        elem => format!("Sequence[{}]", argument_type(elem)?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::PythonCallable;
    use torchgen_kit::driver::data::Tables;
    use torchgen_model::model::Language;
    use torchgen_model::parse;

    fn check(schema: &str, callable: PythonCallable, expected: &str, vararg: Option<&str>) {
        let func = parse::schema::parse(schema, Language::Torchgen, Tables::embedded()).unwrap();
        let signature = PythonSignature::from_schema(&func, None, callable).unwrap();
        let shown = format!("({}) -> {}", formals(&signature).unwrap().join(", "), returns_type(&signature).unwrap());
        assert_eq!(shown, expected, "{schema}");
        assert_eq!(vararg_formals(&signature).unwrap().map(|v| v.join(", ")).as_deref(), vararg, "{schema}");
    }

    // The reference produced the expected texts.
    #[test]
    fn signatures() {
        check(
            "f(Tensor self, int from=0, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)",
            PythonCallable::Function,
            "(input: Tensor, from_: _int = 0, *, memory_format: memory_format | None = None, out: Tensor | None = None) -> Tensor",
            None,
        );
        check(
            "f(Tensor self, Scalar? x=None) -> ()",
            PythonCallable::Method,
            "(self, x: Number | _complex | PySymType | None = None) -> None",
            None,
        );
        check(
            "f(Tensor self, int[] dims) -> int[]",
            PythonCallable::Method,
            "(self, dims: _size) -> tuple[_int, ...]",
            Some("self, *dims: _int"),
        );
        check(
            "f(Tensor self, SymInt[2] size, int[2] pad=[0,1]) -> (Tensor a, int b)",
            PythonCallable::Method,
            "(self, size: _int | SymInt | Sequence[_int | SymInt], pad: _int | _size = (0, 1)) -> torch.return_types.f",
            None,
        );
        check(
            "f(Tensor self, Tensor?[] x, Tensor[2] y, float[]? z, Device? d) -> (Tensor[], Device)",
            PythonCallable::Method,
            "(self, x: tuple[Tensor | None, ...] | list[Tensor | None] | None, y: Tensor | tuple[Tensor, ...] | list[Tensor], z: Sequence[_float] | None, d: DeviceLikeType | None) -> tuple[tuple[Tensor, ...], _device]",
            None,
        );
    }
}
