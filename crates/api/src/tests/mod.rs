//! Tests of the calling conventions. The reference computed the expected values.

mod conventions;
mod signatures;
mod stable;
mod translate;

use super::Locals;
use torchgen_kit::driver::data::Tables;
use torchgen_model::model::Language;
use torchgen_model::model::{FunctionSchema, NativeFunction};
use torchgen_model::parse;

const PLAIN: &str = "scale_shift(Tensor self, Scalar factor=1, *, float shift=0.5, bool[2] mask=True) -> Tensor";
const INTS: &str =
    "tile_to(Tensor self, SymInt[] sizes, int[2] stride=1, int[]? dims=None, SymInt? limit=None) -> Tensor";
const FACTORY: &str = "grid(SymInt[] size, float? step=None, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor";
const FACTORY_LONG: &str = "steps(int n, *, ScalarType dtype=long, Layout? layout=None, Device? device=None, bool? pin_memory=False) -> Tensor";
const OUT: &str = "split_norm.out(Tensor self, Tensor? weight=None, str mode='mean', *, Tensor(a!) value, Tensor(b!) norm) -> (Tensor(a!), Tensor(b!))";
const INPLACE: &str = "clip_(Tensor(a!) self, Scalar? lo=None, Generator? generator=None) -> Tensor(a!)";
const LISTS: &str = "gather_all(Tensor[] tensors, Tensor?[] indices, Scalar[] weights, str[] names) -> (Tensor[], int)";
const MUTABLE: &str = "update(Tensor self, Tensor(a!)? state, Tensor(b!)[] rest) -> ()";
const VIEW: &str = "windows(Tensor(a) self, SymInt width, int[]? dims=None, Tensor? weight=None) -> Tensor(a)[]";

const CONST_REF_AND_ILISTREF: Locals =
    Locals { use_const_ref_for_mutable_tensors: true, use_ilistref_for_tensor_lists: true };

fn func(schema: &str) -> FunctionSchema {
    parse::schema::parse(schema, Language::Torchgen, Tables::embedded())
        .or_else(|_| parse::schema::parse(schema, Language::C10, Tables::embedded()))
        .unwrap()
}

/// An operator of which only the schema matters.
fn op(schema: &str) -> NativeFunction {
    NativeFunction::of_schema("aten".into(), func(schema))
}
