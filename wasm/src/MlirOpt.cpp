//===- MlirOpt.cpp - A pass pipeline over MLIR text -----------------------===//

#include "MlirOpt.h"
#include "PassRecorder.h"
#include "Registration.h"
#include "RunningPass.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/Debug.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace playground;

namespace {

/// Switches LLVM_DEBUG output of some types on, for as long as it lives.
class DebugOutput {
public:
  explicit DebugOutput(const std::vector<std::string> &types)
      : wasOn(llvm::DebugFlag) {
    std::vector<const char *> names;
    for (const std::string &type : types)
      names.push_back(type.c_str());
    using namespace llvm;
    if (!names.empty()) {
      DebugFlag = true;
      setCurrentDebugTypes(names.data(), names.size());
    }
  }

  ~DebugOutput() {
    using namespace llvm;
    DebugFlag = wasOn;
    setCurrentDebugTypes(nullptr, 0);
  }

private:
  bool wasOn;
};

LogicalResult buildPipeline(StringRef pipeline, PassManager &passManager,
                            raw_ostream &errors) {
  if (pipeline.trim().empty())
    return success();
  if (!pipeline.trim().starts_with("builtin.module("))
    return parsePassPipeline(pipeline, passManager, errors);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, errors);
  if (failed(parsed))
    return failure();
  static_cast<OpPassManager &>(passManager) = std::move(*parsed);
  return success();
}

LogicalResult runOnBuffer(MLIRContext &context,
                          const std::shared_ptr<llvm::SourceMgr> &sourceMgr,
                          StringRef pipeline, const MlirOptOptions &options,
                          raw_ostream &output, raw_ostream &errors) {
  OwningOpRef<Operation *> op = parseSourceFile<ModuleOp>(
      sourceMgr, ParserConfig(&context, /*verifyAfterParse=*/true));
  if (!op)
    return failure();
  PassManager passManager(&context, ModuleOp::getOperationName(),
                          OpPassManager::Nesting::Implicit);
  if (failed(buildPipeline(pipeline, passManager, errors)))
    return failure();
  RunningPass::attach(passManager);
  PassRecorder::attach(passManager);
  if (failed(passManager.run(*op)))
    return failure();
  OpPrintingFlags flags;
  if (options.printDebugInfo || options.prettyDebugInfo)
    flags.enableDebugInfo(true, options.prettyDebugInfo);
  AsmState state(*op, flags);
  (*op)->print(output, state);
  output << '\n';
  return success();
}

LogicalResult processChunk(MLIRContext &context,
                           std::unique_ptr<llvm::MemoryBuffer> chunk,
                           StringRef pipeline, const MlirOptOptions &options,
                           raw_ostream &output, raw_ostream &errors) {
  auto sourceMgr = std::make_shared<llvm::SourceMgr>();
  sourceMgr->AddNewSourceBuffer(std::move(chunk), SMLoc());
  if (!options.verifyDiagnostics) {
    SourceMgrDiagnosticHandler handler(*sourceMgr, &context, errors);
    return runOnBuffer(context, sourceMgr, pipeline, options, output, errors);
  }
  using Handler = SourceMgrDiagnosticVerifierHandler;
  Handler handler(*sourceMgr, &context, errors,
                  options.onlyExpectedDiagnostics ? Handler::Level::OnlyExpected
                                                  : Handler::Level::All);
  context.printOpOnDiagnostic(false);
  // Failing is what such a file expects; the verifier alone decides.
  (void)runOnBuffer(context, sourceMgr, pipeline, options, output, errors);
  return handler.verify();
}

} // namespace

TextResult playground::runMlirOpt(const std::string &text,
                                  const std::string &pipeline,
                                  const MlirOptOptions &options) {
  TextResult result;
  llvm::raw_string_ostream output(result.output);
  llvm::raw_string_ostream errors(result.diagnostics);
  auto run = [&](std::unique_ptr<llvm::MemoryBuffer> chunk, raw_ostream &os) {
    MLIRContext context(dialectRegistry(), MLIRContext::Threading::DISABLED);
    context.allowUnregisteredDialects(options.allowUnregisteredDialects);
    return processChunk(context, std::move(chunk), pipeline, options, os,
                        errors);
  };
  registerPasses();
  DebugOutput debugOutput(options.debugTypes);
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, "<stdin>");
  StringRef marker = options.splitInputFile ? kDefaultSplitMarker : "";
  result.ok = succeeded(
      splitAndProcessBuffer(std::move(buffer), run, output, marker, marker));
  return result;
}
