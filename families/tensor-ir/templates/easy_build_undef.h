// torchgen_comment
//
// Takes the macros of easy_build.h away, so that those of another IR can take their place.
#undef TORCHGEN_SUPPORT_for_
#undef TORCHGEN_SUPPORT_named_for_
#undef TORCHGEN_SUPPORT_nested_for_
#undef TORCHGEN_SUPPORT_iter_var_
#undef TORCHGEN_SUPPORT_if_
#undef TORCHGEN_SUPPORT_else_
#undef TORCHGEN_SUPPORT_function_
#undef TORCHGEN_SUPPORT_bind_
#undef TORCHGEN_SUPPORT_decl_func_
#undef TORCHGEN_SUPPORT_arg_
#undef TORCHGEN_SUPPORT_varg_
#undef TORCHGEN_SUPPORT_var_
#undef TORCHGEN_SUPPORT_var_ex_
#undef TORCHGEN_SUPPORT_var_init_
#undef TORCHGEN_SUPPORT_var_init_copy_
#undef TORCHGEN_SUPPORT_module_var_
#undef TORCHGEN_SUPPORT_global_var_
#undef TORCHGEN_SUPPORT_tensor_
#undef TORCHGEN_SUPPORT_module_tensor_
#undef TORCHGEN_SUPPORT_global_tensor_
#undef TORCHGEN_SUPPORT_evaluate_call_
#undef TORCHGEN_SUPPORT_return_
