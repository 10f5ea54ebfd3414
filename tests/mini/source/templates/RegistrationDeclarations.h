// ${generated_comment}
#if 0
${registration_declarations}
#endif
