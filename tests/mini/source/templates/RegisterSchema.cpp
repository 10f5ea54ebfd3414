// ${generated_comment}
#if 0
${aten_schema_registrations}
${schema_registrations}
#endif
