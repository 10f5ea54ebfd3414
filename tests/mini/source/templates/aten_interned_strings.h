// ${generated_comment}
#if 0
${aten_symbols}
${attr_symbols}
#endif
