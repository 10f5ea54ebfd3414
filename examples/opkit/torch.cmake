# The target `torch_wheel`: headers and libraries of the torch that `Python_EXECUTABLE` imports. find_package(Torch) wants a CUDA toolkit; this does not.
if(NOT TARGET torch_wheel)
  find_package(Python REQUIRED COMPONENTS Interpreter)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -c
            "import importlib.util; print(importlib.util.find_spec('torch').submodule_search_locations[0], end='')"
    OUTPUT_VARIABLE TORCH_DIR COMMAND_ERROR_IS_FATAL ANY)
  add_library(torch_wheel INTERFACE IMPORTED)
  target_compile_features(torch_wheel INTERFACE cxx_std_20)
  target_include_directories(torch_wheel INTERFACE ${TORCH_DIR}/include ${TORCH_DIR}/include/torch/csrc/api/include)
  target_link_libraries(torch_wheel INTERFACE ${TORCH_DIR}/lib/libtorch_cpu.so ${TORCH_DIR}/lib/libc10.so)
  # What is missing in libtorch shows when the library is linked, not when it is loaded.
  target_link_options(torch_wheel INTERFACE -Wl,-z,defs)
endif()
