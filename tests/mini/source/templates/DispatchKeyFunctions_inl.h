// ${generated_comment}
#if 0
${dispatch_namespace}
${DispatchKeyFunctions_inl_includes}
${dispatch_namespaced_declarations}
#endif
