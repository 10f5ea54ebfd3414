// ${generated_comment}
#if 0
${ops_headers}
${backend_select_method_definitions}
${backend_select_function_registrations}
#endif
