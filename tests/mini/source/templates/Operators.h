// ${generated_comment}
#if 0
${Operators_includes}
${Operators_declarations}
#endif
