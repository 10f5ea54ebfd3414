// ${generated_comment}
#if 0
${ops_headers}
${func_definitions}
${func_registrations}
#endif
