//===- FatalErrors.h - The compiler's own aborts, as exceptions -----------===//

#ifndef PLAYGROUND_FATALERRORS_H
#define PLAYGROUND_FATALERRORS_H

namespace playground {

/// Makes report_fatal_error() throw std::runtime_error("LLVM ERROR: …") instead
/// of ending the process, so that its message reaches the page. State of the
/// compile that failed is leaked, not unwound.
void installFatalErrorHandler();

} // namespace playground

#endif // PLAYGROUND_FATALERRORS_H
