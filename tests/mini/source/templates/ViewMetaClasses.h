// ${generated_comment}
#if 0
${view_meta_declarations}
#endif
