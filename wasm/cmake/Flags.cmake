# Compile flags of both builds, in one place: scripts/manifest.py hashes this file.

# Official Triton wheels keep assertions on, and users know the messages: so no NDEBUG here, whatever
# LLVM was built with.
set(CMAKE_CXX_FLAGS_RELEASE "-O2")
set(CMAKE_C_FLAGS_RELEASE "-O2")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

set(PLAYGROUND_COMMON_FLAGS
  -ffunction-sections -fdata-sections
  -Wno-unused-but-set-variable -Wno-deprecated-declarations
  # Assertion messages carry the file: the same short path in every build, on every machine.
  "-ffile-prefix-map=${TRITON_SOURCE_DIR}/="
  "-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=playground/"
  "-ffile-prefix-map=${CMAKE_BINARY_DIR}/=build/")
if(PLAYGROUND_LLVM_INCLUDE)
  list(APPEND PLAYGROUND_COMMON_FLAGS "-ffile-prefix-map=${PLAYGROUND_LLVM_INCLUDE}/=")
endif()
set(PLAYGROUND_DEFINITIONS
  __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)

if(EMSCRIPTEN)
  # Size decides how long a visitor waits; LLVM itself, where the time goes, is -O3.
  set(CMAKE_CXX_FLAGS_RELEASE "-Os")
  set(CMAKE_C_FLAGS_RELEASE "-Os")
  list(APPEND PLAYGROUND_COMMON_FLAGS
    -flto -fPIC -fwasm-exceptions -sSUPPORT_LONGJMP=wasm)
  set(LLVM_ENABLE_RTTI OFF)
endif()
set(LLVM_ENABLE_EH OFF)
add_compile_options(${PLAYGROUND_COMMON_FLAGS})

set(PLAYGROUND_LIBRARY_FLAGS -fno-exceptions)
if(NOT LLVM_ENABLE_RTTI)
  list(APPEND PLAYGROUND_LIBRARY_FLAGS -fno-rtti)
endif()

set(PLAYGROUND_OWN_WARNINGS -Wall -Wextra -Werror -Wno-unused-parameter)
