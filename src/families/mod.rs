//! The families: each turns records of its own into C++ or Python, in a folder of its own.
//!
//! Invariant: families never import each other; they share what lies outside this folder.

pub mod torch;
