// ${generated_comment}
#if 0
${meta_declaration}
${native_declaration}
${native_definitions}
#endif
