"""Drives the reference's library functions with the flags of `torchgen-rs autograd` and of PyTorch's `tools/setup_helpers/generate_code.py`.

    python3 reference_autograd.py autograd FLAGS
    python3 reference_autograd.py generate-code FLAGS

The wheel carries the functions but not the script that PyTorch's build calls them from; order and layout here are that script's, as its public
copies have them: Python bindings, C++, annotated arguments, bindings of the view classes. `torchgen` is imported from PYTHONPATH, the autograd
package from the directory that is given.
"""

import argparse
import importlib
import os
import sys


def selector_of(options: argparse.Namespace):
    from torchgen.selective_build.selector import SelectiveBuilder

    if options.selected_op_list_path is not None and options.operators_yaml_path is not None:
        sys.exit("--selected-op-list-path and --operators-yaml-path exclude each other")
    if options.operators_yaml_path is not None:
        return SelectiveBuilder.from_yaml_path(options.operators_yaml_path)
    if options.selected_op_list_path is not None:
        import yaml

        with open(options.selected_op_list_path) as file:
            names = {name.partition(".")[0] for name in yaml.safe_load(file)}
        return SelectiveBuilder.from_legacy_op_registration_allow_list(names, True, True)
    return SelectiveBuilder.get_nop_selector()


def autograd_modules(directory: str):
    """gen_autograd and gen_annotated_fn_args of the package in this directory, which is below the working directory."""
    package = directory.strip("/").replace("/", ".")
    return tuple(importlib.import_module(f"{package}.{name}") for name in ("gen_autograd", "gen_annotated_fn_args"))


def generate(options: argparse.Namespace, subsets: tuple[str, str, str], cpp_dir: str, python_dir: str) -> None:
    pybindings, libtorch, annotated = subsets
    inputs = (options.native_functions_path, options.tags_path)
    gen_autograd, gen_annotated_fn_args = autograd_modules(options.autograd_dir)
    for directory in (cpp_dir, python_dir):
        os.makedirs(directory, exist_ok=True)
    if options.subset in (None, pybindings):
        gen_autograd.gen_autograd_python(*inputs, cpp_dir, options.autograd_dir)
    if options.subset in (None, libtorch):
        selector = selector_of(options)
        gen_autograd.gen_autograd(*inputs, cpp_dir, options.autograd_dir, selector, disable_autograd=options.disable_autograd)
    if options.subset in (None, annotated):
        gen_annotated_fn_args.gen_annotated(*inputs, python_dir, options.autograd_dir)


def autograd(options: argparse.Namespace) -> None:
    generate(options, ("pybindings", "libtorch", "annotated"), options.install_dir, options.install_dir)


def generate_code(options: argparse.Namespace) -> None:
    from torchgen.gen_functionalization_type import gen_functionalization_view_meta_classes

    cpp_root = options.install_dir or os.path.join(options.gen_dir, "torch/csrc")
    python_dir = options.install_dir or os.path.join(options.gen_dir, "torch/testing/_internal/generated")
    generate(options, ("pybindings", "libtorch", "python"), os.path.join(cpp_root, "autograd", "generated"), python_dir)
    views_dir = os.path.join(cpp_root, "functionalization", "generated")
    os.makedirs(views_dir, exist_ok=True)
    source = os.path.dirname(os.path.dirname(options.native_functions_path))
    gen_functionalization_view_meta_classes(
        options.native_functions_path,
        options.tags_path,
        selector=selector_of(options),
        install_dir=views_dir,
        template_dir=os.path.join(source, "templates"),
    )
    if options.gen_lazy_ts_backend:
        from torchgen.dest.lazy_ir import GenTSLazyIR
        from torchgen.gen_lazy_tensor import run_gen_lazy_tensor

        lazy_dir = os.path.join(cpp_root, "lazy/generated")
        os.makedirs(lazy_dir, exist_ok=True)
        run_gen_lazy_tensor(
            source,
            os.path.join(source, "native/ts_native_functions.yaml"),
            lazy_dir,
            False,
            "torch/csrc/lazy/ts_backend/ts_native_functions.cpp",
            "TsNode",
            "torch/csrc/lazy/ts_backend/ts_node.h",
            backend_name="TorchScript",
            build_in_tree=True,
            lazy_ir_generator=GenTSLazyIR,
            per_operator_headers=options.per_operator_headers,
            gen_forced_fallback_code=True,
        )


def main() -> None:
    global __file__

    parser = argparse.ArgumentParser()
    parser.add_argument("entry", choices=["autograd", "generate-code"])
    parser.add_argument("--native-functions-path", default="aten/src/ATen/native/native_functions.yaml")
    parser.add_argument("--tags-path", default="aten/src/ATen/native/tags.yaml")
    parser.add_argument("--autograd-dir", default="tools/autograd")
    parser.add_argument("--install-dir", "--install_dir")
    parser.add_argument("--gen-dir", default=".")
    parser.add_argument("--subset")
    parser.add_argument("--disable-autograd", action="store_true")
    parser.add_argument("--selected-op-list-path")
    parser.add_argument("--operators-yaml-path", "--operators_yaml_path")
    parser.add_argument("--force-schema-registration", "--force_schema_registration", action="store_true")
    parser.add_argument("--gen-lazy-ts-backend", "--gen_lazy_ts_backend", action="store_true")
    parser.add_argument("--per-operator-headers", "--per_operator_headers", action="store_true")
    options = parser.parse_args()
    # The script's path goes into "@generated by" comments, so it must be the one that would have run.
    if options.entry == "autograd":
        __file__ = os.path.join(options.autograd_dir, "gen_autograd.py")
        autograd(options)
    else:
        __file__ = "tools/setup_helpers/generate_code.py"
        generate_code(options)


if __name__ == "__main__":
    main()
