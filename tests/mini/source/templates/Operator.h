// ${generated_comment}
#if 0
${declarations}
#endif
