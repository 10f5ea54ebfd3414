// ${generated_comment}
#if 0
${name}
${native_definitions}
#endif
