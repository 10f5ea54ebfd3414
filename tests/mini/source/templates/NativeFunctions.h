// ${generated_comment}
#if 0
${NativeFunctions_includes}
${NativeFunctions_declarations}
#endif
