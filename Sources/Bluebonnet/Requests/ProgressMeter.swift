// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// Two counters that become a `Progress` when it is asked for: most requests never need the object.
struct ProgressMeter {
  typealias Handler = @Sendable (Progress) -> Void

  private(set) var total: Int64 = 0
  private(set) var completed: Int64 = 0
  private var object: Progress?
  private var listener: (perform: Handler, gate: ProgressBarrier)?

  /// The listener, and its queue.
  var handler: (handler: Handler, queue: DispatchQueue)? {
    listener.map { ($0.perform, $0.gate.queue) }
  }

  /// One object for the whole life of the request, retries included.
  mutating func progress() -> Progress {
    if let object { return object }
    let progress = Progress(totalUnitCount: 0)
    object = progress
    write(to: progress)
    return progress
  }

  /// - Returns: The one before.
  mutating func setHandler(_ perform: @escaping Handler, gate: ProgressBarrier) -> Handler? {
    defer { listener = (perform, gate) }
    return listener?.perform
  }

  /// Takes new counts and tells the handler, if there is one, on its queue.
  mutating func update(completed: Int64, total: Int64) {
    self.total = total
    self.completed = completed
    if let object { write(to: object) }
    guard let listener else { return }
    let progress = progress()
    listener.gate.report { listener.perform(progress) }
  }

  mutating func reset() {
    total = 0
    completed = 0
    if let object { write(to: object) }
  }

  private func write(to progress: Progress) {
    // Foundation traps when a positive total becomes zero directly, so an empty one is left first.
    if total == 0, progress.totalUnitCount > 0 { progress.totalUnitCount = -1 }
    if completed < progress.completedUnitCount { progress.completedUnitCount = completed }
    progress.totalUnitCount = total
    progress.completedUnitCount = completed
  }
}
