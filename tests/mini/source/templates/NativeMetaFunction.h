// ${generated_comment}
#if 0
${meta_function_declarations}
#endif
