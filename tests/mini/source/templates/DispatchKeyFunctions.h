// ${generated_comment}
#if 0
${inline_headers}
#endif
