//===- LlvmFlags.h - LLVM's boolean options, set for one compile ----------===//

#ifndef PLAYGROUND_LLVMFLAGS_H
#define PLAYGROUND_LLVMFLAGS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <utility>

namespace playground {

/// Sets boolean command line options of LLVM by name; its end puts back what
/// they were. One process compiles for many requests, so a flag must not
/// outlive its own.
class LlvmFlags {
public:
  LlvmFlags() = default;
  LlvmFlags(const LlvmFlags &) = delete;
  LlvmFlags &operator=(const LlvmFlags &) = delete;

  ~LlvmFlags() {
    while (!saved.empty()) {
      auto [flag, value] = saved.pop_back_val();
      flag->setValue(value);
    }
  }

  /// Returns whether an option of that name exists. It has to be a
  /// cl::opt<bool>.
  bool enable(llvm::StringRef name) {
    auto &options = llvm::cl::getRegisteredOptions();
    auto found = options.find(name);
    if (found == options.end())
      return false;
    auto *flag = static_cast<llvm::cl::opt<bool> *>(found->second);
    saved.push_back({flag, flag->getValue()});
    flag->setValue(true);
    return true;
  }

private:
  llvm::SmallVector<std::pair<llvm::cl::opt<bool> *, bool>, 4> saved;
};

} // namespace playground

#endif // PLAYGROUND_LLVMFLAGS_H
