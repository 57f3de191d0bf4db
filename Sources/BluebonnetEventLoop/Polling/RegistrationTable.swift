// SPDX-License-Identifier: MIT

/// The handlers of descriptors.
struct RegistrationTable {
  private struct Entry {
    var generation: UInt32
    var handler: any ReadinessHandler
  }

  /// Indexed by descriptor: the kernel always gives out the lowest free number, so this stays dense.
  private var entries: [Entry?] = []
  /// One more with each registration.
  private(set) var nextGeneration: UInt32 = 1

  /// Enters a handler; an entry that was there before becomes void.
  mutating func insert(_ handler: any ReadinessHandler, for descriptor: Int32) -> Registration {
    let index = Int(descriptor)
    while entries.count <= index { entries.append(nil) }
    let generation = nextGeneration
    // The wake-up descriptor has generation 0 for itself.
    nextGeneration = nextGeneration == .max ? 1 : nextGeneration + 1
    entries[index] = Entry(generation: generation, handler: handler)
    return Registration(descriptor: descriptor, generation: generation)
  }

  /// The handler of a registration that is still in force.
  func handler(of registration: Registration) -> (any ReadinessHandler)? {
    let index = Int(registration.descriptor)
    guard entries.indices.contains(index), let entry = entries[index],
      entry.generation == registration.generation
    else { return nil }
    return entry.handler
  }

  /// Ends a registration; false if it was not in force.
  @discardableResult
  mutating func remove(_ registration: Registration) -> Bool {
    guard handler(of: registration) != nil else { return false }
    entries[Int(registration.descriptor)] = nil
    return true
  }
}
