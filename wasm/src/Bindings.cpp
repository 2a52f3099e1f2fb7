//===- Bindings.cpp - libtriton.playground, our own Python submodule ------===//

#include "FatalErrors.h"
#include "MlirOpt.h"
#include "PassRecorder.h"
#include "RunningPass.h"
#include "TextTools.h"

#include "llvm/Config/llvm-config.h"
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;
using namespace playground;

namespace {

py::tuple toTuple(const TextResult &result) {
  return py::make_tuple(result.ok, result.output, result.diagnostics);
}

py::list toList(std::vector<PassRecord> records) {
  py::list list;
  for (PassRecord &record : records)
    list.append(py::make_tuple(
        record.kind == PassRecord::Kind::MLIR ? "mlir" : "llvm", record.name,
        record.changed, record.seconds, std::move(record.text)));
  return list;
}

} // namespace

// Called by Triton's main.cc, where it stands in the list of backends.
void init_triton_playground(py::module &&m) {
  installFatalErrorHandler();

  m.doc() = "Pass records and text tools of Triton Playground";
  m.attr("LLVM_VERSION") = LLVM_VERSION_STRING;

  m.def("start_recording", &PassRecorder::start,
        "Record every pass from now on; drops an unfinished recording.");
  m.def(
      "stop_recording", [] { return toList(PassRecorder::stop()); },
      "Returns [(kind, name, changed, seconds, text)] in the order run; kind "
      "is "
      "'mlir' or 'llvm', text the module after the pass, '' when unchanged.");

  m.def("running_pass", &RunningPass::take,
        "Returns the name of the pass that failed, or that an exception left "
        "unfinished, and forgets it; '' when there is none.");
  m.def("running_pass_address", &RunningPass::address,
        "Returns where that name lies in memory, ended by NUL: what a host "
        "reads after a trap.");

  m.def(
      "mlir_opt",
      [](const std::string &text, const std::string &pipeline,
         bool splitInputFile, bool verifyDiagnostics,
         bool onlyExpectedDiagnostics, bool allowUnregisteredDialects,
         bool printDebugInfo, bool prettyDebugInfo,
         const std::vector<std::string> &debugTypes) {
        MlirOptOptions options;
        options.splitInputFile = splitInputFile;
        options.verifyDiagnostics = verifyDiagnostics;
        options.onlyExpectedDiagnostics = onlyExpectedDiagnostics;
        options.debugTypes = debugTypes;
        options.allowUnregisteredDialects = allowUnregisteredDialects;
        options.printDebugInfo = printDebugInfo;
        options.prettyDebugInfo = prettyDebugInfo;
        return toTuple(runMlirOpt(text, pipeline, options));
      },
      py::arg("text"), py::arg("pipeline"), py::kw_only(),
      py::arg("split_input_file") = false,
      py::arg("verify_diagnostics") = false,
      py::arg("only_expected_diagnostics") = false,
      py::arg("allow_unregistered_dialect") = false,
      py::arg("print_debuginfo") = false, py::arg("pretty_debuginfo") = false,
      py::arg("debug_types") = std::vector<std::string>(),
      "Runs a textual pass pipeline; returns (ok, output, diagnostics).");

  m.def(
      "mlir_to_llvmir",
      [](const std::string &text) { return toTuple(translateToLlvmIr(text)); },
      py::arg("text"),
      "Translates LLVM-dialect MLIR; returns (ok, output, diagnostics).");
  m.def(
      "llvm_opt",
      [](const std::string &text, const std::string &level) {
        return toTuple(runLlvmOpt(text, level));
      },
      py::arg("text"), py::arg("level"),
      "Runs an LLVM pipeline (O0 to O3, break-struct-phi-nodes); returns (ok, "
      "output, diagnostics).");
  m.def(
      "print_layout",
      [](const std::string &tensorType, bool hardwareView) {
        return toTuple(printLayout(tensorType, hardwareView));
      },
      py::arg("tensor_type"), py::arg("hardware_view") = false,
      "Prints Triton's layout table of a tensor type with an encoding; returns "
      "(ok, output, diagnostics).");
}
