//===- RunningPass.h - The pass that a failure belongs to -----------------===//
//
// Pass managers say only that a pass failed, an assertion only where it lies.
// A stack of the open passes, kept in every compile, names the pass. On wasm
// the innermost name can be read from memory even after a trap.
//
//===----------------------------------------------------------------------===//

#ifndef PLAYGROUND_RUNNINGPASS_H
#define PLAYGROUND_RUNNINGPASS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir {
class PassManager;
}
namespace llvm {
class PassInstrumentationCallbacks;
}

namespace playground {

class RunningPass {
public:
  /// Keeps track of the passes of \p passManager; forgets those of earlier
  /// compiles.
  static void attach(mlir::PassManager &passManager);

  /// Likewise for LLVM's new pass manager.
  static void attach(llvm::PassInstrumentationCallbacks &callbacks);

  /// For work that no instrumentation sees. An exception between the two leaves
  /// the pass open, as it leaves those that attach() follows.
  static void begin(llvm::StringRef name);
  static void end();

  /// The innermost pass that failed or was left open, and forgets it; empty
  /// when there is none.
  static std::string take();

  /// Where the name lies as a string that ends with NUL, at most 255 bytes.
  static std::uintptr_t address();
};

} // namespace playground

#endif // PLAYGROUND_RUNNINGPASS_H
