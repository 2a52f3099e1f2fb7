//===- Registration.h - Every dialect and pass of this build --------------===//

#ifndef PLAYGROUND_REGISTRATION_H
#define PLAYGROUND_REGISTRATION_H

#include "mlir/IR/DialectRegistry.h"

namespace playground {

/// The dialects that Triton's two backends reach, with their translations to
/// LLVM IR. Registering all of MLIR would bring in dialects that no kernel
/// uses.
const mlir::DialectRegistry &dialectRegistry();

/// Registers Triton's passes and the MLIR passes that its lit suite names,
/// once.
void registerPasses();

} // namespace playground

#endif // PLAYGROUND_REGISTRATION_H
