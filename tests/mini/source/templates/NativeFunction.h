// ${generated_comment}
#if 0
${extra_includes}
${native_function_declarations}
#endif
