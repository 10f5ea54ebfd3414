#pragma once
// $generated_comment

$static_dispatch_ops_headers
    ${operator_includes}
namespace at {
  namespace deeper {
    $function_definitions

  }
}
