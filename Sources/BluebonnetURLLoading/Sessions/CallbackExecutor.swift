// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetFoundation

/// The place where a step runs: an event loop, or a queue.
package struct CallbackExecutor: Sendable {
  enum Kind: Sendable {
    case loop(EventLoop)
    case queue(DispatchQueue)
    /// - Parameter behind: The queue on which a subclass, the user's code, is called; nil for a plain one.
    case operations(OperationQueue, behind: DispatchQueue?)
  }

  let kind: Kind

  /// A loop that owns sockets and exchanges.
  package static func loop(_ loop: EventLoop) -> CallbackExecutor { CallbackExecutor(kind: .loop(loop)) }

  /// A serial queue of the caller's.
  package static func queue(_ queue: DispatchQueue) -> CallbackExecutor {
    CallbackExecutor(kind: .queue(queue))
  }

  /// A session's delegate queue.
  package static func operations(_ queue: OperationQueue) -> CallbackExecutor {
    let isPlain = type(of: queue) == OperationQueue.self
    return CallbackExecutor(
      kind: .operations(queue, behind: isPlain ? nil : DispatchQueue(label: "bluebonnet.operations")))
  }

  /// Whether steps run on the event loop.
  package var isLoop: Bool {
    if case .loop = kind { true } else { false }
  }

  /// Whether it is no loop, or one that the caller holds.
  var isHeldIfLoop: Bool {
    if case .loop(let loop) = kind { loop.isHeld } else { true }
  }

  /// Always later, in order.
  package func async(_ work: @escaping @Sendable () -> Void) {
    switch kind {
    case .loop(let loop): loop.enqueue(work)
    case .queue(let queue): queue.async(execute: work)
    case .operations(let queue, let own?): own.async { queue.addOperation(work) }
    case .operations(let queue, nil): queue.addOperation(work)
    }
  }

  /// On the loop: at once if the caller holds the loop or can take it, otherwise soon. On a queue: like `async`.
  package func run(_ work: @escaping @Sendable () -> Void) {
    if case .loop(let loop) = kind { loop.execute(work) } else { async(work) }
  }
}
