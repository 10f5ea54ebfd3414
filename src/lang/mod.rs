//! Readers of sources: what C++ defines.

pub mod cpp;
