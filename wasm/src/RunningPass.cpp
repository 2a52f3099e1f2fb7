//===- RunningPass.cpp - The pass that a failure belongs to ---------------===//

#include "RunningPass.h"
#include "PassNames.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/PassInstrumentation.h"
#include <algorithm>
#include <mutex>
#include <vector>

using namespace playground;

namespace {

// Natively MLIR runs passes over several functions at once.
std::mutex mutex;
std::vector<std::string> openPasses;
bool hasFailed = false;
char innermost[256];

void publish() {
  llvm::StringRef name;
  if (!openPasses.empty())
    name = openPasses.back();
  size_t size = std::min(name.size(), sizeof(innermost) - 1);
  std::copy_n(name.data(), size, innermost);
  innermost[size] = '\0';
}

void forget() {
  std::lock_guard<std::mutex> lock(mutex);
  openPasses.clear();
  hasFailed = false;
  publish();
}

class Tracker : public mlir::PassInstrumentation {
public:
  void runBeforePass(mlir::Pass *pass, mlir::Operation *) override {
    if (!isAdaptor(*pass))
      RunningPass::begin(nameOf(*pass));
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *) override {
    if (!isAdaptor(*pass))
      RunningPass::end();
  }

  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *) override {
    if (isAdaptor(*pass))
      return;
    std::lock_guard<std::mutex> lock(mutex);
    hasFailed = true;
  }
};

} // namespace

void RunningPass::begin(llvm::StringRef name) {
  std::lock_guard<std::mutex> lock(mutex);
  if (hasFailed)
    return;
  openPasses.push_back(name.str());
  publish();
}

void RunningPass::end() {
  std::lock_guard<std::mutex> lock(mutex);
  // Passes around the one that failed end too, and are not the cause.
  if (hasFailed || openPasses.empty())
    return;
  openPasses.pop_back();
  publish();
}

std::string RunningPass::take() {
  std::string name = innermost;
  forget();
  return name;
}

std::uintptr_t RunningPass::address() {
  return reinterpret_cast<std::uintptr_t>(innermost);
}

void RunningPass::attach(mlir::PassManager &passManager) {
  forget();
  passManager.addInstrumentation(std::make_unique<Tracker>());
}

void RunningPass::attach(llvm::PassInstrumentationCallbacks &callbacks) {
  forget();
  callbacks.registerBeforeNonSkippedPassCallback(
      [](llvm::StringRef passId, llvm::Any) {
        if (!isContainer(passId))
          begin(passId);
      });
  callbacks.registerAfterPassCallback(
      [](llvm::StringRef passId, llvm::Any, const llvm::PreservedAnalyses &) {
        if (!isContainer(passId))
          end();
      });
  callbacks.registerAfterPassInvalidatedCallback(
      [](llvm::StringRef passId, const llvm::PreservedAnalyses &) {
        if (!isContainer(passId))
          end();
      });
}
