// ${generated_comment}
#if 0
${tensor_method_declarations}
${tensor_method_definitions}
#endif
