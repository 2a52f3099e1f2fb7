//===- FatalErrors.cpp - The compiler's own aborts, as exceptions ---------===//

#include "FatalErrors.h"

#ifdef __EMSCRIPTEN__

#include "llvm/Support/ErrorHandling.h"
#include <stdexcept>
#include <string>

// An instance that aborts is lost, and the message with it. LLVM and MLIR are
// built without exception tables, so a throw passes through their frames
// without running destructors, up to pybind11's dispatcher.

namespace {

[[noreturn]] void throwFatalError(void *, const char *reason, bool) {
  throw std::runtime_error(std::string("LLVM ERROR: ") + reason);
}

} // namespace

void playground::installFatalErrorHandler() {
  llvm::install_fatal_error_handler(throwFatalError);
  llvm::install_bad_alloc_error_handler(throwFatalError);
}

// The C names below take the place of the main module's inside this side
// module. Assembler names keep clang from treating them as the builtins that
// never throw.
extern "C" {

[[noreturn]] __attribute__((used)) void
playgroundAssertFail(const char *expression, const char *file, int line,
                     const char *function) __asm__("__assert_fail");
[[noreturn]] void playgroundAssertFail(const char *expression, const char *file,
                                       int line, const char *function) {
  // As glibc prints it, so that a native report can be compared and searched.
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) +
                           ": " + (function ? function : "?") +
                           ": Assertion `" + expression + "' failed.");
}

[[noreturn]] __attribute__((used)) void playgroundAbort() __asm__("abort");
[[noreturn]] void playgroundAbort() {
  throw std::runtime_error("LLVM ERROR: the compiler called abort()");
}

[[noreturn]] __attribute__((used)) void
playgroundExit(int status) __asm__("exit");
[[noreturn]] void playgroundExit(int status) {
  throw std::runtime_error(
      "LLVM ERROR: the compiler gave up with exit status " +
      std::to_string(status) + "; its message is in the diagnostics");
}

// What wasm/slim/StubFunctions.cpp puts in place of a function's body.
[[noreturn]] __attribute__((used)) void
playgroundLeftOut(const char *function) __asm__("playground_left_out");
[[noreturn]] void playgroundLeftOut(const char *function) {
  throw std::runtime_error(std::string("LLVM ERROR: this build leaves out ") +
                           function +
                           " (wasm/slim/stubs.txt); please report the kernel");
}
}

#else

// A native process dies as it always did: the reference build is not changed.
void playground::installFatalErrorHandler() {}

#endif
