//! `abi: stable`: an operator library whose shared object needs nothing of libtorch but the C shim
//! that every torch from the minimum on has.
//!
//! Data flows `Inputs -> kernels, calls -> view -> files`. Invariant: generated code calls
//! torch through `templates/torch/stable/calls` and torch's stable headers only. Kernels are called
//! with exactly the types of their declarations, which are those of the schemas.

mod composite;
mod headers;
mod kernels;
mod outputs;
mod sources;
mod structured;
mod view;

use crate::library::Serves::{Own, OwnOrSchemas, OwnOrStock};
use crate::library::{Flavor, Inputs, LibraryGenerator, entry_lints, shared_kernels};
use crate::stable::ops::select::select_named;
use crate::stable::{check, python};
use torchgen_base::diag::Diagnostics;
use torchgen_generators::OutputKind::{Headers, Python, Sources};
use torchgen_generators::{Generator, info};
use torchgen_model::codes;

/// Libraries on the stable ABI.
pub const FLAVOR: Flavor = Flavor { generators: GENERATORS, lints, package: python::outer };

/// All generators, in the order in which files are listed.
#[rustfmt::skip]
pub const GENERATORS: &[LibraryGenerator] = &[
    Generator { info: info!("generate", "stable/library", "public headers of a library on the stable ABI", &["include/<ns>/Functions.h"]), when: (Headers, Own), run: headers::public },
    Generator { info: info!("generate", "stable/library", "declarations of kernels on the stable ABI", &["include/<ns>/Types.h", "include/<ns>/NativeFunctions.h", "include/<ns>/Boxing.h", "include/<ns>/TorchOps.h"]), when: (Headers, OwnOrStock), run: headers::native },
    Generator { info: info!("generate", "stable/library", "schemas of a library on the stable ABI, and kernels of generated variants", &["src/RegisterSchema.cpp", "src/CompositeKernels.cpp"]), when: (Sources, OwnOrSchemas), run: sources::schemas },
    Generator { info: info!("generate", "stable/library", "registration of kernels on the stable ABI", &["src/Register<Key>.cpp"]), when: (Sources, OwnOrStock), run: sources::kernels },
    Generator { info: info!("generate", "stable/python", "the Python package of a library on the stable ABI", &["python/<package>/__init__.py", "python/<package>/_ops.py", "python/<package>/_ops.pyi", "python/<package>/py.typed", "python/<package>/_tags.py", "python/<package>/_autograd.py", "python/<package>/_formulas.py", "python/<package>/_fakes.py"]), when: (Python, Own), run: python::package },
];

/// What the stable ABI cannot carry, and what holds for every library.
fn lints(inputs: &Inputs, diagnostics: &mut Diagnostics) {
    let ctx = &inputs.context;
    // On the stable ABI these have lints of their own.
    let other = [&codes::KERNEL_NOT_SYMBOLIC, &codes::META_MISSING];
    let common = entry_lints(ctx, &inputs.autograd).into_iter().filter(|lint| !other.contains(&lint.code));
    diagnostics.extend(common);
    diagnostics.extend(shared_kernels(ctx));
    diagnostics.extend(select_named(&inputs.settings.torch_ops, inputs.settings.torch_min, ctx.target.tables).1);
    check::check(ctx.functions, ctx.indices, inputs.settings.torch_min, diagnostics);
    diagnostics.extend(python::check_formulas(inputs));
    check::check_schemas(ctx.schema_only, inputs.settings.torch_min, ctx.target.tables, diagnostics);
}
