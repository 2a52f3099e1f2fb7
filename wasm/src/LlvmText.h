//===- LlvmText.h - LLVM IR as text ---------------------------------------===//

#ifndef PLAYGROUND_LLVMTEXT_H
#define PLAYGROUND_LLVMTEXT_H

#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace playground {

inline std::string printModule(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

} // namespace playground

#endif // PLAYGROUND_LLVMTEXT_H
