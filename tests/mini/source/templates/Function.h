// ${generated_comment}
#if 0
${static_dispatch_ops_headers}
${operator_includes}
${function_definitions}
#endif
