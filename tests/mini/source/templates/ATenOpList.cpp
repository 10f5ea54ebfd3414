// ${generated_comment}
#if 0
${aten_ops}
#endif
