//! External backends.

pub mod check;
