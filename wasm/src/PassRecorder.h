//===- PassRecorder.h - IR and time of every pass, on request -------------===//
//
// While recording is on, every MLIR pass and every LLVM pass that a compile
// runs leaves a record. While it is off, attach() is one load and one branch.
//
//===----------------------------------------------------------------------===//

#ifndef PLAYGROUND_PASSRECORDER_H
#define PLAYGROUND_PASSRECORDER_H

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class PassManager;
}
namespace llvm {
class Module;
class PassInstrumentationCallbacks;
} // namespace llvm

namespace playground {

struct PassRecord {
  enum class Kind { MLIR, LLVM };
  Kind kind;
  std::string name;
  bool changed;
  /// Wall time of the pass itself; printing the IR is not in it.
  double seconds;
  /// The whole module after the pass; empty when the pass changed nothing.
  std::string text;
};

class PassRecorder {
public:
  /// Starts a new recording; an unfinished one is dropped.
  static void start();

  /// Ends the recording and returns what it holds, in the order the passes ran.
  static std::vector<PassRecord> stop();

  /// Hooks into \p passManager when recording is on.
  static void attach(mlir::PassManager &passManager);

  /// Hooks into \p callbacks when recording is on.
  /// \p module is what the passes will run on.
  static void attach(llvm::PassInstrumentationCallbacks &callbacks,
                     const llvm::Module &module);

private:
  static std::shared_ptr<std::vector<PassRecord>> current;
};

} // namespace playground

#endif // PLAYGROUND_PASSRECORDER_H
