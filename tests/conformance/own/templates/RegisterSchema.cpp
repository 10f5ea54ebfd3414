// ${generated_comment}; again: $generated_comment, and $generated_comment.
library(own, m) {
        // deeper
        ${aten_schema_registrations}
	$aten_schema_registrations
  inline: ${aten_schema_registrations} end
  before(0${,aten_schema_registrations}) after(${aten_schema_registrations,}0)
}
$schema_registrations
  ${schema_registrations} // text behind
a dollar: $ and $1 and $$ and ${ } stay
