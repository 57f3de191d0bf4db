/// Carries a value that belongs to the loop through a `@Sendable` closure that runs there.
///
/// Unchecked because the wrapped value is touched only while the loop is held, and the loop's mutex
/// orders those touches.
struct LoopConfined<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
