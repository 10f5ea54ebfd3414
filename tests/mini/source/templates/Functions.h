// ${generated_comment}
#if 0
${Functions_includes}
${Functions_declarations}
#endif
