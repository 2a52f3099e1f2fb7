//===- PassNames.h - Which passes count, and what they are called ---------===//

#ifndef PLAYGROUND_PASSNAMES_H
#define PLAYGROUND_PASSNAMES_H

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace playground {

/// The adaptor only walks into nested operations; its passes report themselves.
inline bool isAdaptor(const mlir::Pass &pass) {
  return pass.getName().ends_with("OpToOpPassAdaptor");
}

/// The name in pipelines, else the class.
inline std::string nameOf(const mlir::Pass &pass) {
  llvm::StringRef argument = pass.getArgument();
  return (argument.empty() ? pass.getName() : argument).str();
}

/// The new pass manager also reports its own containers as passes.
inline bool isContainer(llvm::StringRef passId) {
  return passId.contains("PassManager") || passId.contains("PassAdaptor") ||
         passId.contains("ModuleInlinerWrapperPass") ||
         passId.contains("AnalysisManagerProxy") ||
         passId.contains("DevirtSCCRepeatedPass") ||
         passId.starts_with("RequireAnalysisPass") ||
         passId.starts_with("InvalidateAnalysisPass");
}

} // namespace playground

#endif // PLAYGROUND_PASSNAMES_H
