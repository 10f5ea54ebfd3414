//! The facts of one operator.

use super::types::{Composite, InnerLoop, OperatorFacts, Precomputed, TorchFacts, Versions};
use super::{Known, TorchThing, id};
use torchgen_api::autograd::NativeFunctionWithDifferentiabilityInfo;
use torchgen_api::cpp::{self, TypeStyle};
use torchgen_api::default::default_expr;
use torchgen_api::{Locals, SymInts, native};
use torchgen_base::diag::Span;
use torchgen_kit::facts::{Part, Place, Relation, Thing};
use torchgen_model::model::native_function::DeviceCheckType;
use torchgen_model::model::{ATEN, Argument, BaseTy, NativeFunction, Type};
use torchgen_model::versions::spans;

impl Known<'_> {
    /// Everything but outputs.
    pub(super) fn operator(&self, found: &NativeFunctionWithDifferentiabilityInfo<'_>) -> TorchThing {
        let f = found.func;
        let mut facts = self.own(f);
        let kernels = self.kernels_of(f);
        facts.dispatch = self.dispatch(f, &kernels);
        facts.derivatives = self.derivatives(found);
        Thing {
            at: Place::from_span(f.spans.name, self.sources),
            doc: f.doc.clone(),
            schema: Some(f.func.to_string()),
            parts: self.parts(f),
            relations: self.relations(f, found),
            signatures: if self.with_signatures { self.signatures(f, &kernels) } else { Vec::new() },
            ..Thing::new("operator", f.full_name(), TorchFacts::Operator(Box::new(facts)))
        }
    }

    fn own(&self, f: &NativeFunction) -> OperatorFacts {
        let (func, name) = (&f.func, &f.func.name);
        let words = |all: &[(&'static str, bool)]| all.iter().filter(|(_, has)| *has).map(|(word, _)| *word).collect();
        let precomputed = f.precomputed.as_ref().map(|precomputed| Precomputed {
            replace: precomputed.replace.iter().map(|(name, with)| (name.clone(), texts(with))).collect(),
            add: texts(&precomputed.add),
            parts: precomputed
                .replace
                .values()
                .flatten()
                .chain(&precomputed.add)
                .map(|a| self.argument(f, "precomputed", a, Locals::for_operator(f)))
                .collect(),
        });
        let inner_loop = |(key, own): (&_, &torchgen_model::model::native_function::UfuncInnerLoop)| {
            let own = InnerLoop { name: own.name.clone(), dtypes: own.supported_dtypes.iter().cloned().collect() };
            (format!("{key:?}"), own)
        };
        let versions = (f.namespace == ATEN).then(|| spans().get(name.to_string().as_str())).flatten();
        OperatorFacts {
            namespace: f.namespace.clone(),
            operator: name.name.to_string(),
            overload: name.overload_name.clone(),
            root_name: f.root_name().to_owned(),
            unambiguous_name: name.unambiguous_name(),
            cpp_name: cpp::name(func),
            native_name: native::name(func),
            place_in_groups: self.place_in_groups.get(&id(f)).copied().unwrap_or_default(),
            schema_kind: func.kind().as_str(),
            variants: words(&[("function", f.variants.function), ("method", f.variants.method)]),
            tags: f.tags.iter().cloned().collect(),
            generated: f.is_generated(),
            autogen: texts(&f.autogen),
            mutable: func.is_mutable(),
            symint: func.has_symint(),
            view: f.is_view_op(),
            inplace: name.name.inplace,
            structured: f.structured,
            structured_delegate: f.structured_delegate.as_ref().map(ToString::to_string),
            structured_inherits: f.structured_inherits.clone(),
            precomputed,
            ufunc_inner_loop: f.ufunc_inner_loop.iter().map(inner_loop).collect(),
            composite: Composite {
                implicit_autograd: f.has_composite_implicit_autograd_kernel,
                implicit_autograd_nested_tensor: f.has_composite_implicit_autograd_nested_tensor_kernel,
                explicit_autograd: f.has_composite_explicit_autograd_kernel,
                explicit_autograd_non_functional: f.has_composite_explicit_autograd_non_functional_kernel,
            },
            is_abstract: f.is_abstract,
            factory: func.arguments.tensor_options.is_some() && !f.variants.method,
            differentiable: f.differentiable,
            helper: f.is_helper,
            autograd_kernel: f.has_autograd_kernel || f.compares_gradients,
            python_module: f.python_module.clone(),
            category_override: f.category_override.clone(),
            device_guard: f.device_guard,
            device_check: match f.device_check {
                DeviceCheckType::NoCheck => "NoCheck",
                DeviceCheckType::ExactSame => "ExactSame",
            },
            device_of: f
                .device_guard
                .then(|| func.arguments.guarding_device())
                .flatten()
                .map(|argument| argument.schema_name().to_owned()),
            on_one_device: match f.device_check {
                DeviceCheckType::NoCheck => Vec::new(),
                DeviceCheckType::ExactSame => {
                    func.arguments.on_one_device().map(|argument| argument.schema_name().to_owned()).collect()
                }
            },
            manual_kernel_registration: f.manual_kernel_registration,
            registers_itself: f.registers_itself(),
            manual_cpp_binding: f.manual_cpp_binding,
            cpp_no_default_args: f.cpp_no_default_args.iter().cloned().collect(),
            use_const_ref_for_mutable_tensors: f.use_const_ref_for_mutable_tensors,
            when: f.conditions.operator.as_ref().map(|condition| condition.text().to_owned()),
            fake: f.fake.is_some(),
            vmap: f.vmap.as_ref().map(ToString::to_string),
            dims: f.dims_lines().iter().map(ToString::to_string).collect(),
            flops: f.flops.as_ref().map(|flops| flops.count.to_string()),
            aoti: f.aoti.then_some(true),
            onnx: f.onnx.as_ref().map(ToString::to_string),
            dispatch: Vec::new(),
            derivatives: Vec::new(),
            versions: versions.map(|span| Versions {
                since: span.since.to_string(),
                until: span.until.map(|until| until.to_string()),
            }),
        }
    }

    fn parts(&self, f: &NativeFunction) -> Vec<Part> {
        let locals = Locals::for_operator(f);
        let all = f.func.arguments.by_role();
        let mut parts: Vec<Part> = all.map(|(role, a)| self.argument(f, role, a, locals)).collect();
        let names = cpp::return_names(f, "result").unwrap_or_default();
        parts.extend(f.func.returns.iter().enumerate().map(|(at, ret)| Part {
            role: "return".into(),
            name: ret.name.clone(),
            ty: ret.ty.to_string(),
            alias: ret.annotation.as_ref().map(ToString::to_string),
            cpp_name: names.get(at).map(|name| name.clone().into_owned()),
            cpp_type: value_type(&ret.ty, locals),
            nullable: ret.ty.is_nullable(),
            mutable: ret.annotation.as_ref().is_some_and(|annotation| annotation.is_write),
            ..taken_apart(&ret.ty)
        }));
        parts
    }

    fn argument(&self, f: &NativeFunction, role: &'static str, a: &Argument, locals: Locals) -> Part {
        let name = a.schema_name();
        let span = f.spans.schema.argument(&a.name);
        let written = !f.is_generated() && span != f.spans.schema.whole && span != Span::default();
        let size = match a.ty.list_parts() {
            // The C++ type of a list of booleans includes its size.
            Some((elem, size)) if !elem.is(BaseTy::Bool) => size,
            _ => None,
        };
        Part {
            alias: a.annotation.as_ref().map(ToString::to_string),
            default: a.default.clone(),
            cpp_default: a.default.as_ref().and_then(|default| {
                let expr = default_expr(default, &a.ty, SymInts::Numbers).ok()?;
                Some(expr.into_owned())
            }),
            cpp_name: (name != a.name).then(|| a.name.clone()),
            cpp_type: value_type(&a.ty, locals),
            size,
            nullable: a.ty.is_nullable(),
            mutable: a.is_write(),
            at: written.then(|| self.place(f, span)).flatten(),
            role: role.into(),
            name: Some(name.to_owned()),
            ty: a.ty.to_string(),
            ..taken_apart(&a.ty)
        }
    }

    fn relations(&self, f: &NativeFunction, found: &NativeFunctionWithDifferentiabilityInfo<'_>) -> Vec<Relation> {
        let name = |name: &_| format!("{}::{name}", f.namespace);
        let mut relations = Vec::new();
        if let Some(group) = self.group_of.get(&id(f)).and_then(|group| super::groups::name(group)) {
            relations.push(Relation::new("group", group));
        }
        if let Some(group) = self.view_group_of.get(&id(f)) {
            relations.push(Relation::new("view_group", group.view.full_name()));
        }
        relations.extend(f.structured_delegate.as_ref().map(|to| Relation::new("delegates_to", name(to))));
        if f.is_generated()
            && let Some(from) = self.generated_from.get(&f.func.name.to_string())
        {
            relations.push(Relation::new("generated_from", from.full_name()));
        }
        relations.extend(f.autogen.iter().map(|to| Relation::new("generates", name(to))));
        let infos = found.info.iter().flat_map(|infos| infos.values());
        let mut of: Vec<String> = infos.map(|info| info.func.full_name()).collect();
        of.dedup();
        relations.extend(of.into_iter().map(|of| Relation::new("differentiated_by", of)));
        relations
    }
}

/// What of a part follows from its type alone.
fn taken_apart(ty: &Type) -> Part {
    let (ty, optional) = match ty {
        Type::Optional(elem) => (&**elem, true),
        ty => (ty, false),
    };
    let (ty, list) = match ty {
        Type::List(elem, _) => (&**elem, true),
        ty => (ty, false),
    };
    let (base, optional_element) = match ty {
        Type::Optional(elem) if list => (&**elem, true),
        ty => (ty, false),
    };
    Part { base: Some(base.to_string()), list, optional, optional_element, ..Part::default() }
}

fn texts<T: ToString>(all: &[T]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

/// The C++ type of a value, optional or not. Rule: torchgen/gen.py, `dynamic_type`.
fn value_type(ty: &Type, locals: Locals) -> Option<String> {
    match ty {
        Type::Optional(elem) => value_type(elem, locals),
        Type::Base(BaseTy::Tensor) => Some("at::Tensor".to_owned()),
        ty => {
            let style = TypeStyle { locals, ..TypeStyle::default() };
            cpp::argumenttype_type(ty, style).ok().map(|ty| ty.to_string())
        }
    }
}
