// SPDX-License-Identifier: MIT

/// Carries a value that belongs to the loop to wherever the loop is held next: through a `@Sendable` closure that runs there,
/// or within an object that any thread may refer to.
///
/// Unchecked because the wrapped value is touched only while the loop is held, and the loop's mutex
/// orders those touches.
package struct LoopConfined<Value>: @unchecked Sendable {
  package let value: Value

  @inlinable
  package init(_ value: Value) {
    self.value = value
  }
}
