// ${generated_comment}
#if 0
${view_inverse_declarations}
#endif
