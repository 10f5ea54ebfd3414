// ${generated_comment}
#if 0
${enum_of_valid_tags}
#endif
