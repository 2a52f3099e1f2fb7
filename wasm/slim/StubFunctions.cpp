//===- StubFunctions.cpp - Cut functions that no compile can reach --------===//
//
// A plugin for opt. It replaces the body of every function whose demangled name
// matches a line of -stub-list by a call that reports the fact, so that global
// dead-code elimination can drop what only those bodies used. A line that
// matches nothing is an error: the list must not outlive the LLVM it was
// written for.
//
//===----------------------------------------------------------------------===//

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

static cl::opt<std::string> stubList("stub-list",
                                     cl::desc("file of regular expressions"),
                                     cl::Required);

namespace {

struct Pattern {
  std::string text;
  Regex regex;
  unsigned functions = 0;
  unsigned instructions = 0;
};

std::vector<Pattern> readPatterns() {
  auto buffer = MemoryBuffer::getFile(stubList);
  if (!buffer)
    report_fatal_error(Twine("cannot read ") + stubList);
  std::vector<Pattern> patterns;
  for (line_iterator line(**buffer, /*SkipBlanks=*/true, '#');
       !line.is_at_eof(); ++line) {
    std::string text = line->trim().str();
    Regex regex(text);
    std::string error;
    if (!regex.isValid(error))
      report_fatal_error(Twine("bad pattern ") + text + ": " + error);
    patterns.push_back({std::move(text), std::move(regex)});
  }
  return patterns;
}

void stub(Function &function, FunctionCallee leftOut, StringRef name) {
  GlobalValue::LinkageTypes linkage = function.getLinkage();
  Comdat *comdat = function.getComdat();
  Attribute features = function.getFnAttribute("target-features");
  Attribute cpu = function.getFnAttribute("target-cpu");
  function.deleteBody();
  function.setLinkage(linkage);
  function.setComdat(comdat);
  // What was inferred about the old body is wrong for the new one.
  function.setAttributes(
      function.getAttributes().removeFnAttributes(function.getContext()));
  for (Attribute attribute : {features, cpu})
    if (attribute.isValid())
      function.addFnAttr(attribute);
  function.addFnAttr(Attribute::NoInline);
  IRBuilder<> builder(
      BasicBlock::Create(function.getContext(), "left_out", &function));
  builder.CreateCall(leftOut, builder.CreateGlobalString(name));
  builder.CreateUnreachable();
}

/// A static constructor of an inline variable names that variable, and code
/// generation drops the constructor where the variable is only declared. After
/// llvm-split that would be nearly everywhere.
void detachConstructors(Module &module) {
  GlobalVariable *list = module.getGlobalVariable("llvm.global_ctors");
  if (!list)
    return;
  auto *entries = dyn_cast<ConstantArray>(list->getInitializer());
  if (!entries)
    return;
  SmallVector<Constant *> detached;
  for (const Use &use : entries->operands()) {
    auto *entry = cast<ConstantStruct>(use.get());
    auto *none = Constant::getNullValue(entry->getOperand(2)->getType());
    detached.push_back(ConstantStruct::get(
        entry->getType(), {entry->getOperand(0), entry->getOperand(1), none}));
  }
  list->setInitializer(ConstantArray::get(entries->getType(), detached));
}

struct StubFunctionsPass : PassInfoMixin<StubFunctionsPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    Function *leftOut = module.getFunction("playground_left_out");
    if (!leftOut)
      report_fatal_error("playground_left_out is not in the module");
    std::vector<Pattern> patterns = readPatterns();
    detachConstructors(module);
    // Dump methods are marked used, for debuggers that are not here.
    removeFromUsedLists(module, [](Constant *) { return true; });
    for (Function &function : module) {
      if (function.isDeclaration() || &function == leftOut)
        continue;
      // A static constructor of a file whose name happens to match runs at
      // load.
      if (function.getName().starts_with("_GLOBAL__"))
        continue;
      std::string name = demangle(function.getName());
      for (Pattern &pattern : patterns) {
        if (!pattern.regex.match(name))
          continue;
        ++pattern.functions;
        pattern.instructions += function.getInstructionCount();
        stub(function, leftOut, name);
        break;
      }
    }
    bool stale = false;
    for (const Pattern &pattern : patterns) {
      errs() << pattern.functions << " functions, " << pattern.instructions
             << " instructions: " << pattern.text << '\n';
      stale |= pattern.functions == 0;
    }
    if (stale)
      report_fatal_error("a pattern of the stub list matches no function");
    return PreservedAnalyses::none();
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "StubFunctions", "1",
          [](PassBuilder &builder) {
            builder.registerPipelineParsingCallback(
                [](StringRef name, ModulePassManager &passes,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  if (name != "stub-functions")
                    return false;
                  passes.addPass(StubFunctionsPass());
                  return true;
                });
          }};
}
