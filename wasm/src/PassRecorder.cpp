//===- PassRecorder.cpp - IR and time of every pass, on request -----------===//

#include "PassRecorder.h"
#include "LlvmText.h"
#include "PassNames.h"

#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace playground;

std::shared_ptr<std::vector<PassRecord>> PassRecorder::current;

namespace {

using Records = std::shared_ptr<std::vector<PassRecord>>;
using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Appends records for one run of one pass manager. A pass may run passes
/// inside itself (nested pipelines, adaptors), so open passes form a stack.
class Recording {
public:
  Recording(Records records, PassRecord::Kind kind)
      : records(std::move(records)), kind(kind) {}

  bool hasBaseline() const { return !lastText.empty(); }
  void setBaseline(std::string text) { lastText = std::move(text); }

  void begin() { starts.push_back(Clock::now()); }

  void abandon() {
    if (!starts.empty())
      starts.pop_back();
  }

  void end(llvm::StringRef name, llvm::function_ref<std::string()> print) {
    if (starts.empty())
      return;
    double seconds = secondsSince(starts.back());
    starts.pop_back();
    std::string text = print();
    bool changed = text != lastText;
    records->push_back(
        {kind, name.str(), changed, seconds, changed ? text : std::string()});
    if (changed)
      lastText = std::move(text);
  }

  /// For a pass that leaves nothing to print.
  void endUnprinted(llvm::StringRef name) {
    if (starts.empty())
      return;
    records->push_back(
        {kind, name.str(), true, secondsSince(starts.back()), std::string()});
    starts.pop_back();
  }

private:
  Records records;
  PassRecord::Kind kind;
  std::string lastText;
  std::vector<Clock::time_point> starts;
};

std::string printRoot(mlir::Operation *op) {
  while (mlir::Operation *parent = op->getParentOp())
    op = parent;
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo();
  op->print(stream, flags);
  return text;
}

class MlirRecorder : public mlir::PassInstrumentation {
public:
  explicit MlirRecorder(Records records)
      : recording(std::move(records), PassRecord::Kind::MLIR) {}

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    if (isAdaptor(*pass))
      return;
    if (!recording.hasBaseline())
      recording.setBaseline(printRoot(op));
    recording.begin();
  }

  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    if (!isAdaptor(*pass))
      recording.end(nameOf(*pass), [&] { return printRoot(op); });
  }

  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override {
    runAfterPass(pass, op);
  }

private:
  Recording recording;
};

} // namespace

void PassRecorder::start() {
  current = std::make_shared<std::vector<PassRecord>>();
}

std::vector<PassRecord> PassRecorder::stop() {
  std::vector<PassRecord> records;
  if (current)
    records = std::move(*current);
  current.reset();
  return records;
}

void PassRecorder::attach(mlir::PassManager &passManager) {
  if (!current)
    return;
  // Records keep the order in which passes ran only if one runs at a time.
  passManager.getContext()->disableMultithreading();
  passManager.addInstrumentation(std::make_unique<MlirRecorder>(current));
}

void PassRecorder::attach(llvm::PassInstrumentationCallbacks &callbacks,
                          const llvm::Module &module) {
  if (!current)
    return;
  auto recording = std::make_shared<Recording>(current, PassRecord::Kind::LLVM);
  recording->setBaseline(printModule(module));
  const llvm::Module *root = &module;

  callbacks.registerBeforeNonSkippedPassCallback(
      [recording](llvm::StringRef passId, llvm::Any) {
        if (!isContainer(passId))
          recording->begin();
      });
  callbacks.registerAfterPassCallback(
      [recording, root](llvm::StringRef passId, llvm::Any,
                        const llvm::PreservedAnalyses &preserved) {
        if (isContainer(passId))
          return;
        recording->end(passId, [&] { return printModule(*root); });
      });
  callbacks.registerAfterPassInvalidatedCallback(
      [recording](llvm::StringRef passId, const llvm::PreservedAnalyses &) {
        if (!isContainer(passId))
          recording->endUnprinted(passId);
      });
}
