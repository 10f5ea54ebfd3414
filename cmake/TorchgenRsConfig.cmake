# CMake functions for operator libraries made with torchgen-rs.
#
# find_package(TorchgenRs) finds this file where `torchgen-rs cmake-module DIR` put it; it can also
# be included by its path. It defines
#
#     torchgen_add_library(<target>
#       [SOURCE_PATH <dir>]      where native_functions.yaml is; default: the current source directory
#       [OUTPUT_PATH <dir>]      where generated files go; default: generated/ in the current binary directory
#       KERNELS <file>...        the kernels, which you write
#       [PACKAGE <name>]         also make the Python package, with the library in it, and install both
#       [PYTHON <file>...]       Python modules of your own for the package, such as fakes
#       [OPTIONS <flag>...]      further flags for `torchgen-rs generate`
#       [REUSE_FROM <target>])   use that target's precompiled header; it needs the same compile options
#
#     torchgen_add_sources(
#       TARGET <target>          gets the generated sources, and the directory of the headers
#       FAMILY <name>            graph-ir, op-builders, …: the command, which is also the `family:` of the YAML
#       SOURCES <path>...        YAML files, or directories of them
#       [OUTPUT_PATH <dir>]      where generated files go; default: <target>_<name>/ in the current binary directory
#       [OPTIONS <flag>...])     further flags for the command
#
# and the target TorchgenRs::torch: the headers and libraries of the torch that Python imports.
# find_package(Torch) is not used, because it requires a CUDA toolkit even if none is needed.
#
# torch's headers are precompiled; -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON turns this off.
#
# CUDA kernels (.cu) are compiled if CMake finds a toolkit and torch supports CUDA: call
# torchgen_enable_cuda() before torchgen_add_library(), from the same directory or a parent.
# Otherwise .cu files are left out, and nothing is registered for CUDA.
if(CMAKE_VERSION VERSION_LESS 3.26)
  message(FATAL_ERROR "TorchgenRs needs CMake 3.26 or newer")
endif()
include_guard(GLOBAL)

find_program(TORCHGEN_RS torchgen-rs DOC "The torchgen-rs program"
             PATHS "${CMAKE_CURRENT_LIST_DIR}/../../../bin" "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")
if(NOT TORCHGEN_RS)
  message(FATAL_ERROR "torchgen-rs is not in PATH. `pip install .` or `cargo install --path .` in its checkout installs it, "
                      "-DTORCHGEN_RS=FILE names it, and a Python build lists it in build-system.requires.")
endif()

# Asks Python about torch. The answers are cached until torch changes, because importing it takes
# seconds.
function(_torchgen_ask_torch)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  set(identity "${Python_EXECUTABLE}")
  if(TORCHGEN_TORCH_VERSION_FILE)
    file(TIMESTAMP "${TORCHGEN_TORCH_VERSION_FILE}" changed)
    string(APPEND identity " ${changed}")
  endif()
  if(DEFINED TORCHGEN_TORCH_IDENTITY AND TORCHGEN_TORCH_IDENTITY STREQUAL identity)
    return()
  endif()
  execute_process(
    COMMAND "${Python_EXECUTABLE}" -c [=[
import torch
from torch.utils import cpp_extension
version = [torch.__version__.split("+")[0]]
lists = [version, cpp_extension.include_paths(), cpp_extension.library_paths(), [torch.version.cuda or ""], [torch.version.__file__]]
print("|".join(";".join(entries) for entries in lists), end="")
]=]
    OUTPUT_VARIABLE said ERROR_VARIABLE error RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${Python_EXECUTABLE} cannot import torch; set Python_EXECUTABLE to one that can:\n${error}")
  endif()
  if(NOT said MATCHES "^([^|]*)[|]([^|]*)[|]([^|]*)[|]([^|]*)[|]([^|]*)$")
    message(FATAL_ERROR "${Python_EXECUTABLE} does not describe torch: ${said}")
  endif()
  set(TORCHGEN_TORCH_VERSION "${CMAKE_MATCH_1}" CACHE INTERNAL "The version of torch")
  set(TORCHGEN_TORCH_INCLUDES "${CMAKE_MATCH_2}" CACHE INTERNAL "Directories of torch's headers")
  set(TORCHGEN_TORCH_LIBRARIES "${CMAKE_MATCH_3}" CACHE INTERNAL "Directories of torch's libraries")
  set(TORCHGEN_TORCH_CUDA "${CMAKE_MATCH_4}" CACHE INTERNAL "The version of CUDA that torch was built with")
  set(TORCHGEN_TORCH_VERSION_FILE "${CMAKE_MATCH_5}" CACHE INTERNAL "What changes when torch does")
  file(TIMESTAMP "${TORCHGEN_TORCH_VERSION_FILE}" changed)
  set(TORCHGEN_TORCH_IDENTITY "${Python_EXECUTABLE} ${changed}" CACHE INTERNAL "Whom the above was asked, and when")
  message(STATUS "torch ${TORCHGEN_TORCH_VERSION} of ${Python_EXECUTABLE}")
endfunction()

# Makes TorchgenRs::torch.
function(torchgen_find_torch)
  if(TARGET TorchgenRs::torch)
    return()
  endif()
  _torchgen_ask_torch()
  if(TORCHGEN_TORCH_VERSION VERSION_LESS 2.15)
    message(FATAL_ERROR "torch 2.15 or newer is needed, but ${Python_EXECUTABLE} imports torch ${TORCHGEN_TORCH_VERSION}")
  endif()
  add_library(TorchgenRs::torch INTERFACE IMPORTED GLOBAL)
  target_compile_features(TorchgenRs::torch INTERFACE cxx_std_20)
  target_include_directories(TorchgenRs::torch INTERFACE ${TORCHGEN_TORCH_INCLUDES})
  _torchgen_link(TorchgenRs::torch INTERFACE torch_cpu c10)
  if(UNIX AND NOT APPLE)
    # A name that torch does not export is an error when the library is linked, not when it is
    # loaded.
    target_link_options(TorchgenRs::torch INTERFACE "LINKER:-z,defs")
  endif()
endfunction()

# Links libraries of torch by their paths.
function(_torchgen_link target scope)
  foreach(name IN LISTS ARGN)
    find_library(library ${name} PATHS ${TORCHGEN_TORCH_LIBRARIES} NO_DEFAULT_PATH NO_CACHE REQUIRED)
    target_link_libraries(${target} ${scope} "${library}")
    unset(library)
  endforeach()
endfunction()

# Enables CUDA if a toolkit is found. It is a macro, because a language can only be enabled in the
# caller's scope.
macro(torchgen_enable_cuda)
  torchgen_find_torch()
  include(CheckLanguage)
  if(TORCHGEN_TORCH_CUDA)
    check_language(CUDA)
  endif()
  if(NOT TORCHGEN_TORCH_CUDA)
    message(STATUS "torch ${TORCHGEN_TORCH_VERSION} does not support CUDA: kernels for CUDA are left out")
  elseif(NOT CMAKE_CUDA_COMPILER)
    message(STATUS "No CUDA toolkit is found: kernels for CUDA are left out")
  else()
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
  endif()
endmacro()

function(torchgen_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE_PATH;OUTPUT_PATH;PACKAGE;REUSE_FROM" "KERNELS;PYTHON;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchgen_add_library does not know: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_KERNELS)
    message(FATAL_ERROR "torchgen_add_library(${target}) needs KERNELS")
  endif()
  if(NOT arg_SOURCE_PATH)
    set(arg_SOURCE_PATH "${CMAKE_CURRENT_SOURCE_DIR}")
  endif()
  if(NOT arg_OUTPUT_PATH)
    set(arg_OUTPUT_PATH "${CMAKE_CURRENT_BINARY_DIR}/generated")
  endif()
  cmake_path(ABSOLUTE_PATH arg_SOURCE_PATH NORMALIZE)
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_PATH BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  torchgen_find_torch()

  set(options --per-operator-headers ${arg_OPTIONS})
  if(arg_PACKAGE)
    list(APPEND options --python-package ${arg_PACKAGE})
  else()
    list(APPEND options --generate headers sources autograd)
  endif()
  # Entries for PyTorch's operators, and calls in formulas, are checked against the torch to build with.
  cmake_path(GET TORCHGEN_TORCH_VERSION_FILE PARENT_PATH torch_path)
  cmake_path(GET torch_path PARENT_PATH torch_path)
  if(EXISTS "${torch_path}/torchgen/packaged/ATen/native/native_functions.yaml"
     OR EXISTS "${torch_path}/aten/src/ATen/native/native_functions.yaml")
    list(APPEND options --torch-path "${torch_path}")
  endif()

  # A dry run lists the outputs. An edit of the YAML may change the list, so it makes CMake run
  # again.
  set(generate "${TORCHGEN_RS}" generate --source-path "${arg_SOURCE_PATH}" --install-dir "${arg_OUTPUT_PATH}" ${options})
  set(lists "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.torchgen")
  execute_process(COMMAND ${generate} --dry-run --output-dependencies "${lists}/torchgen_outputs.cmake"
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "torchgen-rs reports errors in ${arg_SOURCE_PATH}:\n\n${error}")
  endif()
  include("${lists}/torchgen_outputs.cmake")
  file(GLOB inputs CONFIGURE_DEPENDS "${arg_SOURCE_PATH}/*.yaml" "${arg_SOURCE_PATH}/derivatives_manual.h")
  file(GLOB_RECURSE templates CONFIGURE_DEPENDS "${arg_SOURCE_PATH}/templates/*.j2")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs} ${templates} "${TORCHGEN_RS}")
  add_custom_command(
    OUTPUT ${torchgen_outputs}
    COMMAND ${generate} --depfile "${lists}/torchgen.d"
    DEPFILE "${lists}/torchgen.d"
    DEPENDS ${inputs} ${templates} "${TORCHGEN_RS}"
    COMMENT "Generating ${target} with torchgen-rs"
    VERBATIM)
  add_custom_target(${target}_generated DEPENDS ${torchgen_outputs})

  set(sources ${torchgen_outputs})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(kernels ${arg_KERNELS})
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT "CUDA" IN_LIST languages)
    list(FILTER kernels EXCLUDE REGEX "\\.cu$")
    list(FILTER sources EXCLUDE REGEX "/Register[A-Za-z]*CUDA\\.cpp$")
  endif()
  add_library(${target} SHARED ${sources} ${kernels})
  add_dependencies(${target} ${target}_generated)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${arg_OUTPUT_PATH}/include>" PRIVATE "${arg_SOURCE_PATH}")
  target_link_libraries(${target} PUBLIC TorchgenRs::torch)
  # Without a macro of its own, so that other targets can use its precompiled header.
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
  if(arg_REUSE_FROM)
    target_precompile_headers(${target} REUSE_FROM ${arg_REUSE_FROM})
  else()
    target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<ATen/ATen.h$<ANGLE-R>>"
                              "$<$<COMPILE_LANGUAGE:CXX>:<torch/library.h$<ANGLE-R>>")
  endif()
  set(cuda_kernels ${kernels})
  list(FILTER cuda_kernels INCLUDE REGEX "\\.cu$")
  if(cuda_kernels)
    _torchgen_link(${target} PUBLIC c10_cuda torch_cuda)
    target_link_libraries(${target} PUBLIC CUDA::cudart)
    # The flags of torch's own kernels: functions for host and device, and only torch's conversions
    # of half floats.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--expt-extended-lambda>")
    foreach(macro __CUDA_NO_HALF_OPERATORS__ __CUDA_NO_HALF_CONVERSIONS__ __CUDA_NO_BFLOAT16_CONVERSIONS__ __CUDA_NO_HALF2_OPERATORS__)
      target_compile_definitions(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${macro}>")
    endforeach()
  endif()
  if(arg_PACKAGE)
    _torchgen_python_package(${target} ${arg_PACKAGE} "${arg_OUTPUT_PATH}" "${torchgen_outputs}" "${arg_PYTHON}")
  endif()
endfunction()

function(torchgen_add_sources)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;FAMILY;OUTPUT_PATH" "SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchgen_add_sources does not know: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(name TARGET FAMILY SOURCES)
    if(NOT arg_${name})
      message(FATAL_ERROR "torchgen_add_sources needs ${name}")
    endif()
  endforeach()
  if(NOT TARGET ${arg_TARGET})
    message(FATAL_ERROR "torchgen_add_sources: the target ${arg_TARGET} does not exist")
  endif()
  if(NOT arg_OUTPUT_PATH)
    set(arg_OUTPUT_PATH "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}_${arg_FAMILY}")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_PATH BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)

  # An edit of the YAML may change the list of files, so it makes CMake run again.
  set(generate "${TORCHGEN_RS}" ${arg_FAMILY} --install-dir "${arg_OUTPUT_PATH}" ${arg_OPTIONS})
  set(inputs "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    list(APPEND generate --source-path "${source}")
    if(IS_DIRECTORY "${source}")
      file(GLOB found CONFIGURE_DEPENDS "${source}/*.yaml" "${source}/*.yml")
      list(APPEND inputs ${found})
    else()
      list(APPEND inputs "${source}")
    endif()
  endforeach()
  set(lists "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${arg_TARGET}_${arg_FAMILY}.torchgen")
  execute_process(COMMAND ${generate} --dry-run --output-dependencies "${lists}/torchgen_outputs.cmake"
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "torchgen-rs ${arg_FAMILY} reports errors:\n\n${error}")
  endif()
  include("${lists}/torchgen_outputs.cmake")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs} "${TORCHGEN_RS}")
  add_custom_command(
    OUTPUT ${torchgen_outputs}
    COMMAND ${generate} --depfile "${lists}/torchgen.d"
    DEPFILE "${lists}/torchgen.d"
    DEPENDS ${inputs} "${TORCHGEN_RS}"
    COMMENT "Generating ${arg_TARGET}'s sources with torchgen-rs ${arg_FAMILY}"
    VERBATIM)
  target_sources(${arg_TARGET} PRIVATE ${torchgen_outputs})
  target_include_directories(${arg_TARGET} PUBLIC "$<BUILD_INTERFACE:${arg_OUTPUT_PATH}>")
endfunction()

# The package in the build tree is complete: it can be imported with the output path's python/ in
# PYTHONPATH.
function(_torchgen_python_package target package output outputs modules)
  set(dir "${output}/python/${package}")
  set(copies "")
  foreach(file IN LISTS modules)
    cmake_path(ABSOLUTE_PATH file)
    cmake_path(GET file FILENAME name)
    add_custom_command(OUTPUT "${dir}/${name}" COMMAND "${CMAKE_COMMAND}" -E copy "${file}" "${dir}/${name}" DEPENDS "${file}" VERBATIM)
    list(APPEND copies "${dir}/${name}")
  endforeach()
  add_custom_target(${target}_python ALL DEPENDS ${copies})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${package} LIBRARY_OUTPUT_DIRECTORY "${dir}" RUNTIME_OUTPUT_DIRECTORY "${dir}")
  if(APPLE)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "@loader_path/../torch/lib")
  elseif(UNIX)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../torch/lib")
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION "${package}" RUNTIME DESTINATION "${package}")
  list(FILTER outputs INCLUDE REGEX "/python/${package}/")
  install(FILES ${outputs} ${copies} DESTINATION "${package}")
  # For other libraries that call these operators from C++.
  install(DIRECTORY "${output}/include/" DESTINATION "${package}/include" FILES_MATCHING PATTERN "*.h")
endfunction()
