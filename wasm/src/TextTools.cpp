//===- TextTools.cpp - Text in, text out: the small tools of a lit suite --===//

#include "TextTools.h"
#include "LlvmText.h"
#include "Registration.h"

#include "lib/Target/LLVMIR/LLVMPasses.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "triton/Dialect/TritonGPU/IR/Dialect.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace playground;

namespace {

/// One MLIR context whose diagnostics land in a string.
class DiagnosticContext {
public:
  explicit DiagnosticContext(std::string &diagnostics)
      : context(dialectRegistry(), mlir::MLIRContext::Threading::DISABLED),
        stream(diagnostics), handler(sourceMgr, &context, stream) {
    context.loadAllAvailableDialects();
  }

  mlir::MLIRContext *get() { return &context; }

private:
  mlir::MLIRContext context;
  llvm::SourceMgr sourceMgr;
  llvm::raw_string_ostream stream;
  mlir::SourceMgrDiagnosticHandler handler;
};

bool buildPasses(llvm::PassBuilder &builder, llvm::StringRef level,
                 llvm::ModulePassManager &passes) {
  if (level == "break-struct-phi-nodes") {
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(
        llvm::BreakStructPhiNodesPass()));
    return true;
  }
  if (level == "O0") {
    passes = builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0);
    return true;
  }
  const std::pair<llvm::StringRef, llvm::OptimizationLevel> levels[] = {
      {"O1", llvm::OptimizationLevel::O1},
      {"O2", llvm::OptimizationLevel::O2},
      {"O3", llvm::OptimizationLevel::O3}};
  for (const auto &[name, optimizationLevel] : levels) {
    if (level == name) {
      passes = builder.buildPerModuleDefaultPipeline(optimizationLevel);
      return true;
    }
  }
  return false;
}

} // namespace

TextResult playground::translateToLlvmIr(const std::string &text) {
  TextResult result;
  DiagnosticContext context(result.diagnostics);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, context.get());
  if (!module)
    return result;
  llvm::LLVMContext llvmContext;
  auto llvmModule = mlir::translateModuleToLLVMIR(*module, llvmContext);
  if (!llvmModule)
    return result;
  result.output = printModule(*llvmModule);
  result.ok = true;
  return result;
}

TextResult playground::runLlvmOpt(const std::string &text,
                                  const std::string &level) {
  TextResult result;
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module =
      llvm::parseIR(llvm::MemoryBufferRef(text, "<stdin>"), error, context);
  if (!module) {
    llvm::raw_string_ostream stream(result.diagnostics);
    error.print("llvm-opt", stream, /*ShowColors=*/false);
    return result;
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  // As opt has them: PassBuilder alone leaves vectorizers off.
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization =
      level == "O2" || level == "O3";
  llvm::PassBuilder builder(nullptr, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes;
  if (!buildPasses(builder, level, passes)) {
    result.diagnostics =
        "unknown level '" + level +
        "': expected O0, O1, O2, O3 or break-struct-phi-nodes\n";
    return result;
  }
  passes.run(*module, modules);
  result.output = printModule(*module);
  result.ok = true;
  return result;
}

TextResult playground::printLayout(const std::string &tensorType,
                                   bool hardwareView) {
  TextResult result;
  DiagnosticContext context(result.diagnostics);
  auto type = llvm::dyn_cast_or_null<mlir::RankedTensorType>(
      mlir::parseType(tensorType, context.get()));
  if (!type || !type.getEncoding()) {
    if (result.diagnostics.empty())
      result.diagnostics =
          "expected a tensor type with an encoding, got '" + tensorType + "'\n";
    return result;
  }
  result.output = mlir::triton::gpu::getLayoutStr(type, hardwareView);
  result.ok = true;
  return result;
}
