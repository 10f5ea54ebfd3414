// ${generated_comment}
ops = {${aten_ops}};
  ${aten_ops}
