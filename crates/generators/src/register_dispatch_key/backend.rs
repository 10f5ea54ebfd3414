//! The properties of a dispatch key that its wrappers depend on.
//!
//! Invariant: templates see these properties, never the key itself, so one set of fragments works
//! for every key and namespace.

use super::given::Given;
use crate::Context;
use crate::native_functions::export_of_key;
use torchgen_api::{Mode, SymInts};
use torchgen_base::yaml::Text;
use torchgen_model::model::aten_keys::{NewTensors, aten_key};
use torchgen_model::model::rules::Rules;
use torchgen_model::model::{BackendIndex, DispatchKey};
use torchgen_model::records::GuardsRecord;

/// The functions that make a tensor of given sizes, without strides and with them.
#[derive(Debug, Clone, serde::Serialize)]
pub(crate) struct Empty {
    pub(crate) empty: String,
    pub(crate) empty_strided: String,
    /// The options for them, made from `options`.
    pub(crate) options: &'static str,
}

impl Empty {
    fn new(key: DispatchKey, made_by: NewTensors) -> Empty {
        let function = match made_by {
            NewTensors::Own => |name: &str, key: &str| format!("at::detail::{name}_{key}"),
            NewTensors::Dispatched => |name: &str, _: &str| format!("at::{name}"),
        };
        let lower = key.lower();
        let [empty, empty_strided] = ["empty", "empty_strided"].map(|name| function(name, &lower));
        Empty {
            empty,
            empty_strided,
            options: if key == DispatchKey::Meta { "options.device(at::kMeta)" } else { "options" },
        }
    }
}

/// What wrappers call things that check devices and switch between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Guards<'a> {
    /// The function that compares the device of a tensor with that of those before.
    pub(crate) check: &'a str,
    /// The class of the guard that is set to the device of a tensor, which may not be there.
    pub(crate) optional: &'a str,
    /// The class of the guard that is set to the device of a tensor that is to be made.
    pub(crate) always: &'a str,
}

impl Guards<'_> {
    /// PyTorch's, from within its namespace.
    const AT: Guards<'static> = Guards {
        check: "c10::impl::check_and_update_common_device",
        optional: "OptionalDeviceGuard",
        always: "DeviceGuard",
    };
    /// The same from elsewhere.
    const OUTSIDE: Guards<'static> =
        Guards { optional: "at::OptionalDeviceGuard", always: "at::DeviceGuard", ..Guards::AT };
}

/// A dispatch key to make wrappers for.
pub struct Backend<'a> {
    /// The key that kernels are registered for.
    pub(crate) key: DispatchKey,
    /// Its kernels. The index has the key `Undefined` if there are none, and then no wrapper is
    /// derived for the key.
    pub(crate) index: &'a BackendIndex,
    /// The functions that make outputs of structured kernels, if they are known.
    pub(crate) empty: Option<Empty>,
    /// Whether tensors can be resized: some operator may have out arguments.
    pub(crate) resizes: bool,
    /// The header that declares those functions, below `ATen`; `None` if they are operators.
    pub(crate) empty_header: Option<&'a str>,
    /// The type of the guard that structured kernels hold.
    pub(crate) guard: Option<&'a str>,
    /// Whether the guard is set to the outputs' device, which must be the same for all.
    pub(crate) guards_outputs: bool,
    /// The device has a context that factory functions must initialise.
    pub(crate) lazy_init: bool,
    /// Sizes may be symbolic: no kernel computes with them.
    pub(crate) symbolic: bool,
    /// How wrappers and the functions that call them spell SymInts.
    pub(crate) sym_ints: SymInts,
    /// The class of out-of-tree kernels.
    pub(crate) kernel_class: Option<&'a str>,
    /// What else wrappers call to check and switch devices.
    pub guards: Guards<'a>,
    /// The qualifier of names in namespace `at`: empty, or the namespace.
    pub(crate) at: &'static str,
    /// The macro that exports the key's functions.
    pub(crate) export: &'a str,
    /// What the caller of the program wrote for the operator.
    pub given: Option<&'a Given>,
}

impl<'a> Backend<'a> {
    /// How to translate in a wrapper.
    pub(crate) fn mode(&self) -> Mode {
        Mode { outside_at: !self.at.is_empty(), ..Mode::default() }
    }

    /// The key as ATen knows it. Rule: torchgen/dest/register_dispatch_key.py.
    pub(crate) fn aten(ctx: &Context<'a>, key: DispatchKey) -> Self {
        let index = ctx.indices.get(key);
        let known = aten_key(index.dispatch_key, ctx.target.tables);
        let on_hip = index.dispatch_key == DispatchKey::CUDA && ctx.flags.rocm;
        let empty_header = known.and_then(|row| row.header.as_deref());
        let guard = known.and_then(|row| row.guard.as_deref());
        let masquerades = on_hip && Rules::of_tables(ctx.target.tables).hip_masquerades_as_cuda;
        Backend {
            key,
            index,
            empty: known.and_then(|row| Some(Empty::new(row.key, row.new_tensors?))),
            resizes: known.is_none_or(|row| row.resizes),
            empty_header: if on_hip { Some("hip/EmptyTensor.h") } else { empty_header },
            guard: if masquerades { Some("c10::hip::OptionalHIPGuardMasqueradingAsCUDA") } else { guard },
            guards_outputs: known.is_some_and(|row| row.guards_outputs),
            lazy_init: index.dispatch_key.is_cuda(),
            symbolic: false,
            sym_ints: SymInts::Kept,
            kernel_class: None,
            guards: Guards::AT,
            at: "",
            export: export_of_key(ctx, index),
            given: None,
        }
    }

    /// The key by itself: kernels may be members of a class, and signatures need not have SymInts.
    pub fn alone(ctx: &Context<'a>, key: DispatchKey, class: Option<&'a str>, sym_ints: SymInts) -> Self {
        Backend { kernel_class: class, sym_ints, ..Backend::aten(ctx, key) }
    }

    /// The key of a backend outside ATen, whose kernels are members of a class.
    pub fn external(ctx: &Context<'a>, key: DispatchKey, class: &'a str) -> Self {
        let backend = Backend { kernel_class: Some(class), ..Backend::aten(ctx, key) };
        let structured = backend.index.index.values().any(|kernel| kernel.structured);
        if !structured || backend.empty.is_some() {
            return backend;
        }
        // Not in the reference, which has structured kernels only for its own keys.
        let empty = Empty::new(key, NewTensors::Dispatched);
        Backend { empty: Some(empty), guard: Some("c10::OptionalDeviceGuard"), guards_outputs: true, ..backend }
    }

    /// With what a backend calls in place of PyTorch's functions and classes.
    pub fn guarded_by(self, own: &'a GuardsRecord) -> Self {
        let or = |own: &'a Option<Text>, stock: &'a str| own.as_ref().map_or(stock, Text::as_str);
        let guards = Guards {
            check: or(&own.check, self.guards.check),
            optional: or(&own.optional, self.guards.optional),
            always: or(&own.always, self.guards.always),
        };
        let guard = self.guard.map(|stock| or(&own.optional, stock));
        Backend { guards, guard, ..self }
    }

    /// The key in an operator library: any key can have structured kernels, and names of `at` must
    /// be qualified.
    pub fn library(ctx: &Context<'a>, key: DispatchKey) -> Self {
        use DispatchKey::*;
        let index = ctx.indices.get(key);
        let on_device = !matches!(key, CPU | Meta);
        // The dispatcher finds the backend of any device.
        let empty = Empty::new(key, if on_device { NewTensors::Dispatched } else { NewTensors::Own });
        Backend {
            key,
            index,
            empty: Some(empty),
            resizes: key != CompositeExplicitAutogradNonFunctional,
            empty_header: None,
            guard: on_device.then_some("c10::OptionalDeviceGuard"),
            guards_outputs: on_device,
            lazy_init: false,
            symbolic: matches!(key, Meta | CompositeExplicitAutogradNonFunctional),
            sym_ints: SymInts::Kept,
            kernel_class: None,
            guards: Guards::OUTSIDE,
            at: "at::",
            export: &ctx.namespaces.export,
            given: None,
        }
    }

    /// The meta functions of structured groups are enough to make wrappers; there are no kernels.
    pub(crate) fn needs_no_kernels(&self) -> bool {
        matches!(self.index.dispatch_key, DispatchKey::Meta | DispatchKey::CompositeExplicitAutogradNonFunctional)
    }

    /// The namespace of the key's functions: its name in lower case.
    pub(crate) fn namespace(&self) -> String {
        self.key.lower()
    }
}
