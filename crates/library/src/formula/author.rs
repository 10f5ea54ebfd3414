//! The functions that an author defines for formulas, in `derivatives_manual.h`.
//!
//! Invariant: a function of which another overload cannot be read is not among them.

use std::collections::{BTreeSet, HashMap};

use torchgen_base::lang::cpp::{self, Definition, DefinitionForm};
use torchgen_formula::{Parameter, Signature, Ty, ValueKind};
use torchgen_model::model::{Argument, BaseTy, Type};

/// The signatures of the functions in a header, by name without namespaces.
pub(super) fn functions(header: &str) -> HashMap<String, Vec<Signature>> {
    let source = cpp::scan_source(header);
    let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
    let mut unread: BTreeSet<String> = source.declared.iter().map(|declared| last(&declared.name)).collect();
    unread.extend(source.mentioned.iter().cloned());
    let mut found: HashMap<String, Vec<Signature>> = HashMap::new();
    for definition in &source.definitions {
        if definition.is_template || definition.form != DefinitionForm::Function {
            unread.insert(last(&definition.name));
        }
        found.entry(last(&definition.name)).or_default().push(signature(definition));
    }
    found.retain(|name, _| !unread.contains(name));
    found
}

fn signature(definition: &Definition) -> Signature {
    let types = cpp::signature(&definition.returns, &definition.parameters);
    let parameter = |(ty, written): (&String, &String)| Parameter {
        argument: Some(Argument::new(String::new(), type_of(ty).unwrap_or(Type::CustomClass(String::new())))),
        has_default: written.contains('='),
        is_word: false,
    };
    let returns = type_of(&types.returns).map_or(Ty::UNKNOWN, |ty| Ty::from_schema_type(&ty));
    let returns = if types.returns.starts_with("tuple<") { ValueKind::Tuple.into() } else { returns };
    Signature {
        declaration: format!("{} {}({})", types.returns, definition.name, types.parameters.join(", ")),
        parameters: types.parameters.iter().zip(&definition.parameters).map(parameter).collect(),
        symbolic: true,
        returns,
        elements: Vec::new(),
        operator: 0,
    }
}

/// The schema's type of a C++ type in normal form; `None` if there is none.
fn type_of(cpp: &str) -> Option<Type> {
    let plain = cpp.strip_prefix("const ").unwrap_or(cpp);
    let by_value = plain == cpp;
    let plain = match plain.strip_suffix('&') {
        // A reference to a variable takes no temporary.
        Some(_) if by_value => return None,
        Some(of) => of.trim_end(),
        None => plain,
    };
    if let Some(inner) = plain.strip_prefix("optional<").and_then(|rest| rest.strip_suffix('>')) {
        return Some(Type::Optional(Box::new(type_of(inner)?)));
    }
    let list = |base: BaseTy| Type::List(Box::new(Type::Base(base)), None);
    Some(match plain {
        "Tensor" | "Variable" => Type::Base(BaseTy::Tensor),
        "int64_t" | "int" | "long" => Type::Base(BaseTy::Int),
        "SymInt" => Type::Base(BaseTy::SymInt),
        "double" | "float" => Type::Base(BaseTy::Float),
        "bool" => Type::Base(BaseTy::Bool),
        "Scalar" => Type::Base(BaseTy::Scalar),
        "ScalarType" => Type::Base(BaseTy::ScalarType),
        "string_view" => Type::Base(BaseTy::Str),
        "IntArrayRef" => list(BaseTy::Int),
        "SymIntArrayRef" => list(BaseTy::SymInt),
        "TensorList" => list(BaseTy::Tensor),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use torchgen_formula::Rules;

    #[test]
    fn functions_of_a_header() {
        let header = "namespace my {\n\
            inline at::Tensor scale(const at::Tensor& x, double by = 1.0) { return x * by; }\n\
            inline Tensor both(const Tensor& x, c10::SymIntArrayRef sizes) { return x; }\n\
            Tensor declared(const Tensor& x);\n\
            template <class T> Tensor any(T x) { return x; }\n\
            inline Tensor& change(Tensor& x) { return x; }\n}\n";
        let found = functions(header);
        let mut names: Vec<&str> = found.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["both", "change", "scale"]);
        let takes = |name: &str, kinds: &[ValueKind]| {
            let types: Vec<Ty> = kinds.iter().map(|kind| Ty::from(*kind)).collect();
            found[name][0].accepts(&types, Rules::Cpp)
        };
        assert!(takes("scale", &[ValueKind::Tensor]) && takes("scale", &[ValueKind::Tensor, ValueKind::Int]));
        assert!(!takes("scale", &[ValueKind::Int]) && !takes("scale", &[ValueKind::Tensor, ValueKind::Tensor]));
        assert!(
            takes("both", &[ValueKind::Tensor, ValueKind::SymInts])
                && !takes("both", &[ValueKind::Tensor, ValueKind::Ints])
        );
        assert!(takes("change", &[ValueKind::Int]));
    }
}
