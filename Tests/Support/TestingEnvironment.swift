// SPDX-License-Identifier: MIT
import Glibc

// Swift Testing starts all tests at once. Each step of one then waits behind the first steps of all others: on two cores for longer
// than a request waits for its response. Nor does it have to remember where each error was thrown: those that are thrown and caught,
// many thousands of them, took a third of the time. It reads both from the environment, which whoever runs the tests should not have
// to know: what is not set is set here, before `main` and before Swift Testing looks.
@used @section(".init_array")
private let setTestingEnvironment: @convention(c) () -> Void = {
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "16", 0)
  setenv("SWT_SWIFT_ERROR_BACKTRACING_ENABLED", "0", 0)
}
