//===- TextTools.h - Text in, text out: the small tools of a lit suite ----===//

#ifndef PLAYGROUND_TEXTTOOLS_H
#define PLAYGROUND_TEXTTOOLS_H

#include "MlirOpt.h"
#include <string>

namespace playground {

/// LLVM-dialect MLIR to LLVM IR, as mlir-translate --mlir-to-llvmir.
TextResult translateToLlvmIr(const std::string &text);

/// LLVM IR through the default pipeline of \p level ("O0" … "O3"), or through
/// Triton's own LLVM pass "break-struct-phi-nodes".
TextResult runLlvmOpt(const std::string &text, const std::string &level);

/// Prints which register, lane and warp holds each element of \p tensorType,
/// a tensor type with an encoding: Triton's getLayoutStr().
/// \p hardwareView lists elements by hardware place instead.
TextResult printLayout(const std::string &tensorType, bool hardwareView);

} // namespace playground

#endif // PLAYGROUND_TEXTTOOLS_H
