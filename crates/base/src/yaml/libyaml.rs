//! Parser events of libyaml, behind a safe interface, with offsets in bytes.
//!
//! libyaml is the parser behind PyYAML's loader, so its grammar and messages are the reference's.
//! Invariant: all unsafe code of the crate is in this file; the parser never outlives its input,
//! and nothing that it allocates leaves this file.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use libyaml_rs as sys;

use super::Style;

/// An event and its bytes.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Debug)]
pub(super) enum EventKind {
    /// The start or end of something that is ignored.
    Other,
    StreamEnd,
    DocumentStart,
    Alias(String),
    Scalar {
        value: String,
        style: Style,
        /// The type is resolved as for a plain scalar, whatever the style.
        plain: bool,
        properties: Properties,
    },
    SequenceStart {
        flow: bool,
        properties: Properties,
    },
    SequenceEnd,
    MappingStart {
        flow: bool,
        properties: Properties,
    },
    MappingEnd,
}

/// The anchor and tag of a node.
#[derive(Debug, Default)]
pub(super) struct Properties {
    pub(super) anchor: Option<String>,
    pub(super) tag: Option<String>,
}

/// Why parsing stopped, in libyaml's words.
#[derive(Debug)]
pub(super) struct SyntaxError {
    pub(super) problem: String,
    pub(super) at: usize,
    pub(super) context: Option<(String, usize)>,
}

/// The events of a text.
pub(super) struct Events<'t> {
    /// Boxed, because libyaml keeps pointers into it.
    parser: Box<MaybeUninit<sys::yaml_parser_t>>,
    text: PhantomData<&'t str>,
}

impl<'t> Events<'t> {
    /// Starts to read a text without a byte order mark. `None` if memory is short.
    pub(super) fn new(text: &'t str) -> Option<Events<'t>> {
        let mut parser = Box::new(MaybeUninit::<sys::yaml_parser_t>::uninit());
        // SAFETY: `initialize` fills the parser before anything else uses it. The input lives for
        // 't, which `Events` cannot outlive.
        unsafe {
            if sys::yaml_parser_initialize(parser.as_mut_ptr()).fail {
                return None;
            }
            sys::yaml_parser_set_encoding(parser.as_mut_ptr(), sys::YAML_UTF8_ENCODING);
            sys::yaml_parser_set_input_string(parser.as_mut_ptr(), text.as_ptr(), text.len() as u64);
        }
        Some(Events { parser, text: PhantomData })
    }

    /// The next event. Not to be called after an error or the end of the stream.
    pub(super) fn next(&mut self) -> Result<Event, SyntaxError> {
        let mut event = MaybeUninit::<sys::yaml_event_t>::uninit();
        // SAFETY: the parser is initialized; `parse` fills the event unless it fails, and `convert`
        // copies everything from it before it is deleted.
        unsafe {
            if sys::yaml_parser_parse(self.parser.as_mut_ptr(), event.as_mut_ptr()).fail {
                return Err(self.error());
            }
            let (start, end) = (event.assume_init_ref().start_mark.index, event.assume_init_ref().end_mark.index);
            let kind = convert(event.assume_init_ref());
            sys::yaml_event_delete(event.as_mut_ptr());
            Ok(Event { kind, start: offset(start), end: offset(end) })
        }
    }

    fn error(&self) -> SyntaxError {
        // SAFETY: the parser is initialized, and its messages are static strings of libyaml.
        unsafe {
            let parser = &*self.parser.as_ptr();
            let at = offset(parser.problem_mark.index);
            let context = string(parser.context.cast()).map(|text| (text, offset(parser.context_mark.index)));
            SyntaxError {
                problem: string(parser.problem.cast()).unwrap_or_else(|| "out of memory".to_owned()),
                at,
                context,
            }
        }
    }
}

impl Drop for Events<'_> {
    fn drop(&mut self) {
        // SAFETY: the parser is initialized, and not used afterwards.
        unsafe { sys::yaml_parser_delete(self.parser.as_mut_ptr()) }
    }
}

/// In this library marks count bytes, so they are offsets. (In the C library they count
/// characters.)
fn offset(mark: u64) -> usize {
    usize::try_from(mark).unwrap_or(usize::MAX)
}

/// Copies an event.
///
/// # Safety
/// The parser filled the event, which is not deleted yet; its type determines the valid member of
/// its union.
unsafe fn convert(event: &sys::yaml_event_t) -> EventKind {
    unsafe {
        match event.type_ {
            sys::YAML_STREAM_END_EVENT => EventKind::StreamEnd,
            sys::YAML_DOCUMENT_START_EVENT => EventKind::DocumentStart,
            sys::YAML_ALIAS_EVENT => EventKind::Alias(string(event.data.alias.anchor).unwrap_or_default()),
            sys::YAML_SCALAR_EVENT => {
                let scalar = &event.data.scalar;
                let bytes = std::slice::from_raw_parts(scalar.value, scalar.length as usize);
                let style = match scalar.style {
                    sys::YAML_SINGLE_QUOTED_SCALAR_STYLE => Style::SingleQuoted,
                    sys::YAML_DOUBLE_QUOTED_SCALAR_STYLE => Style::DoubleQuoted,
                    sys::YAML_LITERAL_SCALAR_STYLE => Style::Literal,
                    sys::YAML_FOLDED_SCALAR_STYLE => Style::Folded,
                    _ => Style::Plain,
                };
                let value = String::from_utf8_lossy(bytes).into_owned();
                EventKind::Scalar {
                    value,
                    style,
                    plain: scalar.plain_implicit,
                    properties: properties(scalar.anchor, scalar.tag),
                }
            }
            sys::YAML_SEQUENCE_START_EVENT => {
                let start = &event.data.sequence_start;
                let flow = start.style == sys::YAML_FLOW_SEQUENCE_STYLE;
                EventKind::SequenceStart { flow, properties: properties(start.anchor, start.tag) }
            }
            sys::YAML_SEQUENCE_END_EVENT => EventKind::SequenceEnd,
            sys::YAML_MAPPING_START_EVENT => {
                let start = &event.data.mapping_start;
                let flow = start.style == sys::YAML_FLOW_MAPPING_STYLE;
                EventKind::MappingStart { flow, properties: properties(start.anchor, start.tag) }
            }
            sys::YAML_MAPPING_END_EVENT => EventKind::MappingEnd,
            _ => EventKind::Other,
        }
    }
}

/// # Safety
/// Each is null or ends in a zero byte.
unsafe fn properties(anchor: *const u8, tag: *const u8) -> Properties {
    unsafe { Properties { anchor: string(anchor), tag: string(tag) } }
}

/// Copies a C string; `None` for null.
///
/// # Safety
/// The pointer is null or points to bytes that end in a zero byte.
unsafe fn string(bytes: *const u8) -> Option<String> {
    if bytes.is_null() {
        return None;
    }
    let bytes = unsafe { CStr::from_ptr(bytes.cast()) };
    Some(String::from_utf8_lossy(bytes.to_bytes()).into_owned())
}
