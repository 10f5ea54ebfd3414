//! Reads `onnx:`: the operator of ONNX as which `torch.onnx.export` writes the operator.
//!
//! Invariant: each argument of such an operator is an input or an attribute of ONNX, and each
//! result an output.

use std::ops::Range;

use crate::codes;
use crate::model::onnx::{OnnxOperator, OnnxPart};
use crate::model::{BaseTy, NativeFunction, Type};
use torchgen_base::diag::{Diagnostic, Diagnostics, Help, TextError};
use torchgen_base::lang::is_identifier;
use torchgen_base::yaml::Text;

/// The operator of an entry. Errors go to `diagnostics`.
pub(super) fn operator(text: &Text, diagnostics: &mut Diagnostics) -> Option<OnnxOperator> {
    match parse(text.as_str()) {
        Ok(operator) => Some(operator),
        Err(error) => {
            diagnostics.push(error.at_text(text));
            None
        }
    }
}

fn parse(text: &str) -> Result<OnnxOperator, TextError> {
    let error = |range: Range<usize>, message: String| TextError::new(&codes::BAD_ONNX_OPERATOR, range, message);
    let Some((domain, name)) = text.split_once("::") else {
        let error = error(0..text.len(), format!("`{text}` lacks the domain of an ONNX operator"));
        return Err(match text.rsplit_once('.') {
            Some((domain, name)) if is_domain(domain) && is_identifier(name) => {
                error.help(Help::write(format!("{domain}::{name}")))
            }
            _ => error.help("write `domain::Op`, such as `com.example::Norm`"),
        });
    };
    if !is_domain(domain) {
        let message = format!("`{domain}` is not the domain of ONNX operators");
        return Err(error(0..domain.len(), message).help("a domain is words with dots, such as `com.example`"));
    }
    if domain == "ai.onnx" || domain.starts_with("ai.onnx.") {
        let message = format!("`{domain}` has the operators of ONNX itself");
        return Err(error(0..domain.len(), message)
            .help("write a domain of your own, such as `com.example`")
            .help("or a function of onnxscript, which calls ONNX's operators, for `custom_translation_table`"));
    }
    if !is_identifier(name) {
        let start = domain.len() + 2;
        let message = match name {
            "" => "the name of an ONNX operator is missing".to_owned(),
            name => format!("`{name}` is not the name of an ONNX operator"),
        };
        return Err(error(start..text.len(), message)
            .help("write letters, digits and underscores, such as `com.example::Norm`"));
    }
    Ok(OnnxOperator { domain: domain.to_owned(), name: name.to_owned() })
}

/// Words with dots.
fn is_domain(text: &str) -> bool {
    let is_word =
        |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    text.split('.').all(is_word)
}

/// Reports an operator that ONNX cannot have.
pub(super) fn check_onnx(f: &NativeFunction, is_stock: bool, diagnostics: &mut Diagnostics) {
    let (Some(_), Some(span)) = (&f.onnx, f.spans.onnx) else { return };
    let error = |reason: String| {
        let message = format!("`{}` cannot be an operator of ONNX: {reason}", f.func.name);
        Diagnostic::new(&codes::BAD_ONNX_OPERATOR, message).at(span).help("delete `onnx:`")
    };
    if is_stock {
        diagnostics.push(error("PyTorch exports its own operators".to_owned()));
        return;
    }
    let mut list = None;
    for argument in f.func.schema_order_arguments() {
        let name = argument.schema_name();
        let reason = match OnnxPart::of_type(&argument.ty) {
            None => Some(format!("no attribute of ONNX can have `{name}`, a `{}`", argument.ty)),
            _ if argument.is_write() => Some(format!("it writes to `{name}`, and ONNX has only values")),
            Some(OnnxPart::Input | OnnxPart::Inputs) if list.is_some() => {
                let list: &str = list.unwrap_or_default();
                Some(format!("the inputs of `{list}`, of which there can be any number, are before `{name}`"))
            }
            Some(OnnxPart::Inputs) => {
                list = Some(name);
                None
            }
            Some(_) => None,
        };
        if let Some(reason) = reason {
            diagnostics.push(error(reason).also(f.spans.schema.argument(&argument.name), "this argument"));
            return;
        }
    }
    let is_output = |ty: &Type| ty.is(BaseTy::Tensor) || matches!(ty, Type::Optional(elem) if elem.is(BaseTy::Tensor));
    if let Some(ret) = f.func.returns.iter().find(|ret| !is_output(&ret.ty)) {
        diagnostics.push(error(format!("its result of type `{}` is no tensor", ret.ty)));
    } else if f.func.returns.is_empty() {
        diagnostics.push(error("it returns nothing".to_owned()));
    }
}
