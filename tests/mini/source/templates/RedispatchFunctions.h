// ${generated_comment}
#if 0
${function_redispatch_definitions}
#endif
