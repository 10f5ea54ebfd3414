// ${generated_comment}
#if 0
${MethodOperators_includes}
${MethodOperators_declarations}
#endif
