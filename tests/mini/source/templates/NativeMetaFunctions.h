// ${generated_comment}
#if 0
${NativeMetaFunctions_includes}
${NativeMetaFunctions_declarations}
#endif
