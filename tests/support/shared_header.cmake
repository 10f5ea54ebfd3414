# Read after `project()`: the targets include the tests' precompiled header, which has these flags.
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
set(CMAKE_CXX_EXTENSIONS OFF)
add_compile_options("SHELL:$<$<COMPILE_LANGUAGE:CXX>:-pthread -include ${SHARED_HEADER}>")
