//! Visits a module's statements and computes the values of its names.
//!
//! Invariant: the work is bounded even if the text multiplies its values; what would take more is
//! unknown. Effects of functions on their arguments are ignored.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use super::expression::{Argument, Expression, ExpressionForm};
use super::syntax::{self, Class as ClassStatement, Def, Name, Statement};
use super::value::{Class, Function, Located, Object, Value};
use crate::diag::TextError;

/// The maximum number of expressions evaluated in one module.
const FUEL: u32 = 1_000_000;

/// The maximum depth of nested constructors; a class may create objects of itself endlessly.
const MAX_CONSTRUCTORS: u32 = 32;

/// A module and the state for evaluating its functions.
#[derive(Debug)]
pub struct Scope {
    module: Object,
    evaluator: Evaluator,
}

/// The names of a module after all its statements.
///
/// # Errors
/// The text's tokens or blocks are not Python's.
pub fn module(text: &str) -> Result<Scope, TextError> {
    let statements = syntax::statements(text)?;
    let evaluator = Evaluator { fuel: Cell::new(FUEL), constructors: Cell::new(0) };
    let mut module = Object::default();
    evaluator.run(&statements, &mut module, None);
    Ok(Scope { module, evaluator })
}

impl Scope {
    /// The module's names.
    pub fn names(&self) -> &Object {
        &self.module
    }

    /// The return value of a call of the function: [`Value::Unknown`] unless the function only
    /// returns something. `None` if it returns nothing.
    pub fn returned(&self, function: &Function) -> Option<Located> {
        let def = &function.def;
        let unknown = || Located::new(Value::Unknown, &def.name.range);
        if def.decorated {
            return Some(unknown());
        }
        if !returns(&def.body) {
            return None;
        }
        let documentation = |s: &&Statement| matches!(s, Statement::Touch(names) if names.is_empty());
        match def.body.iter().skip_while(documentation).collect::<Vec<_>>().as_slice() {
            [Statement::Return(Some(value))] => {
                let parameters = Object {
                    attributes: def.positional.iter().map(|name| (name.clone(), unknown())).collect(),
                    open: false,
                };
                let module = Names { object: &self.module, outer: None };
                Some(self.evaluator.value(value, &Names { object: &parameters, outer: Some(&module) }))
            }
            _ => Some(unknown()),
        }
    }
}

/// The values of names, the innermost scope first.
struct Names<'a> {
    object: &'a Object,
    outer: Option<&'a Names<'a>>,
}

impl Names<'_> {
    fn get(&self, name: &str) -> Option<&Located> {
        self.object.attributes.get(name).or_else(|| self.outer?.get(name))
    }
}

#[derive(Debug)]
struct Evaluator {
    fuel: Cell<u32>,
    /// The current depth of constructors.
    constructors: Cell<u32>,
}

impl Evaluator {
    /// Visits the statements of a module or a class, whose names are the object's.
    fn run(&self, statements: &[Statement], object: &mut Object, outer: Option<&Names<'_>>) {
        for statement in statements {
            let (names, value) = match statement {
                Statement::Assign { names, value } => (names.as_slice(), self.value(value, &Names { object, outer })),
                Statement::Def(def) => {
                    let function = Function { def: Arc::new(def.clone()), bound: false };
                    (std::slice::from_ref(&def.name), Located::new(Value::Function(function), &def.name.range))
                }
                Statement::Class(class) => {
                    let value = self.class(class, &Names { object, outer });
                    (std::slice::from_ref(&class.name), Located::new(value, &class.name.range))
                }
                statement => {
                    forget(std::slice::from_ref(statement), object);
                    continue;
                }
            };
            object.attributes.extend(names.iter().map(|name| (name.text.clone(), value.clone())));
        }
    }

    fn class(&self, class: &ClassStatement, names: &Names<'_>) -> Value {
        let mut object = Object::default();
        let mut fields = Vec::new();
        let mut init = None;
        let mut complete = true;
        // The first base wins, so it comes last.
        for base in class.bases.iter().rev() {
            match base.as_deref().and_then(|base| names.get(base)).map(|base| &base.value) {
                Some(Value::Class(base)) if self.spend(base.attributes.len()) => {
                    object.attributes.extend(base.attributes.iter().map(|(name, value)| (name.clone(), value.clone())));
                    fields = base.fields.clone();
                    init = base.init.clone();
                    complete &= base.complete;
                }
                _ => complete &= base.as_deref() == Some("object"),
            }
        }
        self.run(&class.body, &mut object, Some(names));
        for statement in &class.body {
            match statement {
                Statement::Declare(name) => fields.push(name.text.clone()),
                Statement::Assign { names, .. } => {
                    fields.extend(names.iter().filter(|name| name.annotated).map(|name| name.text.clone()));
                }
                Statement::Def(def) if def.name.text == "__init__" => {
                    // What the bases do on construction depends on whether the constructor calls
                    // them.
                    complete &= init.is_none();
                    init = Some(Arc::new(def.clone()));
                }
                _ => {}
            }
        }
        Value::Class(Arc::new(Class {
            attributes: object.attributes,
            fields,
            init,
            complete: complete && !object.open,
        }))
    }

    /// The object that a call of a class creates.
    fn object(&self, class: &Class, arguments: Vec<(Option<String>, Located)>, names: &Names<'_>) -> Object {
        let bind = |(name, located): (&String, &Located)| {
            let value = match &located.value {
                Value::Function(function) => Value::Function(Function { bound: true, ..function.clone() }),
                value => value.clone(),
            };
            (name.clone(), Located::new(value, &located.range))
        };
        let mut object = Object { attributes: class.attributes.iter().map(bind).collect(), open: !class.complete };
        let (this, parameters) = match &class.init {
            Some(init) => init.positional.split_first().map_or((None, &[][..]), |(this, rest)| (Some(this), rest)),
            None => (None, class.fields.as_slice()),
        };
        let mut given: HashMap<String, Located> = HashMap::new();
        let mut positional = parameters.iter();
        for (name, value) in arguments {
            if let Some(name) = name.or_else(|| positional.next().cloned()) {
                given.insert(name, value);
            }
        }
        match (&class.init, this) {
            (Some(init), Some(this)) => {
                // A parameter without an argument has a default, which is ignored.
                let unknown = Located::new(Value::Unknown, &init.name.range);
                let missing = parameters.iter().map(|name| (name.clone(), unknown.clone()));
                let parameters = Object { attributes: missing.chain(given).collect(), open: false };
                self.construct(&init.body, this, &mut object, &Names { object: &parameters, outer: Some(names) });
            }
            _ => object.attributes.extend(given),
        }
        object
    }

    /// Gives an object the attributes that its constructor assigns.
    fn construct(&self, body: &[Statement], this: &str, object: &mut Object, names: &Names<'_>) {
        for statement in body {
            match statement {
                Statement::AssignAttribute { object: target, attribute, value } if target == this => {
                    object.attributes.insert(attribute.clone(), self.value(value, names));
                }
                Statement::Block(body) => assigned_attributes(body, this, object),
                _ => {}
            }
        }
    }

    fn value(&self, expression: &Expression, names: &Names<'_>) -> Located {
        let range = &expression.range;
        if !self.spend(1) {
            return Located::new(Value::Unknown, range);
        }
        match &expression.form {
            ExpressionForm::Name(name) => {
                names.get(name).map_or(Located::new(Value::Unknown, range), |known| known.at(range))
            }
            form => Located::new(self.form(form, names), range),
        }
    }

    fn form(&self, form: &ExpressionForm, names: &Names<'_>) -> Value {
        match form {
            ExpressionForm::Str(text) => Value::Str(text.as_str().into()),
            ExpressionForm::Number(text) => Value::Number(text.as_str().into()),
            ExpressionForm::Bool(value) => Value::Bool(*value),
            ExpressionForm::None => Value::None,
            ExpressionForm::List(items) => self.items(items, names).map_or(Value::Unknown, Value::List),
            ExpressionForm::Tuple(items) => self.items(items, names).map_or(Value::Unknown, Value::Tuple),
            ExpressionForm::Set(items) => self.items(items, names).map_or(Value::Unknown, Value::Set),
            ExpressionForm::Dict(entries) => {
                let keys = entries.iter().map(|(key, value)| value.as_ref().map(|_| self.value(key, names)));
                // The contents of `**` are ignored, but the value is still a dictionary.
                Value::Dict(keys.flatten().collect())
            }
            ExpressionForm::Call { function, arguments } => self.call(function, arguments, names),
            ExpressionForm::Comprehension { element, name, iterable } => {
                let iterable = self.value(iterable, names);
                let Some(items) = iterable.value.items() else { return Value::Unknown };
                let element = |item: &Located| {
                    let local = Object { attributes: HashMap::from([(name.clone(), item.clone())]), open: false };
                    self.value(element, &Names { object: &local, outer: Some(names) })
                };
                let elements: Arc<[Located]> =
                    items.iter().map_while(|item| self.has_fuel().then(|| element(item))).collect();
                if elements.len() == items.len() { Value::List(elements) } else { Value::Unknown }
            }
            ExpressionForm::Name(_) | ExpressionForm::Starred(_) | ExpressionForm::Unknown => Value::Unknown,
        }
    }

    fn has_fuel(&self) -> bool {
        self.fuel.get() > 0
    }

    /// Uses that much fuel, if there is enough.
    fn spend(&self, amount: usize) -> bool {
        let left = u32::try_from(amount).ok().and_then(|amount| self.fuel.get().checked_sub(amount));
        self.fuel.set(left.unwrap_or(self.fuel.get()));
        left.is_some()
    }

    /// The items of a list, with starred ones expanded; `None` if they are unknown.
    fn items(&self, items: &[Expression], names: &Names<'_>) -> Option<Arc<[Located]>> {
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            let ExpressionForm::Starred(inner) = &item.form else {
                all.push(self.value(item, names));
                continue;
            };
            let inner = self.value(inner, names);
            let more = inner.value.items()?;
            if !self.spend(more.len()) {
                return None;
            }
            all.extend_from_slice(more);
        }
        Some(all.into())
    }

    fn call(&self, function: &str, arguments: &[Argument], names: &Names<'_>) -> Value {
        let given = || arguments.iter().map(|a| (a.name.clone(), self.value(&a.value, names))).collect::<Vec<_>>();
        match names.get(function).map(|known| &known.value) {
            Some(Value::Class(class)) => {
                if self.constructors.get() == MAX_CONSTRUCTORS || !self.spend(class.attributes.len()) {
                    return Value::Unknown;
                }
                self.constructors.update(|depth| depth + 1);
                let object = self.object(class, given(), names);
                self.constructors.update(|depth| depth - 1);
                Value::Object(Arc::new(object))
            }
            None | Some(Value::Unknown) if matches!(function, "SimpleNamespace" | "types.SimpleNamespace") => {
                let open = arguments.iter().any(|a| a.name.is_none());
                let attributes = given().into_iter().filter_map(|(name, value)| Some((name?, value))).collect();
                Value::Object(Arc::new(Object { attributes, open }))
            }
            _ => Value::Unknown,
        }
    }
}

/// Makes names unknown if statements may assign them another value.
fn forget(statements: &[Statement], object: &mut Object) {
    for statement in statements {
        match statement {
            Statement::Bind(names) | Statement::Assign { names, .. } => unknown(names, object),
            Statement::Def(Def { name, .. }) | Statement::Class(ClassStatement { name, .. }) => {
                unknown(std::slice::from_ref(name), object);
            }
            Statement::Block(body) => forget(body, object),
            Statement::ImportAll => object.open = true,
            Statement::Touch(names) => {
                for name in names {
                    if let Some(known) = object.attributes.get_mut(&name.text)
                        && known.value.is_mutable()
                    {
                        known.value = Value::Unknown;
                    }
                }
            }
            Statement::AssignAttribute { object: target, .. } => {
                if let Some(known) = object.attributes.get_mut(target) {
                    known.value = Value::Unknown;
                }
            }
            Statement::Declare(_) | Statement::Return(_) => {}
        }
    }
}

fn unknown(names: &[Name], object: &mut Object) {
    let unknown = |name: &Name| (name.text.clone(), Located::new(Value::Unknown, &name.range));
    object.attributes.extend(names.iter().map(unknown));
}

/// Makes attributes unknown if statements of a block may assign them.
fn assigned_attributes(body: &[Statement], this: &str, object: &mut Object) {
    for statement in body {
        match statement {
            Statement::AssignAttribute { object: target, attribute, value } if target == this => {
                object.attributes.insert(attribute.clone(), Located::new(Value::Unknown, &value.range));
            }
            Statement::Block(body) => assigned_attributes(body, this, object),
            _ => {}
        }
    }
}

/// Whether a function returns a value anywhere.
fn returns(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Return(value) => value.is_some(),
        Statement::Block(body) => returns(body),
        _ => false,
    })
}
