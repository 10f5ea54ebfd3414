//! Why an operator has no wrapper: the codes of the skip report.
//!
//! Invariant: a released code keeps its meaning, and every code has a hint.

/// A reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    NoMetadata,
    NotRequired,
    NoTemplate,
    FirstArgNotTensor,
    UnsupportedType,
    WritesArguments,
    ExtraBackendArgs,
    AmbiguousMapping,
    LossyArguments,
    ShapeFailed,
    ViewDtype,
    ManualInBody,
    CompositeImplicit,
}

impl Reason {
    /// All of them, in the order of reports.
    pub(super) const ALL: [Reason; 13] = [
        Reason::NoMetadata,
        Reason::NotRequired,
        Reason::NoTemplate,
        Reason::FirstArgNotTensor,
        Reason::UnsupportedType,
        Reason::WritesArguments,
        Reason::ExtraBackendArgs,
        Reason::AmbiguousMapping,
        Reason::LossyArguments,
        Reason::ShapeFailed,
        Reason::ViewDtype,
        Reason::ManualInBody,
        Reason::CompositeImplicit,
    ];

    /// Its code.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Reason::NoMetadata => "no_metadata",
            Reason::NotRequired => "not_required",
            Reason::NoTemplate => "no_template",
            Reason::FirstArgNotTensor => "first_arg_not_tensor",
            Reason::UnsupportedType => "unsupported_type",
            Reason::WritesArguments => "writes_arguments",
            Reason::ExtraBackendArgs => "extra_backend_args",
            Reason::AmbiguousMapping => "ambiguous_mapping",
            Reason::LossyArguments => "lossy_arguments",
            Reason::ShapeFailed => "shape_failed",
            Reason::ViewDtype => "view_dtype",
            Reason::ManualInBody => "manual_in_body",
            Reason::CompositeImplicit => "composite_implicit",
        }
    }

    /// What to do about it.
    pub(super) fn hint(self) -> &'static str {
        match self {
            Reason::NoMetadata => "add an entry to `ops:`",
            Reason::NotRequired => "PyTorch has a kernel for it; drop --required-only to replace it",
            Reason::NoTemplate => "name a template of the run",
            Reason::FirstArgNotTensor => "use `template: factory` if it makes a tensor, or `template: custom`",
            Reason::UnsupportedType => "use `template: custom`, or `fallback` to run it on the CPU",
            Reason::WritesArguments => "use `template: custom`",
            Reason::ExtraBackendArgs => "give the parameter a value with `extra:`, or name its argument with `map:`",
            Reason::AmbiguousMapping => "name the argument with `map:`",
            Reason::LossyArguments => "check the argument with `guard:`, or list it under `drop:`",
            Reason::ShapeFailed => "set `shape:`",
            Reason::ViewDtype => "a view as another type needs a kernel of the backend's own",
            Reason::ManualInBody => "the body file registers it",
            Reason::CompositeImplicit => {
                "PyTorch computes it, and its derivative, from other operators; serve those, or write `composite: true`"
            }
        }
    }
}
