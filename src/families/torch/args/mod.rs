//! The flags of the commands for PyTorch's operators, as clap reads them.
//!
//! Invariant: plain data; commands make of it what generators get. Rule for the flags shared with the reference: torchgen/gen.py, `main`.

mod autograd;
mod backend;
mod check;
mod generate;
mod invocation;
mod kernels;
mod new;
mod unboxing;

pub use autograd::{AutogradArgs, AutogradSubset, GenerateCodeArgs, GenerateCodeSubset};
pub use backend::{BackendArgs, BackendStubsArgs, LazyNames, LazyTensorArgs};
pub use check::{CheckArgs, ExplainArgs, everything_of};
pub use generate::{GenerateArgs, LayoutChoice};
pub use kernels::KernelsArgs;
pub use new::NewLibraryArgs;
pub use unboxing::UnboxingArgs;
