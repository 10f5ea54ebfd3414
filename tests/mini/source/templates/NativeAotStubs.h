// ${generated_comment}
#if 0
${native_aot_stub_declarations}
#endif
