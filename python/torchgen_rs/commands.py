"""A function for each command of the program. Flags are keyword arguments.

``UPDATE_EXPECT=1 cargo test --test fast python_functions::`` writes this file. Each function raises
``TorchgenError`` if the command fails. Paths are relative to the current directory of the process.
"""

from __future__ import annotations

from ._calls import call

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from typing import Literal

    from .hooks import Hook
    from .results import Run

    _Path = str | os.PathLike[str]


def generate(
    *,
    source_path: _Path | Sequence[_Path] | None = None,
    install_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    generate: Literal["headers", "sources", "declarations_yaml", "autograd", "python"] | Sequence[Literal["headers", "sources", "declarations_yaml", "autograd", "python"]] | None = None,
    per_operator_headers: bool = False,
    layout: Literal["aten", "library"] | None = None,
    python_package: str | None = None,
    package_version: str | None = None,
    kernels: _Path | Sequence[_Path] | None = None,
    python_modules: _Path | Sequence[_Path] | None = None,
    torch_path: _Path | None = None,
    abi: Literal["unstable", "stable"] | None = None,
    torch_min: str | None = None,
    aoti_install_dir: _Path | None = None,
    headeronly_install_dir: _Path | None = None,
    native_aot_ops_dir: _Path | None = None,
    rocm: bool = False,
    mps: bool = False,
    xpu: bool = False,
    mtia: bool = False,
    static_dispatch_backend: str | Sequence[str] | None = None,
    update_aoti_c_shim: bool = False,
    extend_aoti_c_shim: bool = False,
    op_registration_whitelist: str | Sequence[str] | None = None,
    op_selection_yaml_path: _Path | None = None,
    backend_whitelist: str | Sequence[str] | None = None,
    skip_dispatcher_op_registration: bool = False,
    force_schema_registration: bool = False,
    autograd_dir: _Path | None = None,
    autograd_install_dir: _Path | None = None,
    torchgen_root: _Path | None = None,
    hooks: _Path | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
) -> Run:
    """Generate C++ from native_functions.yaml (replaces ``python -m torchgen.gen``).

    Args:
        source_path: YAML files, or directories of them. A directory with
            native/native_functions.yaml (ATen), or with native_functions.yaml (operator library). A
            library may have further directories, and files of operators; its settings are those of
            the first directory. In the directory of a library, the default is that directory.
            Default: ``aten/src/ATen``.
        install_dir: Directory to write to. In the directory of a library, the default is
            ``generated``. Default: ``build/aten/src/ATen``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        generate: What to generate. The default is headers, sources and declarations_yaml, and
            everything in an operator library.
        per_operator_headers: Write one set of headers per operator, in ops/.
        layout: Layout of the source path, if its files do not show it.
        python_package: Name of the Python package. The default is the last part of the namespace. A
            name with dots, such as ``my_package._ops``, is that of a package inside your own one.
        package_version: Version of the Python package, its ``__version__``. Without it, the package
            has none. CMake passes the version of the project.
        kernels: The sources of the library's kernels. They are compared with the YAML first.
            Kernels that C++ can convert to, such as those that take ``torch::Tensor&``, are
            declared as they are.
        python_modules: The Python modules of the library's package. Functions of ``fake:`` are
            looked for in them. The default is those in SOURCE_PATH/python and SOURCE_PATH.
        torch_path: Where torch is: a checkout, or a directory that it is installed in. That is a
            checkout of PyTorch, site-packages, or the package torch or torchgen in it. Without it,
            the environment's torch is used.
        abi: What the library needs of libtorch. The default is that of library.yaml, or unstable.
        torch_min: The oldest torch to work with, on the stable ABI. The default is that of
            library.yaml, or 2.10.
        aoti_install_dir: Directory of the AOTInductor C shims. Default:
            ``torch/csrc/inductor/aoti_torch/generated``.
        headeronly_install_dir: Directory of header-only files such as enum_tag.h. The default is
            INSTALL_DIR/core.
        native_aot_ops_dir: Directory of native-AOT declarations. They are in <op>/aot.py. The
            default is SOURCE_PATH/../../../torch/_native/ops; an empty string disables them.
        rocm: Use the headers of ROCm instead of those of CUDA.
        mps: Also register the MPS keys.
        xpu: Also register the XPU keys.
        mtia: Also register the MTIA key.
        static_dispatch_backend: Dispatch statically to these backends.
        update_aoti_c_shim: Rewrite the headers of the AOTInductor C shims instead of checking them.
        extend_aoti_c_shim: Generate the AOTInductor C shims of out-of-tree operators.
        op_registration_whitelist: Register only these operators: namespace::name, without
            overloads.
        op_selection_yaml_path: Register only the operators that this selective-build YAML selects.
        backend_whitelist: Generate only for these dispatch keys and the composite ones.
        skip_dispatcher_op_registration: Do not register operators.
        force_schema_registration: Register the schemas of all operators, selected or not.
        autograd_dir: Directory with derivatives.yaml, deprecated.yaml and templates/. For
            ``--generate autograd python`` in the ATen layout.
        autograd_install_dir: Directory for autograd's outputs in the ATen layout.
        torchgen_root: Directory that contains torchgen/. Comments with "@generated" name templates
            relative to it.
        hooks: YAML file with text to add to generated files. It can also replace and remove
            includes.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.

    Raises:
        TorchgenError: the command failed.
    """
    return call("generate", locals())


def autograd(
    *,
    native_functions_path: _Path,
    tags_path: _Path,
    autograd_dir: _Path,
    out_dir: _Path,
    subset: Literal["libtorch", "pybindings", "annotated"] | None = None,
    disable_autograd: bool = False,
    selected_op_list_path: _Path | None = None,
    operators_yaml_path: _Path | None = None,
    torchgen_root: _Path | None = None,
    dry_run: bool = False,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
) -> Run:
    """Generate autograd and the Python bindings from derivatives.yaml (replaces tools/autograd).

    Args:
        native_functions_path: Path of native_functions.yaml.
        tags_path: Path of tags.yaml.
        autograd_dir: Directory with derivatives.yaml, deprecated.yaml and templates/.
        out_dir: Directory to write to.
        subset: Generate only this part.
        disable_autograd: Do not generate VariableType, ADInplaceOrViewType and TraceType.
        selected_op_list_path: Generate only for the operators in this YAML list.
        operators_yaml_path: Generate only for the operators that this selective-build YAML selects.
        torchgen_root: Directory that contains torchgen/. Comments with "@generated" name templates
            relative to it.
        dry_run: List the files that a run would write, and write none of them.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.

    Raises:
        TorchgenError: the command failed.
    """
    return call("autograd", locals())


def generate_code(
    *,
    native_functions_path: _Path | None = None,
    tags_path: _Path | None = None,
    autograd_dir: _Path | None = None,
    gen_dir: _Path | None = None,
    install_dir: _Path | None = None,
    subset: Literal["libtorch", "pybindings", "python"] | None = None,
    disable_autograd: bool = False,
    selected_op_list_path: _Path | None = None,
    operators_yaml_path: _Path | None = None,
    force_schema_registration: bool = False,
    gen_lazy_ts_backend: bool = False,
    per_operator_headers: bool = False,
    torchgen_root: _Path | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
) -> Run:
    """Generate autograd to the paths that PyTorch's build expects (replaces
        tools/setup_helpers/generate_code.py).

    Args:
        native_functions_path: Path of native_functions.yaml. Default:
            ``aten/src/ATen/native/native_functions.yaml``.
        tags_path: Path of tags.yaml. Default: ``aten/src/ATen/native/tags.yaml``.
        autograd_dir: Directory with derivatives.yaml, deprecated.yaml and templates/. Default:
            ``tools/autograd``.
        gen_dir: Root of the tree to write to. Default: ``.``.
        install_dir: Directory to write to. Without it, files go to GEN_DIR/torch/csrc. With it,
            annotated_fn_args.py goes there too.
        subset: Generate only this part.
        disable_autograd: Do not generate VariableType, ADInplaceOrViewType and TraceType.
        selected_op_list_path: Generate only for the operators in this YAML list.
        operators_yaml_path: Generate only for the operators that this selective-build YAML selects.
        force_schema_registration: Accepted for PyTorch's build; has no effect, as in the reference.
        gen_lazy_ts_backend: Also generate the lazy TorchScript backend. Its YAML is
            native/ts_native_functions.yaml beside native_functions.yaml.
        per_operator_headers: Include per-operator headers; must match how ATen was built.
        torchgen_root: Directory that contains torchgen/. Comments with "@generated" name templates
            relative to it.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.

    Raises:
        TorchgenError: the command failed.
    """
    return call("generate-code", locals())


def backend_stubs(
    *,
    source_yaml: _Path,
    output_dir: _Path,
    output_dependencies: _Path | None = None,
    dry_run: str | bool = False,
    impl_path: _Path | Sequence[_Path] | None = None,
    torch_path: _Path | None = None,
    generated_by: str | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    hook: Hook | None = None,
    fingerprint: str | None = None,
) -> Run:
    """Generate declarations and registrations of an external backend's kernels (replaces ``python
        -m torchgen.gen_backend_stubs``).

    Args:
        source_yaml: YAML of the backend: its dispatch key and its operators.
        output_dir: Directory to write to. Sources include the header by this path, exactly as
            given.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. Takes an optional
            value; any value but an empty one enables it, even ``False``, as in the reference.
        impl_path: C++ source or directory that must define all kernels; can be repeated.
        torch_path: Where torch is: a checkout, or a directory that it is installed in. Without it,
            torch is searched for in the working directory, in the active environment, and in that
            of each python3 in PATH.
        generated_by: Name of the generating program in "@generated" comments. For projects that
            called the reference from a script of their own.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        hook: A function that decides what is generated for single operators: ``torchgen_rs.hooks``.
        fingerprint: What distinguishes the hook: runs with the same one can replace each other.

    Raises:
        TorchgenError: the command failed.
    """
    return call("backend-stubs", locals())


def lazy_tensor(
    *,
    source_yaml: _Path,
    output_dir: _Path,
    output_dependencies: _Path | None = None,
    dry_run: str | bool = False,
    impl_path: _Path | Sequence[_Path] | None = None,
    torch_path: _Path | None = None,
    generated_by: str | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    gen_ts_lowerings: bool = False,
    build_in_tree: bool = False,
    per_operator_headers: bool = False,
    gen_forced_fallback_code: bool = False,
    no_lazy_shape: bool = False,
    skip_shape_inference_check: bool = False,
    node_base: str | None = None,
    tensor_class: str | None = None,
    tensor_class_hdr: str | None = None,
    shape_inference_hdr: str | None = None,
    backend_name: str | None = None,
    backend_namespace: str | None = None,
    get_tensorlist: str | None = None,
    get_tensor_or_wrap_number: str | None = None,
    try_get_tensor: str | None = None,
    metrics_counter: str | None = None,
    create_tensor: str | None = None,
    create_aten_from_ltc_tensor: str | None = None,
    tuple_aten_from_ltc_tensors: str | None = None,
    lazy_value_class: str | None = None,
    lazy_tensor_ptr: str | None = None,
    get_device_fn: str | None = None,
    node_base_hdr: str | None = None,
    create_from_first_tensor: bool = False,
    hook: Hook | None = None,
    fingerprint: str | None = None,
) -> Run:
    """Generate a lazy backend: nodes, kernels and registrations (replaces
        torchgen.gen_lazy_tensor).

    Args:
        source_yaml: YAML of the backend: its dispatch key and its operators.
        output_dir: Directory to write to. Sources include the header by this path, exactly as
            given.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. Takes an optional
            value; any value but an empty one enables it, even ``False``, as in the reference.
        impl_path: C++ source or directory that must define all kernels; can be repeated.
        torch_path: Where torch is: a checkout, or a directory that it is installed in. Without it,
            torch is searched for in the working directory, in the active environment, and in that
            of each python3 in PATH.
        generated_by: Name of the generating program in "@generated" comments. For projects that
            called the reference from a script of their own.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        gen_ts_lowerings: Generate the lowering of nodes to TorchScript.
        build_in_tree: Include headers in angle brackets, as in PyTorch's own tree.
        per_operator_headers: Include per-operator headers; must match how ATen was built.
        gen_forced_fallback_code: Generate code that falls back to eager kernels on request.
        no_lazy_shape: Create nodes without shapes.
        skip_shape_inference_check: Do not check that the header of --shape-inference-hdr declares
            the shape functions.
        node_base: Name of the base class of nodes. Default: ``Node``.
        tensor_class: Name of the class of lazy tensors. Default: ``torch::lazy::LazyTensor``.
        tensor_class_hdr: Header that defines the class of lazy tensors. Default:
            ``torch/csrc/lazy/core/tensor.h``.
        shape_inference_hdr: Header that declares the shape functions, one per line. Default:
            ``torch/csrc/lazy/core/shape_inference.h``.
        backend_name: Name of the backend. Default: ``TorchScript``.
        backend_namespace: Namespace of the functions below whose names have no namespace. Default:
            ``torch::lazy``.
        get_tensorlist: Function that makes a value from a list of tensors. Default:
            ``GetTensorList``.
        get_tensor_or_wrap_number: Function that makes a lazy tensor from a tensor. Default:
            ``GetLtcTensorOrCreateForWrappedNumber``.
        try_get_tensor: Function that makes a lazy tensor from a tensor that may be undefined.
            Default: ``TryGetLtcTensor``.
        metrics_counter: Expression that counts calls of a kernel. Default:
            ``TORCH_LAZY_FN_COUNTER("lazy::")``.
        create_tensor: Function that makes a lazy tensor from a node. Default:
            ``LazyTensor::Create``.
        create_aten_from_ltc_tensor: Function that makes a tensor from a lazy one. Default:
            ``torch::lazy::CreateAtenFromLtcTensor``.
        tuple_aten_from_ltc_tensors: Function that makes a tuple of tensors from lazy ones. Default:
            ``torch::lazy::TupleAtenFromLtcTensors``.
        lazy_value_class: Type of values in the graph. Default: ``torch::lazy::Value``.
        lazy_tensor_ptr: Type of pointers to lazy tensors. Default: ``LazyTensorPtr``.
        get_device_fn: Function that returns the device of some tensors. Default:
            ``torch::lazy::GetBackendDevice``.
        node_base_hdr: Header that defines the base class of nodes.
        create_from_first_tensor: Make lazy tensors with a member function of the first tensor.
        hook: A function that decides what is generated for single operators: ``torchgen_rs.hooks``.
        fingerprint: What distinguishes the hook: runs with the same one can replace each other.

    Raises:
        TorchgenError: the command failed.
    """
    return call("lazy-tensor", locals())


def declarations(
    *,
    source_path: _Path | None = None,
    tags: _Path | None = None,
    out_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    layout: Literal["aten", "library"] | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
) -> Run:
    """Generate only Declarations.yaml and RegistrationDeclarations.h.

    Args:
        source_path: YAML files, or directories of them. A native_functions.yaml, or a directory
            with one. Default: ``aten/src/ATen``.
        tags: The tags.yaml. The default is the one beside native_functions.yaml; without one,
            PyTorch's tags.
        out_dir: Directory to write to. Default: ``generated``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        layout: Layout of the source path, if its files do not show it. That of a file is ``aten``.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.

    Raises:
        TorchgenError: the command failed.
    """
    return call("declarations", locals())


def diff(
    *,
    from_: str,
    to: str | None = None,
    for_: _Path | Sequence[_Path] | None = None,
    only: str | Sequence[str] | None = None,
    category: Literal["source", "python", "saved", "binary", "numerics"] | Sequence[Literal["source", "python", "saved", "binary", "numerics"]] | None = None,
    level: Literal["any", "risky", "breaking"] | None = None,
    markdown: bool = False,
    data_dir: _Path | Sequence[_Path] | None = None,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Show what changed between two versions of torch, and whom it breaks.

    Args:
        from_: The old torch: a version, PyTorch's files, or a revision of git. ``2.12`` needs no
            files. A path is that of a checkout, of a ``site-packages`` directory, or of the package
            ``torch`` or ``torchgen`` in it, and has formulas too. ``main`` is a revision of the
            checkout in this directory, which is read from git, and ``main...`` is the commit where
            the current branch left it.
        to: The new torch. The default is the newest version that the program knows, and for a
            revision the files in this directory.
        for_: Show only what touches a library, a backend's YAML, or the YAML of wrappers. Each
            change is at the place that it touches, with what to write. Can be repeated.
        only: Show only changes of these operators, separated by commas. With or without namespace
            and overload.
        category: Whom it breaks. Only changes that concern them count. The default is everybody.
        level: Least to show. Changes that break somebody fail the run, and with ``risky`` those
            that break some uses. Default: ``breaking``.
        markdown: Print Markdown to standard output. A table of the changes, for a comment on a pull
            request. The messages are printed as well.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("diff", locals())


def gen_unboxing(
    *,
    source_path: _Path | None = None,
    install_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    op_selection_yaml_path: _Path | None = None,
    op_registration_allowlist: str | Sequence[str] | None = None,
    TEST_ONLY_op_registration_allowlist_yaml_path: _Path | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
) -> Run:
    """Generate unboxing kernels, which take their arguments from the interpreter's stack (replaces
        tools/jit/gen_unboxing.py).

    Args:
        source_path: YAML files, or directories of them. The file is native/native_functions.yaml
            below a directory, with templates/ beside it. Default: ``aten/src/ATen``.
        install_dir: Directory to write to. Default: ``build/aten/src/ATen``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        op_selection_yaml_path: Generate only for the operators that this selective-build YAML
            selects.
        op_registration_allowlist: Generate only for these operators, such as ``aten::add``. An
            empty list means all.
        TEST_ONLY_op_registration_allowlist_yaml_path: Generate only for the operators in this YAML
            list.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.

    Raises:
        TorchgenError: the command failed.
    """
    return call("gen-unboxing", locals())


def gen_pyi(
    *,
    native_functions_path: _Path | None = None,
    tags_path: _Path | None = None,
    deprecated_functions_path: _Path | None = None,
    out: _Path | None = None,
    docs_dir: _Path | None = None,
    torch: str | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
) -> Run:
    """Generate stubs of PyTorch's modules in C++ (the job of tools/pyi/gen_pyi.py).

    Args:
        native_functions_path: Path of native_functions.yaml. Default:
            ``aten/src/ATen/native/native_functions.yaml``.
        tags_path: Path of tags.yaml. Default: ``aten/src/ATen/native/tags.yaml``.
        deprecated_functions_path: Path of deprecated.yaml. Default:
            ``tools/autograd/deprecated.yaml``.
        out: Directory to write to. Files are torch/_C/__init__.pyi, torch/nn/functional.pyi, …
            Default: ``.``.
        docs_dir: Directory with _torch_docs.py and _tensor_docs.py. The default is torch/ beside
            the templates.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.

    Raises:
        TorchgenError: the command failed.
    """
    return call("gen-pyi", locals())


def gen_static_runtime_ops(
    *,
    source_path: _Path | None = None,
    generated_ops_cpp_path: _Path | None = None,
    generated_ops_test_cpp_path: _Path | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Generate static runtime's operators (the job of
        torchgen.static_runtime.gen_static_runtime_ops).

    Args:
        source_path: YAML files, or directories of them. The file is native/native_functions.yaml
            below a directory, with native/tags.yaml beside it. Default: ``caffe2/aten/src/ATen``.
        generated_ops_cpp_path: File to write the operators to. Default:
            ``caffe2/torch/csrc/jit/runtime/static/generated_ops.cpp``.
        generated_ops_test_cpp_path: File to write their tests to. Default:
            ``caffe2/benchmarks/static_runtime/test_generated_ops.cc``.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("gen-static-runtime-ops", locals())


def gen_oplist(
    *,
    output_dir: _Path,
    model_file_list_path: str,
    allow_include_all_overloads: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Merge the selective-build YAML of several models (replaces
        tools/code_analyzer/gen_oplist.py).

    Args:
        output_dir: Directory to write to.
        model_file_list_path: Selective-build YAML of a model, or ``@FILE`` with the paths of
            several.
        allow_include_all_overloads: Accept selections that include all overloads of an operator.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("gen-oplist", locals())


def gen_operators_yaml(
    *,
    output_path: _Path,
    dep_graph_yaml_path: _Path,
    model_name: str,
    rule_name: str,
    root_ops: str | Sequence[str] | None = None,
    training_root_ops: str | Sequence[str] | None = None,
    model_versions: str | Sequence[str] | None = None,
    model_assets: str | Sequence[str] | None = None,
    model_backends: str | None = None,
    models_yaml_path: _Path | Sequence[_Path] | None = None,
    include_all_operators: bool = False,
    not_include_all_overloads_static_root_ops: bool = False,
    not_include_all_overloads_closure_ops: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Write the selective-build YAML of a model (replaces
        tools/code_analyzer/gen_operators_yaml.py).

    Args:
        output_path: File to write.
        dep_graph_yaml_path: YAML with the operators that each operator calls.
        model_name: Name of the model.
        rule_name: Name of the build rule that runs this command, for messages.
        root_ops: Operators that models call, separated by commas.
        training_root_ops: Operators that training calls, separated by commas.
        model_versions: Versions of the model, separated by commas.
        model_assets: Assets of the model, separated by commas [default: all].
        model_backends: Backends of the model; has no effect, as in the reference.
        models_yaml_path: YAML files with the operators and features that models use.
        include_all_operators: Include all operators.
        not_include_all_overloads_static_root_ops: Do not include all overloads of the operators
            that models call.
        not_include_all_overloads_closure_ops: Do not include all overloads of the operators that
            other operators call.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("gen-operators-yaml", locals())


def gen_op_registration_allowlist(
    *,
    root_ops: _Path,
    op_dependency: _Path | None = None,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Print the operators that a list of operators calls, directly or indirectly (replaces
        tools/code_analyzer/gen_op_registration_allowlist.py).

    Args:
        root_ops: YAML list of the operators that models call.
        op_dependency: YAML with the operators that each operator calls. Without it, only the
            operators of --root-ops are printed.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("gen-op-registration-allowlist", locals())


def gen_version_header(
    *,
    template_path: _Path,
    version_path: _Path,
    output_path: _Path,
    depfile: _Path | None = None,
    verify: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Write PyTorch's version to version.h (replaces tools/setup_helpers/gen_version_header.py).

    Args:
        template_path: Template, such as version.h.in.
        version_path: File with the version, such as version.txt.
        output_path: File to write.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("gen-version-header", locals())


def kernels(
    *,
    source_path: _Path | Sequence[_Path] | None = None,
    sources: _Path | Sequence[_Path] | None = None,
    only: str | Sequence[str] | None = None,
    write: bool = False,
    out_file: _Path | None = None,
    python_modules: _Path | Sequence[_Path] | None = None,
    json: bool = False,
    tests: _Path | bool = False,
    sharding: bool = False,
    python_package: str | None = None,
    abi: Literal["unstable", "stable"] | None = None,
    torch_path: _Path | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    verify: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Compare an operator library's kernels with its YAML, and write skeletons of the missing ones.

    Args:
        source_path: YAML files, or directories of them. A library may have further directories, and
            files of operators. Default: ``.``.
        sources: C++ sources with kernels, and directories of them. Directories are searched for
            .cpp, .cc, .cxx, .cu, .cuh, .h, .hpp, .mm and similar files. Headers that they
            ``#include`` by relative path are read too. The default is SOURCE_PATH/kernels.
        only: Only the kernels of these operators, separated by commas. Operators with or without
            namespace and overload.
        write: Write the skeletons of missing kernels instead of printing them. Those in C++ go to
            one file for each operator beside the sources, and those in Python to the modules that
            the YAML names. Existing files are appended to.
        out_file: File to write [default: standard output]. All skeletons in C++ go to it.
        python_modules: The Python modules of the library's package. Kernels in Python are looked
            for in them. The default is those in SOURCE_PATH/python and SOURCE_PATH.
        json: Print JSON instead of text. What the kernels do: for each its place, and the arguments
            that it mutates, returns, reads as numbers, makes contiguous and keeps, as far as its
            text shows it. Skeletons are not printed.
        tests: Write tests for operators that have none. They go to this directory; the default is
            SOURCE_PATH/tests. An operator has tests if a Python file there has its name: after a
            dot, in quotes, or in an import. Each of the others gets a file for pytest: opcheck,
            gradcheck and torch.compile. Lines of ``dims:`` are compared with their kernels by
            test_dims.py. Files that exist are not changed, and kernels are not compared.
        sharding: Write tests on DTensors too. They run the operators with ``dims:`` on 2 and on 4
            processes, and take a minute or more.
        python_package: Name of the Python package. Tests import it. The default is that of
            library.yaml, or the last part of the namespace.
        abi: What the library needs of libtorch. The default is that of library.yaml, or unstable.
        torch_path: Where torch is: a checkout, or a directory that it is installed in. That is a
            checkout of PyTorch, site-packages, or the package torch or torchgen in it. Without it,
            the environment's torch is used.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        verify: Write nothing, and fail if an output would change.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("kernels", locals())


def dev(
    dir: _Path | None = None,
    *,
    watch: bool = False,
    python: _Path | None = None,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Build the library of a project, and install it as editable into a Python environment.

    Args:
        dir: Directory of the project, with pyproject.toml and CMakeLists.txt. The default is this
            directory, or the nearest one above with both files.
        watch: Build again whenever a file of the project changes, until Ctrl-C. An error is shown,
            and the next change is awaited.
        python: The Python of the environment to install into. The default is the active
            environment, or ``.venv`` in the project.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("dev", locals(), positional=("dir",))


def test(
    dir: _Path | None = None,
    pytest: str | Sequence[str] | None = None,
    *,
    torch: str | Sequence[str] | None = None,
    python: _Path | Sequence[_Path] | None = None,
    environments: _Path | None = None,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Run the tests of a library's project with one or several versions of torch.

    Args:
        dir: Directory of the project, with pyproject.toml and CMakeLists.txt. The default is this
            directory, or the nearest one above with both files.
        pytest: Arguments for pytest, instead of the directory ``tests``.
        torch: Versions of torch: 2.13, 2.13.1, 2.10,2.15 or 2.10..2.15. Without it, the torch of
            the active environment, or those of --python.
        python: The Pythons of environments that have a torch already. They are used for their
            versions of torch, and nothing in them is changed. Without --torch, all of them are
            tested.
        environments: Where environments are kept [default: a cache of the user's].
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("test", locals(), positional=("dir", "pytest"))


def stable_ops(
    *,
    ops: str | Sequence[str],
    torch_min: str | None = None,
    namespace: str | None = None,
    out_file: _Path | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Generate a header with typed functions that call PyTorch's operators over the stable ABI.

    Args:
        ops: Operators, separated by commas, or ``all``; can be repeated. ``aten::cumsum`` means all
            its overloads, ``aten::cumsum.out`` one, and ``aten::cumsum.default`` the one without a
            name.
        torch_min: The oldest torch to work with, on the stable ABI. Default: ``2.10``.
        namespace: C++ namespace of the functions. Default: ``aten``.
        out_file: File to write [default: standard output].
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("stable-ops", locals())


def audit(
    libraries: _Path | Sequence[_Path] | None = None,
    *,
    torch_min: str | None = None,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Check that built libraries need nothing of libtorch but the stable ABI.

    Args:
        libraries: Libraries to read: ELF, Mach-O or PE; directories are searched [default: those in
            Python packages below build/].
        torch_min: The oldest torch to work with, on the stable ABI. Default: ``2.10``.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("audit", locals(), positional=("libraries",))


def adopt(
    sources: _Path | Sequence[_Path] | None = None,
    *,
    exclude: _Path | Sequence[_Path] | None = None,
    define: str | Sequence[str] | None = None,
    python_package: str | None = None,
    python: _Path | None = None,
    namespace: str | None = None,
    out_dir: _Path | None = None,
    write: bool = False,
    verify: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Write the YAML of a library that registers its operators by itself, and a report.

    Args:
        sources: Sources in C++ and Python that register operators; directories are searched.
        exclude: Files and directories to leave out, by their paths; can be repeated.
        define: A macro of your build, as ``NAME`` or ``NAME=VALUE``; can be repeated.
        python_package: Name of the Python package. It is imported, and what it registers with
            torch's dispatcher is read too.
        python: Interpreter that has torch and the package. It also parses sources in Python, and
            needs no torch for that. Default: ``python3``.
        namespace: Namespace of operators, where the source has a macro.
        out_dir: Directory to write to. By default it is ops/ beside the sources.
        write: Write the YAML and the report; files that exist stay.
        verify: Write nothing, and fail if an output would change. The YAML is compared with what
            the library registers: schemas by what they say.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("adopt", locals(), positional=("sources",))


def from_cpp(
    sources: _Path | Sequence[_Path],
    *,
    exclude: _Path | Sequence[_Path] | None = None,
    define: str | Sequence[str] | None = None,
    namespace: str | None = None,
    out_file: _Path | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    verify: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Write a native_functions.yaml of the operators that C++ sources register.

    Args:
        sources: C++ sources with TORCH_LIBRARY or STABLE_TORCH_LIBRARY blocks; directories are
            searched.
        exclude: Files and directories to leave out, by their paths; can be repeated.
        define: A macro of your build, as ``NAME`` or ``NAME=VALUE``; can be repeated.
        namespace: Namespace of operators, where the source has a macro.
        out_file: File to write [default: standard output].
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        verify: Write nothing, and fail if an output would change.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("from-cpp", locals(), positional=("sources",))


def graph_ir(
    *,
    source_path: _Path | Sequence[_Path] | None = None,
    out_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    support: str | None = None,
    only: Literal["nodes", "instructions"] | None = None,
    shards: str | None = None,
    against: str | None = None,
    emit: Literal["docs", "model", "self-test", "dot"] | Sequence[Literal["docs", "model", "self-test", "dot"]] | None = None,
) -> Run:
    """Generate a graph IR: classes of nodes and instructions, builders, lowering.

    Args:
        source_path: YAML files, or directories of them. The default is this directory, or the
            nearest one above with sources.
        out_dir: Directory to write to. Default: ``generated``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        support: Write the support library (``emit``), or include it from here. PATH is a header.
            Without the flag, the key ``support:`` of a file decides.
        only: Write only a part of the files.
        shards: Write the methods of nodes to this many sources, and those of instructions. Without
            the flag, a source has the methods of 250 classes at most. Over base classes of yours,
            it has all of them, since a build may have the list of files.
        against: Compare with an older state, and write ``ir_changes.md``. A path or a revision of
            the git repository, as for ``torchgen-rs breaking``.
        emit: Additional outputs to write, separated by commas.

    Raises:
        TorchgenError: the command failed.
    """
    return call("graph-ir", locals())


def op_builders(
    *,
    source_path: _Path | Sequence[_Path] | None = None,
    out_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    primitives: _Path | Sequence[_Path] | None = None,
    target: Literal["standalone", "migraphx"] | None = None,
    support: str | None = None,
    emit: Literal["docs", "model", "self-test"] | Sequence[Literal["docs", "model", "self-test"]] | None = None,
) -> Run:
    """Generate op builders (composite operators) in C++ from signatures and bodies.

    Args:
        source_path: YAML files, or directories of them. The default is this directory, or the
            nearest one above with sources.
        out_dir: Directory to write to. Default: ``generated``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        primitives: YAML file with additional primitive operators; can be repeated.
        target: The headers to compile the builders with. Default: ``standalone``.
        support: Write the support library (``emit``), or include it from here. PATH is a directory
            of headers. Default: ``emit``.
        emit: Additional outputs to write, separated by commas.

    Raises:
        TorchgenError: the command failed.
    """
    return call("op-builders", locals())


def tensor_ir(
    *,
    source_path: _Path | Sequence[_Path] | None = None,
    out_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    no_easy_build: bool = False,
    against: str | None = None,
    emit: Literal["docs", "model", "parser", "self-test", "skeletons"] | Sequence[Literal["docs", "model", "parser", "self-test", "skeletons"]] | None = None,
) -> Run:
    """Generate a tensor IR: classes of expressions and statements, builders, visitors, printer,
        parser.

    Args:
        source_path: YAML files, or directories of them. The default is this directory, or the
            nearest one above with sources.
        out_dir: Directory to write to. Default: ``generated``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        no_easy_build: Do not write easy_build.h, which has macros for builders.
        against: Compare with an older state, and write ``ir_changes.md``. A path or a revision of
            the git repository, as for ``torchgen-rs breaking``.
        emit: Additional outputs to write, separated by commas.

    Raises:
        TorchgenError: the command failed.
    """
    return call("tensor-ir", locals())


def wrappers(
    *,
    source_path: _Path | Sequence[_Path] | None = None,
    out_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    native_functions: _Path | None = None,
    torch_path: _Path | None = None,
    declarations: _Path | None = None,
    registration: _Path | None = None,
    metadata: _Path | None = None,
    backend_functions: _Path | None = None,
    body: _Path | None = None,
    on_missing: Literal["skip", "fallback", "native"] | None = None,
    pack: Literal["graph", "cpu"] | None = None,
    required_only: bool = False,
    coverage_min: int | None = None,
    all: bool = False,
    report: _Path | None = None,
    mock: bool = False,
    emit: Literal["stubs"] | Sequence[Literal["stubs"]] | None = None,
) -> Run:
    """Generate kernels of PyTorch's operators that call a backend's graph API.

    Args:
        source_path: YAML files, or directories of them. The default is this directory, or the
            nearest one above with sources.
        out_dir: Directory to write to. Default: ``generated``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        native_functions: PyTorch's native_functions.yaml, in place of that of the torch.
        torch_path: Where torch is: a checkout, or a directory that it is installed in. That is a
            checkout of PyTorch, site-packages, or the package torch or torchgen in it. Without it,
            the environment's torch is used.
        declarations: Declarations.yaml, in place of native_functions.yaml.
        registration: RegistrationDeclarations.h, which belongs to Declarations.yaml.
        metadata: Metadata.yaml of torch_spyre's generator, in place of that under ``legacy:``.
        backend_functions: The backend's functions, in place of those under ``legacy:``.
        body: C++ file that code is inserted into [default: ``body:`` of the YAML].
        on_missing: What becomes of operators without an entry. Default: ``skip``.
        pack: The code to generate. Default: ``graph``.
        required_only: Generate only for operators that PyTorch has no kernel for.
        coverage_min: Fail if fewer operators have code. Default: ``0``.
        all: List every operator of PyTorch in the report.
        report: Write the report to this file as well, as JSON.
        mock: Also write the backend's API on the CPU, and a test.
        emit: Additional outputs to write, separated by commas.

    Raises:
        TorchgenError: the command failed.
    """
    return call("wrappers", locals())


def generator(
    *,
    source_path: _Path | Sequence[_Path] | None = None,
    out_dir: _Path | None = None,
    output_dependencies: _Path | None = None,
    dry_run: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
    generator: _Path | None = None,
    set: str | Mapping[str, object] | Sequence[str | Mapping[str, object]] | None = None,
    against: _Path | None = None,
    test: bool = False,
    bless: bool = False,
    torch: str | None = None,
    torch_path: _Path | None = None,
    library: _Path | Sequence[_Path] | None = None,
    backend_yaml: _Path | None = None,
    emit: Literal["docs", "schema"] | Sequence[Literal["docs", "schema"]] | None = None,
    functions: Mapping[str, Callable[..., object]] | None = None,
    fingerprint: str | None = None,
) -> Run:
    """Run a generator of your own: a manifest and templates over PyTorch's model.

    Args:
        source_path: YAML files, or directories of them. The default is this directory, or the
            nearest one above with sources.
        out_dir: Directory to write to. Default: ``generated``.
        output_dependencies: Also write CMake lists of the outputs, next to this file.
        dry_run: List the files that a run would write, and write none of them. The lists of
            --output-dependencies are written.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.
        generator: A generator of your own: its folder, or its manifest. For YAML that does not name
            it.
        set: Set an option of the generator.
        against: Compare the files with those of this directory. None is written if one differs. The
            first difference of each file is an error at the line of the template that writes it.
        test: Run the tests in the generator's folder ``tests``.
        bless: Write what those tests make, in place of what they expected.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        torch_path: Where torch is: a checkout, or a directory that it is installed in. Its
            operators have derivatives and places. Without it, the operators are those that the
            program knows of the version.
        library: Also read the operators of this library.
        backend_yaml: Add the kernels of this YAML of an external backend.
        emit: Additional outputs to write, separated by commas.
        functions: Functions that templates call, by the names that the manifest has under
            ``python``. They get and return plain values.
        fingerprint: What distinguishes the functions: runs with the same one can replace each
            other.

    Raises:
        TorchgenError: the command failed.
    """
    return call("generator", locals())


def check(
    paths: _Path | Sequence[_Path] | None = None,
    *,
    layout: Literal["aten", "library"] | None = None,
    autograd_dir: _Path | None = None,
    op_selection_yaml_path: _Path | Sequence[_Path] | None = None,
    backend_yaml: _Path | Sequence[_Path] | None = None,
    abi: Literal["unstable", "stable"] | None = None,
    torch_min: str | None = None,
    kernels: _Path | Sequence[_Path] | None = None,
    torch_path: _Path | None = None,
    probe: str | bool = False,
    torch: str | None = None,
    source_path: _Path | Sequence[_Path] | None = None,
    changed: bool = False,
    fix: bool = False,
    unsafe_fixes: bool = False,
    diff: bool = False,
    data_dir: _Path | Sequence[_Path] | None = None,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Check all YAML files of directories, of any family, and write nothing.

    Args:
        paths: Files and directories to check, of any family. Those of one family are checked as one
            run would read them. Without any, that is aten/src/ATen if it exists, or this directory.
        layout: Layout of the source path, if its files do not show it.
        autograd_dir: Directory with derivatives.yaml, deprecated.yaml and templates/. In the ATen
            layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
        op_selection_yaml_path: Also check this selective-build YAML; can be repeated.
        backend_yaml: Also check this YAML of an external backend; can be repeated.
        abi: What the library needs of libtorch. Also check whether an operator library can be on
            this ABI.
        torch_min: The oldest torch to work with, on the stable ABI. The default is that of
            library.yaml, or 2.10.
        kernels: The sources of the library's kernels. What kernels do is compared with their
            schemas. The default is what library.yaml names, or SOURCE_PATH/kernels.
        torch_path: Where torch is: a checkout, or a directory that it is installed in. That is a
            checkout of PyTorch, site-packages, or the package torch or torchgen in it. Without it,
            the environment's torch is used.
        probe: Print words that hold and that ``dims:`` lacks, with this Python. The Python has the
            built package of the library, and is ``python3`` by default. Calls are cut along all
            named dimensions. What holds for the inputs that are tried is a hint, and no proof.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        source_path: YAML files, or directories of them. The same as [PATH]. A directory with
            native/native_functions.yaml (ATen), with native_functions.yaml (operator library), or
            with files that begin with ``family:``; or such a file.
        changed: The paths are changed files, as pre-commit passes them. Check each library and each
            directory of a family that one of them is in, one after the other. Other files are
            skipped.
        fix: Fix what has one right form: misspelt names, missing signs, deprecated forms. Write the
            files that change, and check them again.
        unsafe_fixes: Also apply the fixes that are only likely to be meant.
        diff: Write nothing, and print what would change.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("check", locals(), positional=("paths",))


def format(
    paths: _Path | Sequence[_Path] | None = None,
    *,
    changed: bool = False,
    range: str | None = None,
    stdin_filename: _Path | None = None,
    check: bool = False,
    diff: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Format YAML files: spaces, indentation, schemas and lists of names.

    Args:
        paths: YAML files and directories, or ``-`` for standard input. Of directories, the files
            below that torchgen-rs reads: those with PyTorch's names, those that begin with
            ``family:``, operators, and backends. The default is this directory.
        changed: The paths are changed files, as pre-commit passes them. Files that torchgen-rs does
            not read are skipped, as in directories.
        range: Format only the entries that have one of these lines, such as ``12`` or ``12-20``.
        stdin_filename: The name of standard input in messages.
        check: Write nothing, and fail if a file would change.
        diff: Write nothing, and print what would change.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("format", locals(), positional=("paths",))


def breaking(
    paths: _Path | Sequence[_Path] | None = None,
    *,
    against: str,
    source_path: _Path | Sequence[_Path] | None = None,
    category: Literal["source", "python", "saved", "binary", "numerics"] | Sequence[Literal["source", "python", "saved", "binary", "numerics"]] | None = None,
    level: Literal["any", "risky", "breaking"] | None = None,
    markdown: bool = False,
    data_dir: _Path | Sequence[_Path] | None = None,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Show what changed since an older state, and whom it breaks.

    Args:
        paths: Files and directories to compare; ``REVISION:PATH`` is one in git.
        against: The old state: a revision of the git repository, or a path. ``v1.0`` is a tag, a
            branch or a commit, in which the sources are where they are now; ``v1.0:ops`` has them
            in the directory ``ops``. A path that exists comes first. The revision is read without a
            checkout.
        source_path: YAML files, or directories of them.
        category: Whom it breaks. Only changes that concern them count. The default is everybody.
        level: Least to show. Changes that break somebody fail the run, and with ``risky`` those
            that break some uses. Default: ``breaking``.
        markdown: Print Markdown to standard output. A table of the changes, for a comment on a pull
            request. The messages are printed as well.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("breaking", locals(), positional=("paths",))


def explain(
    what: str | None = None,
    *,
    family: str | None = None,
    layout: Literal["aten", "library"] | None = None,
    autograd_dir: _Path | None = None,
    torch: str | None = None,
    source_path: _Path | None = None,
    format: Literal["text", "json", "svg", "dot"] | None = None,
    json: bool = False,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Explain an operator or a diagnostic code.

    Args:
        what: An operator (aten::add.Tensor, or add for all overloads), a node or builder of another
            family, or the id or name of a diagnostic code (TG0101). Without it, all codes are
            listed.
        family: A family, such as ``graph-ir``. That of the sources. The default is the one that the
            head of the YAML names.
        layout: Layout of the source path, if its files do not show it.
        autograd_dir: Directory with derivatives.yaml, deprecated.yaml and templates/. In the ATen
            layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        source_path: YAML files, or directories of them. A directory with
            native/native_functions.yaml (ATen) or native_functions.yaml (operator library), or the
            source of another family. Without it, that is aten/src/ATen if it exists, or this
            directory.
        format: What to print. Default: ``text``.
        json: Print JSON instead of text. The same as ``--format json``.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("explain", locals(), positional=("what",))


def model(
    *,
    family: str | None = None,
    only: str | Sequence[str] | None = None,
    outputs: bool = False,
    layout: Literal["aten", "library"] | None = None,
    autograd_dir: _Path | None = None,
    backend_yaml: _Path | None = None,
    lazy: bool = False,
    foreign: bool = False,
    also: Literal["kernels", "formulas"] | Sequence[Literal["kernels", "formulas"]] | None = None,
    torch: str | None = None,
    source_path: _Path | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
) -> Run:
    """Print the model as data: operators, groups, signatures, kernels, derivatives.

    Args:
        family: A family, such as ``graph-ir``. That of the sources. The default is the one that the
            head of the YAML names.
        only: Print only these, separated by commas. Operators with or without namespace and
            overload, or declarations of another family.
        outputs: Also print the generated files about each operator, with lines. Everything is
            generated once, and nothing is written.
        layout: Layout of the source path, if its files do not show it.
        autograd_dir: Directory with derivatives.yaml, deprecated.yaml and templates/. In the ATen
            layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
        backend_yaml: Add the kernels of this YAML of an external backend.
        lazy: Add the shape functions that a lazy backend must declare. Those of the operators under
            ``full_codegen`` of --backend-yaml; without it, those of all operators.
        foreign: Read the schemas of any YAML file, whatever else is in it. Each mapping with the
            key ``func`` declares an operator; no rule of libraries or of PyTorch applies. For the
            lists of other projects.
        also: Also print these: kernels, formulas. As things of their own, separated by commas:
            kernels, with the operators and keys that each serves, or formulas of derivatives, with
            what each differentiates and calls.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        source_path: YAML files, or directories of them. A directory with
            native/native_functions.yaml (ATen) or native_functions.yaml (operator library), or the
            source of another family. Without it, that is aten/src/ATen if it exists, or this
            directory; with --torch, the operators that the program knows of that version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.

    Raises:
        TorchgenError: the command failed.
    """
    return call("model", locals())


def docs(
    *,
    source_path: _Path | None = None,
    from_: str | None = None,
    site_dir: _Path | None = None,
    format: Literal["html", "markdown"] | None = None,
    outputs: bool = False,
    layout: Literal["aten", "library"] | None = None,
    autograd_dir: _Path | None = None,
    torch: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    data_dir: _Path | Sequence[_Path] | None = None,
    depfile: _Path | None = None,
    verify: bool = False,
    prune: bool = False,
    strict: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
    threads: int | None = None,
    timings: str | bool = False,
    force: bool = False,
) -> Run:
    """Write a site about what sources declare, or an explorer of PyTorch's operators.

    Args:
        source_path: YAML files, or directories of them.
        from_: The old torch: a version, PyTorch's files, or a revision of git. Pages of PyTorch's
            operators then show what changed since, as ``diff --from`` does, and one page lists all
            changes. Formulas are compared if both have files.
        site_dir: Directory to write to. Default: ``site``.
        format: What to write. Default: ``html``.
        outputs: Also list the generated files about each operator, with lines. Everything is
            generated once, and only the site is written.
        layout: Layout of the source path, if its files do not show it.
        autograd_dir: Directory with derivatives.yaml, deprecated.yaml and templates/. In the ATen
            layout. The default is SOURCE_PATH/../../../tools/autograd, if it exists.
        torch: Generate what this version of torch generates, such as 2.12. Without it, PyTorch's
            files show the version.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        data_dir: Extend the tool's tables of facts with those of the same name in this directory;
            can be repeated.
        depfile: Write a Makefile fragment that lists all inputs and outputs.
        verify: Write nothing, and fail if an output would change.
        prune: Remove files that an earlier run of the same command wrote and this one does not.
        strict: Treat warnings as errors.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.
        threads: Number of threads [default: one per core].
        timings: Print the time that each stage and each generator took. With a file, also write
            when each one ran, in the trace event format: open it in ui.perfetto.dev or
            chrome://tracing.
        force: Generate even if nothing changed since the last run.

    Raises:
        TorchgenError: the command failed.
    """
    return call("docs", locals())


def new(
    dir: _Path,
    *,
    family: Literal["library", "graph-ir", "op-builders", "tensor-ir", "wrappers", "generator"] | None = None,
    cuda: bool = False,
    abi: Literal["unstable", "stable"] | None = None,
    inside: str | None = None,
    torch_min: str | None = None,
    namespace: str | None = None,
    template_dir: _Path | Sequence[_Path] | None = None,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Create a project: an operator library, or with --family another family's.

    Args:
        dir: Directory of the new project; must be empty or not exist.
        family: A family, such as ``graph-ir``. That of the project. Default: ``library``.
        cuda: Add a CUDA kernel, compiled if a CUDA toolkit is found.
        abi: What the library needs of libtorch. A library on the stable ABI is built once for all
            versions of torch. One on libtorch's C++ API has less overhead in autograd, and C++
            formulas. Default: ``stable``.
        inside: Put the operators into this Python package of your own, as ``NAME._ops``. The
            project has its directory, ``src/NAME``. Without it, the package is generated as a
            whole.
        torch_min: The oldest torch to work with, on the stable ABI. The default is 2.10.
        namespace: Name of the project [default: the directory's name]. In an operator library, it
            is the namespace of the operators in YAML, C++ and torch.ops, and the name of the Python
            package.
        template_dir: Replace templates with those of the same name in this directory; can be
            repeated.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("new", locals(), positional=("dir",))


def cmake_module(
    dir: _Path,
    *,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Write the CMake module, for find_package(TorchgenRs).

    Args:
        dir: Directory to write to; find_package(TorchgenRs) searches PREFIX/share/cmake/TorchgenRs.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("cmake-module", locals(), positional=("dir",))


def json_schema(
    kind: Literal["native-functions", "library", "library-settings", "derivatives", "tags", "deprecated", "selective", "backend", "graph-ir", "op-builders", "tensor-ir", "wrappers", "generator", "model", "family-model", "diagnostics"] | None = None,
    *,
    generator: _Path | None = None,
    markdown: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Print the JSON Schema of a kind of YAML file, or of what other commands print as JSON.

    Args:
        kind: The kind of YAML file or output.
        generator: A generator of your own: its folder, or its manifest. Print the schema of its
            YAML, with the names of operators.
        markdown: Print Markdown to standard output. The keys for a reference page, in place of the
            JSON Schema.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("json-schema", locals(), positional=("kind",))


def list(
    what: Literal["operators"] | None = None,
    *,
    source_path: _Path | None = None,
    family: str | None = None,
    generator: _Path | None = None,
    json: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """List all generators: family, command, files, templates.

    Args:
        what: List what the project declares: its operators, nodes or builders. Without it, the
            generators of torchgen-rs. ``model`` prints the same as data.
        source_path: YAML files, or directories of them. The project of ``list operators``; the
            default is that of this directory.
        family: A family, such as ``graph-ir``. List only its generators; ``torch`` is PyTorch's.
        generator: A generator of your own: its folder, or its manifest. List what it has.
        json: Print JSON instead of text. One object for each generator.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("list", locals(), positional=("what",))


def lsp(
    *,
    stdio: bool = False,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Serve an editor: diagnostics while you type, hover, completion, renaming.

    Args:
        stdio: Talk over standard input and output; there is no other way.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("lsp", locals())


def completions(
    shell: Literal["bash", "elvish", "fish", "powershell", "zsh"],
    *,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Print the completions for a shell.

    Args:
        shell: The shell.
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("completions", locals(), positional=("shell",))


def man(
    dir: _Path | None = None,
    *,
    verbose: bool = False,
    max_errors: int | None = None,
) -> Run:
    """Print the manual page, or write those of all commands.

    Args:
        dir: Directory to write the pages of all commands to [default: print the program's own].
        verbose: Print more: the files that changed, and notes.
        max_errors: Maximum number of errors to show; 0 means no limit. Default: ``100``.

    Raises:
        TorchgenError: the command failed.
    """
    return call("man", locals(), positional=("dir",))
