// ${generated_comment}
#if 0
${operator_headers}
${static_dispatch_extra_headers}
${definitions}
#endif
