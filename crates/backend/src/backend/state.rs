//! A backend as a thing whose changes are compared: its kernels by operator, and where they are
//! declared.
//!
//! Invariant: nothing of PyTorch is read, so that both states follow the same torch.

use std::path::Path;

use torchgen_base::yaml::{Options, Text};
use torchgen_generators::inputs;
use torchgen_kit::changes::{Fact, FactKind, Thing, kinds};
use torchgen_kit::driver::{JobError, Session};
use torchgen_model::changes;
use torchgen_model::parse::written_name;
use torchgen_model::records::{BackendRecord, FileKind, read_backend};

static KEY: FactKind = FactKind::flag(
    (&kinds::KERNEL_REMOVED, "THING was for the key `OLD`, and is for `NEW` now"),
    (&kinds::KERNEL_REMOVED, "THING is not for the key `OLD` any more"),
);
static SCOPE: FactKind = FactKind::flag(
    (&kinds::KERNEL_DECLARATION_CHANGED, "the kernels of THING were in `OLD`, and are in `NEW` now"),
    (&kinds::KERNEL_DECLARATION_CHANGED, "the kernels of THING are not in `OLD` any more"),
);
static KERNEL: FactKind = FactKind::new(
    (&kinds::KERNEL_ADDED, "THING has a kernel for `KEY` now"),
    (&kinds::KERNEL_REMOVED, "THING has no kernel for `KEY` any more"),
    (&kinds::KERNEL_CHANGED, "the kernel of THING for `KEY` was under `OLD:`, and is under `NEW:` now"),
);
static AUTOGRAD: FactKind = FactKind::flag(
    (&kinds::KERNEL_ADDED, "THING has a kernel for the gradient of `KEY` now"),
    (&kinds::KERNEL_REMOVED, "THING has no kernel for the gradient of `KEY` any more"),
);
static STRUCTURED: FactKind = FactKind::flag(
    (&kinds::KERNEL_DECLARATION_CHANGED, "the kernel of THING for `KEY` is structured now"),
    (&kinds::KERNEL_DECLARATION_CHANGED, "the kernel of THING for `KEY` is not structured any more"),
);
static META: FactKind = FactKind::flag(
    (&kinds::KERNEL_DECLARATION_CHANGED, "THING has a meta function of its own for `KEY` now"),
    (&kinds::KERNEL_DECLARATION_CHANGED, "THING has no meta function of its own for `KEY` any more"),
);
static REUSED: FactKind = FactKind::flag(
    (&kinds::KERNEL_DECLARATION_CHANGED, "THING uses PyTorch's kernel for `KEY` now"),
    (&kinds::KERNEL_DECLARATION_CHANGED, "THING does not use PyTorch's kernel for `KEY` any more"),
);
static SYMBOLIC: FactKind = FactKind::flag(
    (&kinds::KERNEL_DECLARATION_CHANGED, "the kernel of THING for `KEY` takes symbolic sizes now"),
    (&kinds::KERNEL_DECLARATION_CHANGED, "the kernel of THING for `KEY` does not take symbolic sizes any more"),
);
static NODE: FactKind = FactKind::flag(
    (&kinds::PROPERTY_CHANGED, "THING has the IR node `KEY` now"),
    (&kinds::PROPERTY_CHANGED, "THING does not have the IR node `KEY` any more"),
);
static SHIM: FactKind = FactKind::flag(
    (&kinds::SHIM_ADDED, "THING has a C shim for `KEY` now"),
    (&kinds::SHIM_REMOVED, "THING has no C shim for `KEY` any more"),
);
static GUARD: FactKind = FactKind::flag(
    (&kinds::PROPERTY_CHANGED, "the kernels of THING switch to the device of their arguments now"),
    (&kinds::PROPERTY_CHANGED, "the kernels of THING do not switch to the device of their arguments any more"),
);
static PRIMARY: FactKind = FactKind::flag(
    (&kinds::PROPERTY_CHANGED, "variants of THING are generated from out= kernels now"),
    (&kinds::PROPERTY_CHANGED, "variants of THING are not generated from out= kernels any more"),
);

/// What the YAML of a backend declares.
pub fn thing(path: &Path, session: &mut Session) -> Result<Thing, JobError> {
    let root = inputs::read_kind(session, path, Options::OPERATORS, FileKind::Backend)?;
    let record = read_backend(root, &mut session.diagnostics).ok_or(JobError::Input)?;
    let mut facts = facts(&record);
    if let Some(file) = &record.derivatives {
        let file = path.parent().unwrap_or(Path::new("")).join(file.as_str());
        for record in inputs::derivative_records(session, &file)? {
            let name = written_name(record.name.as_str());
            let of_operator = |fact: Fact| Fact { key: format!("{name}: {}", fact.key), ..fact };
            facts.extend(changes::of_record(&record).map(of_operator));
        }
    }
    let name = record.name.as_ref().unwrap_or(&record.backend);
    Ok(Thing {
        kind: "backend",
        name: name.as_str().to_owned(),
        place: Some(name.span()),
        text: format!("backend: {}", record.backend),
        facts,
        ..Thing::default()
    })
}

fn facts(record: &BackendRecord) -> Vec<Fact> {
    let fact = |of, key: &Text, value: &str| Fact {
        of,
        key: key.as_str().to_owned(),
        value: value.to_owned(),
        place: Some(key.span()),
    };
    let whole = |of, value: &str| Fact { of, key: String::new(), value: value.to_owned(), place: None };
    let class = record.class_name.as_ref().map_or_else(
        || format!("{}NativeFunctions", record.name.as_ref().unwrap_or(&record.backend)),
        ToString::to_string,
    );
    let mut found = vec![
        Fact { place: Some(record.backend.span()), ..whole(&KEY, record.backend.as_str()) },
        Fact {
            place: Some(record.cpp_namespace.span()),
            ..whole(&SCOPE, &format!("{}::{class}", record.cpp_namespace))
        },
    ];
    found.extend(record.device_guard.then(|| whole(&GUARD, "")));
    found.extend(record.use_out_as_primary.then(|| whole(&PRIMARY, "")));
    found.extend(record.supported.iter().map(|name| fact(&KERNEL, name, "supported")));
    found.extend(record.full_codegen.iter().map(|name| fact(&KERNEL, name, "full_codegen")));
    found.extend(record.autograd.iter().map(|name| fact(&AUTOGRAD, name, "")));
    found.extend(record.symint.iter().map(|name| fact(&SYMBOLIC, name, "")));
    for kernel in &record.kernels {
        let flags = [(&STRUCTURED, kernel.structured), (&META, kernel.define_meta), (&REUSED, kernel.reuse_impl)];
        found.extend(flags.into_iter().filter(|(_, set)| *set).map(|(of, _)| fact(of, &kernel.name, "")));
    }
    found.extend(record.ir_gen.iter().map(|name| fact(&NODE, name, "")));
    for node in &record.non_native {
        let name = written_name(node.func.as_str());
        found.push(Fact { key: name.to_owned(), ..fact(&NODE, &node.func, "") });
    }
    let shims = record.aoti_shim.iter().flat_map(|shim| &shim.operators);
    found.extend(shims.map(|name| fact(&SHIM, name, "")));
    found
}
