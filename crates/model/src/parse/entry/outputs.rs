//! Reads the expressions of `fake:`, one for each output, separated by commas:
//! `like(x, size=[*x.sizes[:-1], n + 1], dtype=int64)`, `like(x) if y is not None else None`.
//!
//! They are in the language of `kit::expr`, and have its types; of its operators and values, those
//! are accepted that have a meaning for symbolic sizes. Invariant: whatever the text is, the result
//! is expressions or the place of the first part that they cannot have.

use std::ops::Range;

use crate::codes;
use crate::model::outputs::{DtypeOf, OutputLike, member};
use crate::model::scalar_types::ScalarType;
use crate::model::{Argument, BaseTy, FunctionSchema, Return, Type};
use torchgen_base::diag::{TextError, did_you_mean, plural};
use torchgen_base::lang::is_word;
use torchgen_kit::expr::{
    Binary, Call, Checker, Constant, Expr, ExprKind, Function, GuardedCall, Type as Kind, Typed, TypedKind, Unary,
    Vocabulary, parse_calls,
};

/// What an output may be, for helps.
const FORMS: &str = "an output is written as `like(x)`, `like(x, dtype=int64)` or `like(x, size=[*x.sizes[:-1], n])`";

/// What a size may be, for helps.
const SIZES: &str = "sizes are computed with `+`, `-`, `*`, `/` and `%` from numbers, arguments, `x.size(0)`, `x.numel()`, `x.dim()` and `len(xs)`; or name a Python function: `fake: .fakes:function`";

/// Whether a text is of expressions, not the name of a Python function.
pub(super) fn is_expression(text: &str) -> bool {
    let name = text.trim_start().split(|c: char| !is_word(c)).next().unwrap_or_default();
    name == "like" && text.trim_start()[name.len()..].trim_start().starts_with('(')
}

/// The outputs of an operator. Those of a structured one are made before its kernel writes them.
///
/// # Errors
/// The text is not an expression for each output.
pub(super) fn outputs(text: &str, func: &FunctionSchema, structured: bool) -> Result<Vec<OutputLike>, TextError> {
    let located = |error: TextError| TextError {
        code: &codes::BAD_FAKE,
        help: error.help.or_else(|| Some(FORMS.into())),
        ..error
    };
    let is_name = |word: &str| func.schema_order_arguments().any(|a| a.schema_name() == word);
    let calls = parse_calls(text, is_name).map_err(located)?;
    let language = Language::new();
    let mut checker = Checker::new(&language, variables(func));
    let mut reader = Reader { func, checker: &mut checker };
    let outputs: Vec<OutputLike> =
        calls.iter().map(|call| reader.guarded(call)).collect::<Result<_, _>>().map_err(located)?;
    if let Some(error) = calls.iter().zip(&func.returns).find_map(|(call, ret)| never_none(call, ret)) {
        return Err(error);
    }
    let places: Vec<Range<usize>> = calls.into_iter().map(|call| call.range).collect();
    if let Some(error) = follows(func, &places).filter(|_| !structured) {
        return Err(error);
    }
    let (found, wanted) = (outputs.len(), func.returns.len());
    let is_tensor = |ret: &Return| ret.ty == Type::TENSOR || ret.ty == Type::optional_tensor();
    if found != wanted || !func.returns.iter().all(is_tensor) {
        let message = match found == wanted {
            true => format!("`{}` has results other than tensors", func.name),
            false => {
                let found = plural(found, "expression");
                format!("`fake:` has {found}, but the results of `{}` are {wanted}", func.name)
            }
        };
        let error = TextError::new(&codes::BAD_FAKE, 0..text.len(), message);
        return Err(error.help("name a Python function instead: `fake: .fakes:function`"));
    }
    Ok(outputs)
}

/// The error for a condition of an output that is never `None`.
fn never_none(call: &GuardedCall, ret: &Return) -> Option<TextError> {
    let condition = call.condition.as_ref().filter(|_| ret.ty == Type::TENSOR)?;
    let message = "the schema says that this result is a `Tensor`, which is never None";
    let error = TextError::new(&codes::BAD_FAKE, condition.range.clone(), message);
    Some(error.help("write `Tensor?` for the result in the schema, or delete `if` and what follows"))
}

/// The error for an output that the schema already says: nothing, or one of the arguments.
fn follows(func: &FunctionSchema, places: &[Range<usize>]) -> Option<TextError> {
    let error = |place: &Range<usize>, message: String| TextError::new(&codes::BAD_FAKE, place.clone(), message);
    let alias = |ret| func.aliased_arguments(ret).chain(func.viewed_arguments(ret)).next();
    if let ([], Some(first)) = (func.returns.as_slice(), places.first()) {
        let message = format!("the schema says that `{}` returns nothing", func.name);
        return Some(error(first, message).help("delete `fake:`, because it follows from the schema"));
    }
    let (place, argument) = places.iter().zip(&func.returns).find_map(|(place, ret)| Some((place, alias(ret)?)))?;
    let writes = func.returns.iter().all(|ret| ret.is_write() && alias(ret).is_some());
    let help = match writes {
        true => "delete `fake:`, because it follows from the schema",
        false => "name a Python function instead, which returns the argument or a view of it: `fake: .fakes:function`",
    };
    let name = argument.schema_name();
    Some(error(place, format!("the schema says that this is `{name}`")).help(help))
}

/// The type of tensors.
fn tensor() -> Kind {
    Kind::with_name("Tensor")
}

/// The type of dtypes.
fn dtype() -> Kind {
    Kind::with_name("dtype")
}

/// The arguments that an expression can name. A type without a meaning here has its own name.
fn variables(func: &FunctionSchema) -> Vec<(String, Kind)> {
    let is_input = |a: &&Argument| !func.arguments.out.iter().any(|out| out.name == a.name);
    let typed = |a: &Argument| (a.schema_name().to_owned(), kind(&a.ty));
    func.schema_order_arguments().filter(is_input).map(typed).collect()
}

fn kind(ty: &Type) -> Kind {
    match ty {
        Type::Base(BaseTy::Tensor) => tensor(),
        Type::Base(BaseTy::Int | BaseTy::SymInt) => Kind::Int,
        Type::Base(BaseTy::Bool) => Kind::Bool,
        Type::Base(BaseTy::Str) => Kind::Str,
        Type::Base(BaseTy::ScalarType) => dtype(),
        Type::List(elem, _) => kind(elem).list(),
        Type::Optional(elem) => kind(elem).optional(),
        other => Kind::with_name(&other.to_string()),
    }
}

/// The words for tensors.
struct Language {
    functions: [Function; 1],
    properties: [Function; 2],
    methods: [Function; 3],
}

impl Language {
    fn new() -> Language {
        let x = || ("x", tensor());
        Language {
            functions: [Function::new(
                member::LEN,
                &[("list", Kind::Any.list())],
                Kind::Int,
                "How many items a list has.",
            )],
            properties: [
                Function::new(member::SIZES, &[x()], Kind::Int.list(), "The sizes of all dimensions."),
                Function::new(member::DTYPE, &[x()], dtype(), "The type of elements."),
            ],
            methods: [
                Function::new(member::SIZE, &[x(), ("dim", Kind::Int)], Kind::Int, "The size of a dimension."),
                Function::new(member::NUMEL, &[x()], Kind::Int, "The number of elements."),
                Function::new(member::DIM, &[x()], Kind::Int, "The number of dimensions."),
            ],
        }
    }
}

impl Vocabulary for Language {
    fn constant(&self, _: &str) -> Option<Constant> {
        None
    }

    fn constants(&self) -> Vec<&str> {
        Vec::new()
    }

    fn functions(&self) -> &[Function] {
        &self.functions
    }

    fn properties(&self) -> &[Function] {
        &self.properties
    }

    fn methods(&self) -> &[Function] {
        &self.methods
    }

    fn divides_whole(&self) -> bool {
        true
    }
}

struct Reader<'r, 't> {
    func: &'t FunctionSchema,
    checker: &'r mut Checker<'t, Language>,
}

fn error(at: &Range<usize>, message: impl Into<String>) -> TextError {
    TextError::new(&codes::BAD_FAKE, at.clone(), message)
}

impl Reader<'_, '_> {
    /// An output, which may be `None`.
    fn guarded(&mut self, guarded: &GuardedCall) -> Result<OutputLike, TextError> {
        let GuardedCall { call, condition, range } = guarded;
        let Some(condition) = condition else { return self.output(call, range) };
        let checked = self.checker.expression_of(condition, &Kind::Bool, "a condition")?;
        decided(&checked)?;
        let func = self.func;
        let output = self.checker.assuming(condition, true, |checker| Reader { func, checker }.output(call, range))?;
        Ok(OutputLike { condition: Some(checked), ..output })
    }

    fn output(&mut self, call: &Call, range: &Range<usize>) -> Result<OutputLike, TextError> {
        if call.callee.name != "like" {
            return Err(error(&call.callee.range, format!("expected `like`, not `{}`", call.callee.name)));
        }
        let (first, rest) = match call.positional.as_slice() {
            [] => return Err(error(&(range.end - 1..range.end), "`like` needs a tensor among the arguments")),
            [first, rest @ ..] => (first, rest),
        };
        let like =
            self.checker.expression_of(first, &tensor(), "what an output is like").map_err(|error| {
                match &first.kind {
                    ExprKind::Name(name) if self.is_list(name) => error.help(format!("write `{name}[0]`")),
                    _ => error,
                }
            })?;
        if let Some(second) = rest.first() {
            return Err(error(&second.range, "expected `size=` or `dtype=`"));
        }
        let mut output = OutputLike { tensor: tensor_only(like)?, size: None, dtype: None, condition: None };
        for (key, value) in &call.keywords {
            match key.name.as_str() {
                "size" => output.size = Some(self.size(value)?),
                "dtype" => output.dtype = Some(self.dtype(value)?),
                other => return Err(error(&key.range, format!("expected `size=` or `dtype=`, not `{other}`"))),
            }
        }
        Ok(output)
    }

    /// Whether an argument is a list of tensors.
    fn is_list(&self, name: &str) -> bool {
        let argument = self.func.schema_order_arguments().find(|a| a.schema_name() == name);
        argument.is_some_and(|argument| kind(&argument.ty) == tensor().list())
    }

    /// The parts of a size, as a list.
    fn size(&mut self, expr: &Expr) -> Result<Typed, TextError> {
        let items = match &expr.kind {
            ExprKind::List(items) => items.iter().map(|item| self.part(item)).collect::<Result<_, _>>()?,
            _ => vec![self.several(expr, expr.range.clone(), "a size")?],
        };
        Ok(Typed { kind: TypedKind::List(items), ty: Kind::Int.list(), range: expr.range.clone() })
    }

    fn part(&mut self, item: &Expr) -> Result<Typed, TextError> {
        if let ExprKind::Starred(list) = &item.kind {
            return self.several(list, item.range.clone(), "what follows a star");
        }
        let one = self.checker.expression_of(item, &Kind::Int, "the size of a dimension")?;
        number(&one)?;
        Ok(one)
    }

    /// The items of a list, which becomes a part of another.
    fn several(&mut self, list: &Expr, range: Range<usize>, what: &str) -> Result<Typed, TextError> {
        let list = self.checker.expression_of(list, &Kind::Int.list(), what)?;
        match &list.kind {
            TypedKind::Slice(of, from, to) => {
                whole(of)?;
                from.iter().chain(to).try_for_each(|bound| number(bound))?;
            }
            _ => whole(&list)?,
        }
        Ok(Typed { ty: list.ty.clone(), kind: TypedKind::Starred(Box::new(list)), range })
    }

    fn dtype(&mut self, expr: &Expr) -> Result<DtypeOf, TextError> {
        if let ExprKind::Name(word) = &expr.kind {
            if let Some(named) = ScalarType::of_tensors().find(|known| known.torch == word) {
                return Ok(DtypeOf::Named(named));
            }
            if self.func.schema_order_arguments().all(|a| a.schema_name() != word) {
                let mut wrong = error(&expr.range, format!("expected a dtype, not `{word}`"));
                wrong.help = did_you_mean(word, ScalarType::of_tensors().map(|known| known.torch));
                return Err(wrong);
            }
        }
        let value = self.checker.expression_of(expr, &dtype(), "`dtype=`")?;
        match &value.kind {
            TypedKind::Variable { .. } => {}
            TypedKind::Call(_, arguments) => arguments.iter().try_for_each(tensor_part)?,
            _ => return Err(error(&value.range, "this cannot be a dtype")),
        }
        Ok(DtypeOf::Value(value))
    }
}

/// Checks that arguments decide about a condition without data, and without their sizes.
fn decided(typed: &Typed) -> Result<(), TextError> {
    match &typed.kind {
        TypedKind::Bool(_) | TypedKind::Int(_) | TypedKind::Text(_) | TypedKind::Variable { .. } => Ok(()),
        TypedKind::Call(name, arguments) if *name == member::DIM => arguments.iter().try_for_each(tensor_part),
        TypedKind::Call(name, arguments) if *name == member::LEN => arguments.iter().try_for_each(whole),
        TypedKind::Unary(_, inner) => decided(inner),
        TypedKind::IsNone { value, .. } => decided(value),
        TypedKind::Binary(Binary::And | Binary::Or | Binary::Compare(_), a, b) => decided(a).and_then(|()| decided(b)),
        _ => Err(error(
            &typed.range,
            "only values of arguments, `dim()` and `len()` can decide whether an output is None",
        )
        .help("name a Python function instead: `fake: .fakes:function`")),
    }
}

fn tensor_only(typed: Typed) -> Result<Typed, TextError> {
    tensor_part(&typed).map(|()| typed)
}

/// Checks that a tensor is an argument, or an element of one.
fn tensor_part(typed: &Typed) -> Result<(), TextError> {
    match &typed.kind {
        TypedKind::Variable { .. } => Ok(()),
        TypedKind::Index(list, index) if matches!(list.kind, TypedKind::Variable { .. }) => number(index),
        _ => Err(error(&typed.range, "this is neither an argument nor an element of one")),
    }
}

/// Checks that a list is an argument, or the sizes of a tensor.
fn whole(typed: &Typed) -> Result<(), TextError> {
    match &typed.kind {
        TypedKind::Variable { .. } => Ok(()),
        TypedKind::Call(_, arguments) => arguments.iter().try_for_each(tensor_part),
        _ => Err(error(&typed.range, "several sizes are `x.sizes`, an argument, or a slice of one of these")),
    }
}

/// Checks that an integer can be computed from symbolic sizes, in both languages.
fn number(typed: &Typed) -> Result<(), TextError> {
    match &typed.kind {
        TypedKind::Int(_) | TypedKind::Variable { .. } => Ok(()),
        TypedKind::Unary(Unary::Negate, inner) => number(inner),
        TypedKind::Binary(
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::FloorDivide | Binary::Modulo,
            a,
            b,
        ) => number(a).and_then(|()| number(b)),
        TypedKind::Index(list, index) => whole(list).and_then(|()| number(index)),
        TypedKind::Call(name, arguments) if *name == member::LEN => arguments.iter().try_for_each(whole),
        TypedKind::Call(_, arguments) => match arguments.as_slice() {
            [x, rest @ ..] => tensor_part(x).and_then(|()| rest.iter().try_for_each(number)),
            [] => Ok(()),
        },
        _ => Err(error(&typed.range, "this cannot be a part of a size").help(SIZES)),
    }
}
