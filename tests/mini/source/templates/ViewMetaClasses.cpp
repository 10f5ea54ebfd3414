// ${generated_comment}
#if 0
${op_headers}
${view_meta_implementations}
#endif
