//===- MlirOpt.h - A pass pipeline over MLIR text -------------------------===//

#ifndef PLAYGROUND_MLIROPT_H
#define PLAYGROUND_MLIROPT_H

#include <string>
#include <vector>

namespace playground {

struct MlirOptOptions {
  /// Handle each part between "// -----" lines on its own.
  bool splitInputFile = false;
  /// Check diagnostics against expected-error and similar comments.
  bool verifyDiagnostics = false;
  /// With verifyDiagnostics: diagnostics that no comment expects are no error.
  bool onlyExpectedDiagnostics = false;
  /// What to print to standard error of LLVM_DEBUG output: debug types.
  std::vector<std::string> debugTypes;
  bool allowUnregisteredDialects = false;
  bool printDebugInfo = false;
  bool prettyDebugInfo = false;
};

struct TextResult {
  bool ok = false;
  std::string output;
  std::string diagnostics;
};

/// Runs \p pipeline (textual, anchored such as "builtin.module(cse)" or a bare
/// list such as "cse,canonicalize") over \p text with every dialect and pass of
/// this build registered: what triton-opt does, without a process.
TextResult runMlirOpt(const std::string &text, const std::string &pipeline,
                      const MlirOptOptions &options);

} // namespace playground

#endif // PLAYGROUND_MLIROPT_H
