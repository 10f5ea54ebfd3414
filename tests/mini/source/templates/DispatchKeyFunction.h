// ${generated_comment}
#if 0
${dispatch_namespace}
${dispatch_namespaced_declarations}
#endif
