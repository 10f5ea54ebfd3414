# CMake functions for operator libraries made with torchgen-rs.
#
# find_package(TorchgenRs) finds this file where `torchgen-rs cmake-module DIR` put it; it can also
# be included by its path. It defines
#
#     torchgen_add_library(<target>
#       [SOURCE_PATH <path>...]  where native_functions.yaml is; default: the current source directory. More
#                                directories and files of operators may follow
#       [OUTPUT_PATH <dir>]      where generated files go; default: generated/ in the current binary directory
#       KERNELS <file>...        the kernels, which you write; they are compared with the YAML first
#       [NO_KERNEL_CHECK]        not if they are defined where the comparison does not see them
#       [CUDA <choice>]          whether .cu kernels are compiled: REQUIRED, OPTIONAL or OFF; see below
#       [PACKAGE <name>]         also make the Python package, with the library in it, and install both;
#                                several namespaces are packages in it. `mine._ops` is a package
#                                inside your own one, mine
#       [VERSION <version>]      `__version__` of the package; default: that of scikit-build-core, which is the
#                                distribution's, or of project()
#       [PYTHON <file>...]       Python modules of your own for the package, such as fakes
#       [OPTIONS <flag>...]      further flags for `torchgen-rs generate`
#       [ABI stable|unstable]    what the library needs of libtorch; default: `abi:` of library.yaml, or unstable
#       [TORCH_MIN <version>]    the oldest torch, on the stable ABI; default: `torch_min:` of library.yaml, or 2.10
#       [REUSE_FROM <target>])   use that target's precompiled header; it needs the same compile options
#
#     torchgen_add_sources(
#       TARGET <target>          gets the generated sources, and the directory of the headers
#       FAMILY <name>            graph-ir, op-builders, …: the command, which is also the `family:` of the YAML
#       SOURCES <path>...        YAML files, or directories of them
#       [OUTPUT_PATH <dir>]      where generated files go; default: <target>_<name>/ in the current binary directory
#       [OPTIONS <flag>...])     further flags for the command
#
#     torchgen_add_backend(<target>
#       YAML <file>              the operators of a backend, as `torchgen-rs backend-stubs` reads it
#       KERNELS <file>...        the kernels, which you write; they are compared with the YAML first
#       [NO_KERNEL_CHECK]        not if they are defined where the comparison does not see them
#       [SOURCES <file>...]      further sources of the library, such as those of the device
#       [OUTPUT_PATH <dir>]      where generated files go; default: <target>_backend/ in the current binary directory
#       [OPTIONS <flag>...])     further flags for the command
#
#     torchgen_find_torch()      for code that includes torch's headers without torchgen_add_library
#
# and the target TorchgenRs::torch: the headers and libraries of the torch that Python imports,
# which must be 2.13 or newer. A library on the stable ABI uses TorchgenRs::stable instead, which
# takes any torch from the library's minimum on.
# TORCHGEN_TORCH_PATH is the directory that torch is installed in, for `--torch-path`.
# find_package(Torch) is not used, because it requires a CUDA toolkit even if none is needed.
#
# With -DTORCHGEN_PCH=ON, the torch headers of generated sources are precompiled, for who edits the
# YAML all day: that takes 15 seconds once, and saves 4 in each edit. Later libraries of the build
# with the same flags share them. Kernels do not include them: those that kernels need take less
# time than reading what is precompiled. -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON turns it off too.
#
# A library with kernels for CUDA says what happens where they cannot be compiled, because torch
# does not support CUDA or no toolkit is found. CUDA REQUIRED is an error then, and CUDA OPTIONAL a
# warning: the .cu files are left out, and nothing is registered for CUDA. CUDA OFF always leaves
# them out. -DTORCHGEN_CUDA=<choice> decides for all libraries of a build. Libraries in a directory
# below need torchgen_enable_cuda([<choice>]) in the project's first CMakeLists.txt, or CUDA among
# the languages of project().
#
# Kernels are compiled for CMAKE_CUDA_ARCHITECTURES. If it is not set, the environment's
# TORCH_CUDA_ARCH_LIST decides, as it does for torch.utils.cpp_extension; else the architectures
# that torch itself was built for. CMAKE_CUDA_ARCHITECTURES=native selects the GPU of this machine.
#
# With a torch for ROCm, .cu files are not translated: list .hip files, which CMake compiles as HIP.
# What is registered for CUDA serves ROCm too, as in torch. No test has run this with a toolkit.
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
architectures = torch._C._cuda_getArchFlags() if torch.version.cuda else ""
lists = [version, cpp_extension.include_paths(), cpp_extension.library_paths(), [torch.version.cuda or ""],
         [torch.version.__file__], [torch.version.hip or ""], (architectures or "").split()]
print("|".join(";".join(entries) for entries in lists), end="")
]=]
    OUTPUT_VARIABLE said ERROR_VARIABLE error RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${Python_EXECUTABLE} cannot import torch; set Python_EXECUTABLE to one that can:\n${error}")
  endif()
  if(NOT said MATCHES "^([^|]*)[|]([^|]*)[|]([^|]*)[|]([^|]*)[|]([^|]*)[|]([^|]*)[|]([^|]*)$")
    message(FATAL_ERROR "${Python_EXECUTABLE} does not describe torch: ${said}")
  endif()
  set(TORCHGEN_TORCH_VERSION "${CMAKE_MATCH_1}" CACHE INTERNAL "The version of torch")
  set(TORCHGEN_TORCH_INCLUDES "${CMAKE_MATCH_2}" CACHE INTERNAL "Directories of torch's headers")
  set(TORCHGEN_TORCH_LIBRARIES "${CMAKE_MATCH_3}" CACHE INTERNAL "Directories of torch's libraries")
  set(TORCHGEN_TORCH_CUDA "${CMAKE_MATCH_4}" CACHE INTERNAL "The version of CUDA that torch was built with")
  set(TORCHGEN_TORCH_VERSION_FILE "${CMAKE_MATCH_5}" CACHE INTERNAL "What changes when torch does")
  set(TORCHGEN_TORCH_HIP "${CMAKE_MATCH_6}" CACHE INTERNAL "The version of ROCm that torch was built with")
  set(TORCHGEN_TORCH_ARCHITECTURES "${CMAKE_MATCH_7}" CACHE INTERNAL "The GPU architectures that torch was built for")
  file(TIMESTAMP "${TORCHGEN_TORCH_VERSION_FILE}" changed)
  set(TORCHGEN_TORCH_IDENTITY "${Python_EXECUTABLE} ${changed}" CACHE INTERNAL "Whom the above was asked, and when")
  message(STATUS "torch ${TORCHGEN_TORCH_VERSION} of ${Python_EXECUTABLE}")
endfunction()

# Makes TorchgenRs::stable: torch's headers, and its shared library by name, without anything that a version of it adds.
function(_torchgen_find_stable)
  if(TARGET TorchgenRs::stable)
    return()
  endif()
  _torchgen_ask_torch()
  add_library(TorchgenRs::stable INTERFACE IMPORTED GLOBAL)
  target_compile_features(TorchgenRs::stable INTERFACE cxx_std_20)
  target_include_directories(TorchgenRs::stable INTERFACE ${TORCHGEN_TORCH_INCLUDES})
  _torchgen_link(TorchgenRs::stable INTERFACE torch_cpu)
  if(UNIX AND NOT APPLE)
    target_link_options(TorchgenRs::stable INTERFACE "LINKER:-z,defs")
  endif()
endfunction()

# Sets a variable to the value of a key of library.yaml, which is plain text, or to a default.
function(_torchgen_setting variable path key default)
  set(value "${default}")
  if(EXISTS "${path}/library.yaml")
    file(STRINGS "${path}/library.yaml" lines REGEX "^${key}:")
    if(lines MATCHES "^${key}:[ \t]*['\"]?([^'\" \t#]+)")
      set(value "${CMAKE_MATCH_1}")
    endif()
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

# Makes TorchgenRs::torch.
function(torchgen_find_torch)
  if(TARGET TorchgenRs::torch)
    return()
  endif()
  _torchgen_ask_torch()
  cmake_path(GET TORCHGEN_TORCH_VERSION_FILE PARENT_PATH path)
  cmake_path(GET path PARENT_PATH path)
  set(TORCHGEN_TORCH_PATH "${path}" CACHE INTERNAL "The directory that torch is installed in")
  if(TORCHGEN_TORCH_VERSION VERSION_LESS 2.13)
    message(FATAL_ERROR "torch 2.13 or newer is needed, but ${Python_EXECUTABLE} imports torch ${TORCHGEN_TORCH_VERSION}")
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
    # CMake takes a variable that the caller has as found, so the name is not one of theirs.
    unset(_torchgen_library)
    find_library(_torchgen_library ${name} PATHS ${TORCHGEN_TORCH_LIBRARIES} NO_DEFAULT_PATH NO_CACHE REQUIRED)
    target_link_libraries(${target} ${scope} "${_torchgen_library}")
  endforeach()
endfunction()

# The architectures of TORCH_CUDA_ARCH_LIST ("8.0;9.0+PTX", "Ampere Hopper") or of torch itself
# ("sm_80;compute_90"), as CMAKE_CUDA_ARCHITECTURES has them.
function(_torchgen_cuda_architectures result list)
  # The names of torch/utils/cpp_extension.py. Those that contain others come first.
  set(names Maxwell+Tegra Maxwell Pascal Volta+Tegra Volta Turing Ampere+Tegra Ampere Ada Hopper Blackwell+Tegra Blackwell Rubin)
  set(numbers "5.3" "5.0 5.2+PTX" "6.0 6.1+PTX" "7.2" "7.0+PTX" "7.5+PTX" "8.7" "8.0 8.6+PTX" "8.9+PTX" "9.0+PTX" "11.0"
              "10.0 10.3 12.0 12.1+PTX" "10.7+PTX")
  foreach(name number IN ZIP_LISTS names numbers)
    string(REPLACE "${name}" "${number}" list "${list}")
  endforeach()
  string(REGEX REPLACE "[ ,]+" ";" list "${list}")
  list(REMOVE_ITEM list "")
  set(architectures "")
  foreach(entry IN LISTS list)
    if(NOT entry MATCHES "^(sm_|compute_)?([0-9]+)[.]?([0-9])([af]?)([+]PTX)?$")
      message(FATAL_ERROR "TORCH_CUDA_ARCH_LIST has an unknown GPU architecture: ${entry}")
    endif()
    set(number "${CMAKE_MATCH_2}${CMAKE_MATCH_3}${CMAKE_MATCH_4}")
    if(NOT CMAKE_MATCH_1 STREQUAL "compute_")
      list(APPEND architectures "${number}-real")
    endif()
    if(CMAKE_MATCH_1 STREQUAL "compute_" OR CMAKE_MATCH_5)
      list(APPEND architectures "${number}-virtual")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES architectures)
  set(${result} "${architectures}" PARENT_SCOPE)
endfunction()

# The choice of the build, or else that of the project. It is set as `result`.
function(_torchgen_cuda_choice result choice)
  if(DEFINED TORCHGEN_CUDA)
    set(choice "${TORCHGEN_CUDA}")
  endif()
  string(TOUPPER "${choice}" choice)
  if(NOT choice MATCHES "^(REQUIRED|OPTIONAL|OFF)$")
    message(FATAL_ERROR "CUDA must be REQUIRED, OPTIONAL or OFF, but it is \"${choice}\"")
  endif()
  set(${result} "${choice}" PARENT_SCOPE)
endfunction()

# What prevents kernels for a GPU; empty if nothing does.
function(_torchgen_cuda_obstacle result)
  set(obstacle "")
  if(NOT TORCHGEN_TORCH_CUDA AND NOT TORCHGEN_TORCH_HIP)
    set(obstacle "torch ${TORCHGEN_TORCH_VERSION} of ${Python_EXECUTABLE} supports neither CUDA nor ROCm")
  elseif(TORCHGEN_TORCH_CUDA AND NOT CMAKE_CUDA_COMPILER)
    set(obstacle "no CUDA toolkit is found; CMAKE_CUDA_COMPILER or the environment's CUDACXX can name its nvcc")
  elseif(TORCHGEN_TORCH_HIP AND NOT CMAKE_HIP_COMPILER)
    set(obstacle "no HIP compiler is found; CMAKE_HIP_COMPILER or the environment's HIPCXX can name it")
  endif()
  set(${result} "${obstacle}" PARENT_SCOPE)
endfunction()

# torchgen_enable_cuda([REQUIRED|OPTIONAL|OFF]) enables CUDA, or HIP with a torch for ROCm. Without
# a choice it is OPTIONAL. It is a macro, because a language can only be enabled in the caller's
# scope.
macro(torchgen_enable_cuda)
  _torchgen_ask_torch()
  set(_torchgen_cuda ${ARGN})
  # OFF is a choice too.
  if("${_torchgen_cuda}" STREQUAL "")
    set(_torchgen_cuda OPTIONAL)
  endif()
  _torchgen_cuda_choice(_torchgen_cuda "${_torchgen_cuda}")
  if(NOT _torchgen_cuda STREQUAL "OFF")
    include(CheckLanguage)
    if(TORCHGEN_TORCH_CUDA)
      check_language(CUDA)
    elseif(TORCHGEN_TORCH_HIP)
      check_language(HIP)
    endif()
    _torchgen_cuda_obstacle(_torchgen_obstacle)
    if(_torchgen_obstacle AND _torchgen_cuda STREQUAL "REQUIRED")
      message(FATAL_ERROR "Kernels for CUDA are required, but ${_torchgen_obstacle}. -DTORCHGEN_CUDA=OFF builds without them.")
    elseif(_torchgen_obstacle)
      message(WARNING "Kernels for CUDA are left out: ${_torchgen_obstacle}. -DTORCHGEN_CUDA=REQUIRED makes this an error.")
    elseif(TORCHGEN_TORCH_CUDA)
      if(NOT CMAKE_CUDA_ARCHITECTURES)
        set(_torchgen_list "$ENV{TORCH_CUDA_ARCH_LIST}")
        if(NOT _torchgen_list)
          set(_torchgen_list "${TORCHGEN_TORCH_ARCHITECTURES}")
        endif()
        _torchgen_cuda_architectures(CMAKE_CUDA_ARCHITECTURES "${_torchgen_list}")
        message(STATUS "CUDA architectures: ${CMAKE_CUDA_ARCHITECTURES}")
      endif()
      enable_language(CUDA)
      find_package(CUDAToolkit REQUIRED)
    else()
      enable_language(HIP)
    endif()
  endif()
endmacro()

# Stops with diagnostics. CMake breaks the lines of a message, except those that are indented.
function(_torchgen_report what diagnostics)
  string(REPLACE "\n" "\n  " diagnostics "${diagnostics}")
  message(FATAL_ERROR "${what}\n\n  ${diagnostics}")
endfunction()

# A macro, so that it can enable a language.
macro(torchgen_add_library target)
  cmake_parse_arguments(_torchgen "" "CUDA" "" ${ARGN})
  set(_torchgen_cuda "")
  if(DEFINED _torchgen_CUDA OR DEFINED TORCHGEN_CUDA)
    torchgen_enable_cuda(${_torchgen_CUDA})
  endif()
  _torchgen_add_library(${target} "${_torchgen_cuda}" ${ARGN})
endmacro()

function(_torchgen_add_library target cuda)
  cmake_parse_arguments(PARSE_ARGV 2 arg "NO_KERNEL_CHECK" "OUTPUT_PATH;PACKAGE;VERSION;REUSE_FROM;CUDA;ABI;TORCH_MIN" "SOURCE_PATH;KERNELS;PYTHON;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchgen_add_library does not know: ${arg_UNPARSED_ARGUMENTS}\n"
      "Its keywords are KERNELS, PACKAGE, SOURCE_PATH, OUTPUT_PATH, PYTHON, VERSION, ABI, TORCH_MIN, CUDA, REUSE_FROM, OPTIONS and NO_KERNEL_CHECK.")
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
  set(source_paths "")
  set(library_path "")
  foreach(path IN LISTS arg_SOURCE_PATH)
    cmake_path(ABSOLUTE_PATH path NORMALIZE)
    string(REGEX REPLACE "(.)/$" "\\1" path "${path}")
    if(NOT EXISTS "${path}")
      message(FATAL_ERROR "torchgen_add_library(${target}): SOURCE_PATH ${path} does not exist")
    endif()
    list(APPEND source_paths "${path}")
    if(NOT library_path AND IS_DIRECTORY "${path}")
      set(library_path "${path}")
    endif()
  endforeach()
  if(NOT library_path)
    list(GET source_paths 0 library_path)
    cmake_path(GET library_path PARENT_PATH library_path)
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_PATH BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  if(NOT arg_ABI)
    _torchgen_setting(arg_ABI "${library_path}" abi unstable)
  endif()
  if(NOT arg_ABI MATCHES "^(un)?stable$")
    message(FATAL_ERROR "torchgen_add_library(${target}): ABI is stable or unstable, not ${arg_ABI}")
  endif()
  if(arg_ABI STREQUAL "stable")
    if(NOT arg_TORCH_MIN)
      _torchgen_setting(arg_TORCH_MIN "${library_path}" torch_min 2.10)
    endif()
    if(NOT arg_TORCH_MIN MATCHES "^([0-9]+)[.]([0-9]+)$")
      message(FATAL_ERROR "torchgen_add_library(${target}): TORCH_MIN is a version such as 2.10, not ${arg_TORCH_MIN}")
    endif()
    math(EXPR target_version "(${CMAKE_MATCH_1} << 56) | (${CMAKE_MATCH_2} << 48)" OUTPUT_FORMAT HEXADECIMAL)
    _torchgen_find_stable()
    if(TORCHGEN_TORCH_VERSION VERSION_LESS arg_TORCH_MIN)
      message(FATAL_ERROR "${target} needs the headers of torch ${arg_TORCH_MIN} or newer, but ${Python_EXECUTABLE} imports torch ${TORCHGEN_TORCH_VERSION}")
    endif()
    set(options --abi stable --torch-min ${arg_TORCH_MIN} --per-operator-headers ${arg_OPTIONS})
  else()
    torchgen_find_torch()
    set(options --abi unstable --per-operator-headers ${arg_OPTIONS})
  endif()
  if(arg_PACKAGE)
    list(APPEND options --python-package ${arg_PACKAGE})
    foreach(version IN ITEMS arg_VERSION SKBUILD_PROJECT_VERSION_FULL SKBUILD_PROJECT_VERSION PROJECT_VERSION)
      if(NOT "${${version}}" STREQUAL "")
        list(APPEND options --package-version ${${version}})
        break()
      endif()
    endforeach()
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
  set(generate "${TORCHGEN_RS}" generate --source-path ${source_paths} --install-dir "${arg_OUTPUT_PATH}" ${options})
  set(lists "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.torchgen")
  execute_process(COMMAND ${generate} --dry-run --output-dependencies "${lists}/torchgen_outputs.cmake"
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    _torchgen_report("torchgen-rs reports errors in ${library_path}:" "${error}")
  endif()
  include("${lists}/torchgen_outputs.cmake")
  file(GLOB inputs CONFIGURE_DEPENDS "${library_path}/*.yaml" "${library_path}/*/*.yaml" "${library_path}/derivatives_manual.h")
  foreach(path IN LISTS source_paths)
    if(IS_DIRECTORY "${path}")
      file(GLOB found CONFIGURE_DEPENDS "${path}/*.yaml")
      list(APPEND inputs ${found})
    else()
      list(APPEND inputs "${path}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES inputs)
  file(GLOB_RECURSE templates CONFIGURE_DEPENDS "${library_path}/templates/*.j2")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs} ${templates} "${TORCHGEN_RS}")
  # The kernels are compared when the build runs, since other targets may generate some of them.
  # Those for CUDA are compared even if they are not compiled.
  set(compared "")
  if(NOT arg_NO_KERNEL_CHECK)
    # The same kernels for another compiler.
    set(other hip)
    if(TORCHGEN_TORCH_HIP)
      set(other cu)
    endif()
    set(listed ${arg_KERNELS})
    list(FILTER listed EXCLUDE REGEX "\\.${other}$")
    foreach(kernel IN LISTS listed)
      cmake_path(ABSOLUTE_PATH kernel NORMALIZE)
      list(APPEND compared "${kernel}")
    endforeach()
    list(APPEND generate --kernels ${compared})
  else()
    # Not those of library.yaml either.
    list(APPEND generate --kernels=)
  endif()
  if(arg_PYTHON)
    set(modules "")
    foreach(module IN LISTS arg_PYTHON)
      cmake_path(ABSOLUTE_PATH module NORMALIZE)
      list(APPEND modules "${module}")
    endforeach()
    list(APPEND generate --python-modules ${modules})
    list(APPEND compared ${modules})
  endif()
  add_custom_command(
    OUTPUT ${torchgen_outputs}
    COMMAND ${generate} --depfile "${lists}/torchgen.d"
    DEPFILE "${lists}/torchgen.d"
    DEPENDS ${inputs} ${templates} ${compared} "${TORCHGEN_RS}"
    COMMENT "Generating ${target} with torchgen-rs"
    VERBATIM)
  add_custom_target(${target}_generated DEPENDS ${torchgen_outputs})

  set(sources ${torchgen_outputs})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(kernels ${arg_KERNELS})
  # What registers kernels that need a toolkit, on either ABI: those for autocast and autograd of CUDA call operators.
  set(registered ${sources})
  list(FILTER registered INCLUDE REGEX "/(LibraryCUDA_[0-9]+|Register[A-Za-z]*CUDA)\\.cpp$")
  list(FILTER registered EXCLUDE REGEX "/Register(Autocast|Autograd)CUDA\\.cpp$")
  set(for_gpus ${kernels})
  list(FILTER for_gpus INCLUDE REGEX "\\.(cu|hip)$")
  list(APPEND for_gpus ${registered})
  if(for_gpus AND cuda STREQUAL "")
    message(FATAL_ERROR "torchgen_add_library(${target}) has kernels for CUDA: add CUDA REQUIRED, CUDA OPTIONAL or CUDA OFF to it")
  endif()
  _torchgen_cuda_obstacle(obstacle)
  if(cuda STREQUAL "OFF" OR obstacle)
    list(FILTER kernels EXCLUDE REGEX "\\.(cu|hip)$")
    if(registered)
      list(REMOVE_ITEM sources ${registered})
    endif()
  elseif(TORCHGEN_TORCH_HIP)
    list(FILTER kernels EXCLUDE REGEX "\\.cu$")
  else()
    list(FILTER kernels EXCLUDE REGEX "\\.hip$")
  endif()
  # Kernels first: they may register custom classes, which schemas name.
  add_library(${target} SHARED ${kernels} ${sources})
  add_dependencies(${target} ${target}_generated)
  # They have functions of the same names in unnamed namespaces.
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # With several namespaces, each has a directory of its own. Headers of an earlier build with one
  # namespace are not looked for.
  set(include_directories "")
  foreach(file IN LISTS torchgen_outputs)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${arg_OUTPUT_PATH}")
    if(file MATCHES "^([^/]+/)*include/[^/]+/")
      string(FIND "${file}" "include/" end)
      string(SUBSTRING "${file}" 0 ${end} tree)
      list(APPEND include_directories "${arg_OUTPUT_PATH}/${tree}include")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES include_directories)
  foreach(directory IN LISTS include_directories)
    target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${directory}>")
  endforeach()
  target_include_directories(${target} PRIVATE "${library_path}")
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
  if(arg_ABI STREQUAL "stable")
    target_link_libraries(${target} PUBLIC TorchgenRs::stable)
    target_compile_definitions(${target} PUBLIC TORCH_TARGET_VERSION=${target_version})
    # Errors of STD_TORCH_CHECK name their file, which is that of the project for its users.
    target_compile_options(${target} PRIVATE
      "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU,Clang,AppleClang>>:-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=>")
    # What kernels share stays in the library.
    set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  else()
    target_link_libraries(${target} PUBLIC TorchgenRs::torch)
    if(TORCHGEN_PCH AND NOT arg_REUSE_FROM)
      set_source_files_properties(${kernels} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    endif()
    # When the rest of the directory has added its options to the target.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _torchgen_precompile [[${target}]] [[${arg_REUSE_FROM}]])")
  endif()
  set(cuda_kernels ${kernels})
  list(FILTER cuda_kernels INCLUDE REGEX "\\.cu$")
  if(cuda_kernels AND arg_ABI STREQUAL "stable")
    # The functions of torch's C shim for CUDA, and the macros around its errors.
    _torchgen_link(${target} PUBLIC torch_cuda)
    target_compile_definitions(${target} PRIVATE USE_CUDA)
    target_link_libraries(${target} PUBLIC CUDA::cudart)
  elseif(cuda_kernels)
    _torchgen_link(${target} PUBLIC c10_cuda torch_cuda)
    target_link_libraries(${target} PUBLIC CUDA::cudart)
    # The flags of torch's own kernels: functions for host and device, and only torch's conversions
    # of half floats.
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--expt-extended-lambda>")
    foreach(macro __CUDA_NO_HALF_OPERATORS__ __CUDA_NO_HALF_CONVERSIONS__ __CUDA_NO_BFLOAT16_CONVERSIONS__ __CUDA_NO_HALF2_OPERATORS__)
      target_compile_definitions(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${macro}>")
    endforeach()
  endif()
  set(hip_kernels ${kernels})
  list(FILTER hip_kernels INCLUDE REGEX "\\.hip$")
  if(hip_kernels)
    _torchgen_link(${target} PUBLIC c10_hip torch_hip)
    target_compile_definitions(${target} PRIVATE USE_ROCM __HIP_PLATFORM_AMD__)
  endif()
  _torchgen_conditions(${target} "${kernels}")
  if(arg_PACKAGE)
    _torchgen_python_package(${target} ${arg_PACKAGE} "${arg_OUTPUT_PATH}" "${torchgen_outputs}" "${arg_PYTHON}")
    # For other libraries that call these operators from C++.
    foreach(directory IN LISTS include_directories)
      install(DIRECTORY "${directory}/" DESTINATION "${arg_PACKAGE}/include" OPTIONAL FILES_MATCHING PATTERN "*.h")
    endforeach()
  endif()
endfunction()

# Precompiles the torch headers of generated sources, if the build asks for it. If another library of this build, whose
# sources have the same flags, has done so, that is shared.
function(_torchgen_precompile target reuse_from)
  if(reuse_from)
    get_target_property(precompiled ${reuse_from} PRECOMPILE_HEADERS)
    if(precompiled)
      target_precompile_headers(${target} REUSE_FROM ${reuse_from})
    endif()
    return()
  endif()
  if(NOT TORCHGEN_PCH)
    return()
  endif()
  set(flags "${CMAKE_CXX_FLAGS}")
  foreach(property COMPILE_DEFINITIONS COMPILE_OPTIONS COMPILE_FLAGS COMPILE_FEATURES LINK_LIBRARIES CXX_STANDARD
          CXX_EXTENSIONS POSITION_INDEPENDENT_CODE CXX_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN
          INTERPROCEDURAL_OPTIMIZATION)
    get_target_property(value ${target} ${property})
    string(APPEND flags "|${value}")
  endforeach()
  get_property(value DIRECTORY PROPERTY COMPILE_DEFINITIONS)
  string(APPEND flags "|${value}")
  string(MD5 flags "${flags}")
  get_property(shared GLOBAL PROPERTY TORCHGEN_PRECOMPILED_${flags})
  if(shared)
    target_precompile_headers(${target} REUSE_FROM ${shared})
    return()
  endif()
  # As in generated sources: all of torch's operators, which some headers include otherwise, would double the time.
  set(text "#define AT_PER_OPERATOR_HEADERS\n")
  foreach(header ATen/core/Tensor.h ATen/FunctionalTensorWrapper.h ATen/TensorOperators.h ATen/native/Resize.h
          torch/csrc/autograd/VariableTypeUtils.h torch/csrc/autograd/autograd_not_implemented_fallback.h
          torch/library.h)
    string(APPEND text "#include <${header}>\n")
  endforeach()
  string(APPEND text "#undef AT_PER_OPERATOR_HEADERS\n")
  set(header "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.torchgen/precompiled.h")
  file(CONFIGURE OUTPUT "${header}" CONTENT "${text}" @ONLY)
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${header}>")
  set_property(GLOBAL PROPERTY TORCHGEN_PRECOMPILED_${flags} ${target})
endfunction()

# Defines what `when:` compares: the kind of GPU that kernels are compiled for, and for CUDA the
# architectures.
function(_torchgen_conditions target kernels)
  if(kernels MATCHES "\\.hip(;|$)")
    target_compile_definitions(${target} PRIVATE TORCHGEN_WITH_ROCM)
  endif()
  if(NOT kernels MATCHES "\\.cu(;|$)")
    return()
  endif()
  target_compile_definitions(${target} PRIVATE TORCHGEN_WITH_CUDA)
  get_target_property(architectures ${target} CUDA_ARCHITECTURES)
  foreach(all native all-major all)
    string(TOUPPER "${all}" name)
    string(REPLACE "-" "_" name "${name}")
    if(architectures STREQUAL all)
      set(architectures "${CMAKE_CUDA_ARCHITECTURES_${name}}")
    endif()
  endforeach()
  set(min "")
  set(max "")
  foreach(architecture IN LISTS architectures)
    if(NOT architecture MATCHES "^([0-9]+)([af]?)(-real|-virtual)?$")
      continue()
    endif()
    set(number ${CMAKE_MATCH_1})
    target_compile_definitions(${target} PRIVATE TORCHGEN_CUDA_ARCH_${number})
    if(CMAKE_MATCH_2)
      target_compile_definitions(${target} PRIVATE TORCHGEN_CUDA_ARCH_${number}${CMAKE_MATCH_2})
    endif()
    if(min STREQUAL "" OR number LESS min)
      set(min ${number})
    endif()
    if(max STREQUAL "" OR number GREATER max)
      set(max ${number})
    endif()
  endforeach()
  if(NOT min STREQUAL "")
    target_compile_definitions(${target} PRIVATE TORCHGEN_CUDA_ARCH_MIN=${min} TORCHGEN_CUDA_ARCH_MAX=${max})
  endif()
endfunction()

function(torchgen_add_sources)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "TARGET;FAMILY;OUTPUT_PATH" "SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchgen_add_sources does not know: ${arg_UNPARSED_ARGUMENTS}\n"
      "Its keywords are TARGET, FAMILY, SOURCES, OUTPUT_PATH and OPTIONS.")
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

  set(flags "")
  set(inputs "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source NORMALIZE)
    list(APPEND flags -s "${source}")
    if(IS_DIRECTORY "${source}")
      file(GLOB found CONFIGURE_DEPENDS "${source}/*.yaml" "${source}/*.yml")
      list(APPEND inputs ${found})
    else()
      list(APPEND inputs "${source}")
    endif()
  endforeach()
  _torchgen_generate(${arg_TARGET} ${arg_FAMILY} "${arg_OUTPUT_PATH}" "${inputs}" ${flags} ${arg_OPTIONS})
  target_include_directories(${arg_TARGET} PUBLIC "$<BUILD_INTERFACE:${arg_OUTPUT_PATH}>")
endfunction()

# Generates sources of a target in each build, by a command with flags. Which files these are is known
# now; an edit of the inputs may change that, so it makes CMake run again.
function(_torchgen_generate target command output inputs)
  set(generate "${TORCHGEN_RS}" ${command} --out-dir "${output}" ${ARGN})
  set(lists "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}_${command}.torchgen")
  execute_process(COMMAND ${generate} --dry-run --output-dependencies "${lists}/torchgen_outputs.cmake"
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE error)
  if(NOT status EQUAL 0)
    _torchgen_report("torchgen-rs ${command} reports errors:" "${error}")
  endif()
  include("${lists}/torchgen_outputs.cmake")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${inputs} "${TORCHGEN_RS}")
  add_custom_command(
    OUTPUT ${torchgen_outputs}
    COMMAND ${generate} --depfile "${lists}/torchgen.d"
    DEPFILE "${lists}/torchgen.d"
    DEPENDS ${inputs} "${TORCHGEN_RS}"
    COMMENT "Generating ${target}'s sources with torchgen-rs ${command}"
    VERBATIM)
  target_sources(${target} PRIVATE ${torchgen_outputs})
endfunction()

function(torchgen_add_backend target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_KERNEL_CHECK" "YAML;OUTPUT_PATH" "KERNELS;SOURCES;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchgen_add_backend does not know: ${arg_UNPARSED_ARGUMENTS}\n"
      "Its keywords are YAML, KERNELS, NO_KERNEL_CHECK, SOURCES, OUTPUT_PATH and OPTIONS.")
  endif()
  foreach(name YAML KERNELS)
    if(NOT arg_${name})
      message(FATAL_ERROR "torchgen_add_backend needs ${name}")
    endif()
  endforeach()
  torchgen_find_torch()
  if(NOT arg_OUTPUT_PATH)
    set(arg_OUTPUT_PATH "${CMAKE_CURRENT_BINARY_DIR}/${target}_backend")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_PATH BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  cmake_path(ABSOLUTE_PATH arg_YAML NORMALIZE)
  set(flags -s "${arg_YAML}" --torch-path "${TORCHGEN_TORCH_PATH}")
  set(inputs "${arg_YAML}")
  if(NOT arg_NO_KERNEL_CHECK)
    foreach(file IN LISTS arg_KERNELS)
      cmake_path(ABSOLUTE_PATH file NORMALIZE)
      list(APPEND flags --impl-path "${file}")
      list(APPEND inputs "${file}")
    endforeach()
  endif()
  add_library(${target} SHARED ${arg_KERNELS} ${arg_SOURCES})
  _torchgen_generate(${target} backend-stubs "${arg_OUTPUT_PATH}" "${inputs}" ${flags} ${arg_OPTIONS})
  # What is generated includes its headers by the path; the operators of a library are below include/.
  target_include_directories(${target} PRIVATE "${arg_OUTPUT_PATH}" "${arg_OUTPUT_PATH}/include")
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_link_libraries(${target} PRIVATE TorchgenRs::torch)
endfunction()

# The package in the build tree is complete: it can be imported with the output path's python/ in
# PYTHONPATH.
function(_torchgen_python_package target package output outputs modules)
  # A package inside another one has a directory in that of the other.
  string(REPLACE "." "/" inner "${package}")
  cmake_path(GET inner FILENAME own_name)
  string(REGEX REPLACE "[^/]+" ".." above "${inner}")
  set(dir "${output}/python/${inner}")
  set(copies "")
  foreach(file IN LISTS modules)
    cmake_path(ABSOLUTE_PATH file)
    cmake_path(GET file FILENAME name)
    add_custom_command(OUTPUT "${dir}/${name}" COMMAND "${CMAKE_COMMAND}" -E copy "${file}" "${dir}/${name}" DEPENDS "${file}" VERBATIM)
    list(APPEND copies "${dir}/${name}")
  endforeach()
  add_custom_target(${target}_python ALL DEPENDS ${copies})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME ${own_name} LIBRARY_OUTPUT_DIRECTORY "${dir}" RUNTIME_OUTPUT_DIRECTORY "${dir}")
  if(APPLE)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "@loader_path/${above}/torch/lib")
  elseif(UNIX)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${above}/torch/lib")
  endif()
  install(TARGETS ${target} LIBRARY DESTINATION "${inner}" RUNTIME DESTINATION "${inner}")
  list(FILTER outputs INCLUDE REGEX "/python/${inner}/")
  # A package of several namespaces has a package for each.
  foreach(file IN LISTS outputs)
    cmake_path(GET file PARENT_PATH parent)
    cmake_path(RELATIVE_PATH parent BASE_DIRECTORY "${output}/python")
    install(FILES "${file}" DESTINATION "${parent}")
  endforeach()
  install(FILES ${copies} DESTINATION "${inner}")
endfunction()
