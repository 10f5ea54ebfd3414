//! The class of an autograd function, its methods, and the kernels that apply it.
//!
//! Invariant: a method is the text of a body in C++, whatever language its source is in, and each
//! byte of it has a place in the source.

use serde::Deserialize;

use super::values::{Reason, whole};

/// A class; those of a Python file are as its reader writes them.
#[derive(Debug, Deserialize)]
pub(in super::super) struct Class {
    pub(super) name: String,
    /// As `FILE:LINE`.
    pub(super) place: String,
    /// Why it cannot be read, and where.
    pub(super) problem: Option<(String, String)>,
    pub(super) forward: Option<Method>,
    pub(super) backward: Option<Method>,
    /// The kernels that apply it.
    pub(super) kernels: Vec<Kernel>,
}

/// A kernel that applies a class.
#[derive(Debug, Deserialize)]
pub(super) struct Kernel {
    pub(super) operator: String,
    /// `None` if the class is the kernel by itself.
    pub(super) method: Option<Method>,
}

impl Class {
    /// Its methods, `forward` first.
    pub(super) fn methods(&self) -> Result<(&Method, &Method), Reason> {
        match (&self.problem, &self.forward, &self.backward) {
            (Some((place, message)), ..) => Err(whole(message.clone(), place)),
            (None, Some(forward), Some(backward)) => Ok((forward, backward)),
            _ => Err(whole("it lacks `forward` or `backward`".to_owned(), &self.place)),
        }
    }
}

/// A method of a class, or another function.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Method {
    /// What the methods of a class share; functions have none.
    pub(super) context: Option<String>,
    pub(super) parameters: Vec<String>,
    /// The last parameter is a list of all others.
    pub(super) is_list: bool,
    /// The body is made of Python.
    pub(super) is_python: bool,
    /// Its body as C++, with braces.
    pub(super) body: String,
    pub(super) file: String,
    /// The bytes of the body where lines of the source begin, and their numbers.
    pub(super) lines: Vec<(usize, usize)>,
}

impl Method {
    /// Where a byte of the body is, as `FILE:LINE`.
    pub(super) fn place(&self, at: usize) -> String {
        let behind = self.lines.partition_point(|(start, _)| *start <= at);
        let line = self.lines.get(behind.saturating_sub(1)).map_or(1, |(_, line)| *line);
        format!("{}:{line}", self.file)
    }
}
