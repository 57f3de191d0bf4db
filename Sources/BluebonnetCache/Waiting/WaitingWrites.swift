// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// The changes of a store that wait for their turns and may still be replaced: a newer response takes the turn of an older one that has not been
/// written yet, and one removal is enough for several requests of it.
///
/// A value. The turns themselves are those of ``OrderedChanges``.
struct WaitingWrites: Sendable {
  /// A response that is to be written.
  struct Write: Sendable {
    let response: StoredResponse
    /// Nil if the response is not stored: then what it would have taken the place of goes.
    let body: Data?
    /// The moment of the request, by ``ResourceChanges/now``.
    let askedFor: Double
    let share: WriteShare?
  }

  /// A new head of a stored response.
  struct Update: Sendable {
    let response: StoredResponse
    let share: WriteShare
  }

  /// A change that waits, or is being made.
  struct Turn<Change: Sendable>: Sendable {
    /// The change; nil once it is being made.
    var change: Change?
    var task: Task<Void, Never>?
    /// Whether the key is hidden until the change has been made.
    var hides = false
  }

  private struct Place: Hashable, Sendable {
    let key: StoredResponse.Key
    let variant: [StoredResponse.RequestField]
  }

  private var lastNumber: UInt64 = 0
  private(set) var writes: [UInt64: Turn<Write>] = [:]
  /// The writes that a newer response may replace: no other change of the same key has been asked for since.
  private var open: [StoredResponse.Key: [Place: UInt64]] = [:]
  private var updates: [UInt64: Turn<Update>] = [:]
  private var removals: [StoredResponse.Key: (number: UInt64, task: Task<Void, Never>)] = [:]
  /// The numbers of writes of each key that wait or are being made.
  private var busy: [StoredResponse.Key: Int] = [:]
  /// The number of waiting writes that only remove.
  private(set) var displacements = 0

  private mutating func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Whether a write of a key waits or is being made.
  func isBusy(_ key: StoredResponse.Key) -> Bool { busy[key] != nil }

  // MARK: Writes

  /// The waiting write that a response may replace.
  func openWrite(for response: StoredResponse) -> UInt64? {
    open[response.key]?[Place(key: response.key, variant: response.variant)]
  }

  /// Takes a waiting write out, to put another one in its place.
  mutating func takeChange(_ number: UInt64) -> Write? {
    let write = writes[number]?.change.take()
    if let write, write.body == nil { displacements -= 1 }
    return write
  }

  mutating func put(_ write: Write, _ number: UInt64, hides: Bool) {
    writes[number]?.change = write
    if hides { writes[number]?.hides = true }
    if write.body == nil { displacements += 1 }
  }

  /// Adds a write with a turn of its own.
  mutating func add(_ write: Write, hides: Bool) -> UInt64 {
    let number = nextNumber()
    let (key, variant) = (write.response.key, write.response.variant)
    writes[number] = Turn(change: write, hides: hides)
    open[key, default: [:]][Place(key: key, variant: variant)] = number
    if write.body == nil { displacements += 1 }
    begin(key)
    return number
  }

  /// The task that ends when a write has been made.
  func task(of number: UInt64) -> Task<Void, Never>? { writes[number]?.task }

  /// Whether a write's key is hidden until it has been made.
  func hides(_ number: UInt64) -> Bool { writes[number]?.hides ?? false }

  mutating func note(_ task: Task<Void, Never>, of number: UInt64) { writes[number]?.task = task }

  /// Takes a write in its turn: no other replaces it any more.
  mutating func begin(_ number: UInt64) -> Write? {
    guard let write = takeChange(number) else { return nil }
    let key = write.response.key
    let place = Place(key: key, variant: write.response.variant)
    if open[key]?[place] == number { open[key]?[place] = nil }
    if open[key]?.isEmpty ?? false { open[key] = nil }
    return write
  }

  /// Ends a write that has been made.
  ///
  /// - Returns: Whether its key was hidden until now.
  mutating func end(_ number: UInt64, _ key: StoredResponse.Key) -> Bool {
    end(key)
    return writes.removeValue(forKey: number)?.hides ?? false
  }

  /// Notes another kind of write of a key: removals that are asked for later come after it.
  mutating func begin(_ key: StoredResponse.Key) {
    busy[key, default: 0] += 1
    removals[key] = nil
  }

  mutating func end(_ key: StoredResponse.Key) {
    if let times = busy[key] { busy[key] = times > 1 ? times - 1 : nil }
  }

  /// Lets no response replace a waiting write of a key any more: another change comes after it.
  mutating func close(_ key: StoredResponse.Key) { open[key] = nil }

  /// The same for all keys.
  mutating func closeAll() {
    open = [:]
    removals = [:]
  }

  // MARK: New heads

  /// Puts a newer head in the place of one that waits.
  ///
  /// - Returns: The task of the update; nil if none waits.
  mutating func replaceUpdate(_ response: StoredResponse) -> Task<Void, Never>? {
    guard let turn = updates[response.id], let known = turn.change else { return nil }
    updates[response.id]?.change = Update(response: response, share: known.share)
    return turn.task
  }

  mutating func add(_ update: Update, _ task: Task<Void, Never>) {
    updates[update.response.id] = Turn(change: update, task: task)
  }

  mutating func takeUpdate(_ id: UInt64) -> Update? { updates.removeValue(forKey: id)?.change }

  // MARK: Removals

  /// The waiting removal of all of these keys; nil if one of them is not about to be removed.
  func removal(of keys: [StoredResponse.Key]) -> Task<Void, Never>? {
    let known = keys.compactMap { removals[$0] }
    return known.count == keys.count ? known.max { $0.number < $1.number }?.task : nil
  }

  mutating func addRemoval(of keys: [StoredResponse.Key], _ task: (UInt64) -> Task<Void, Never>) -> Task<
    Void, Never
  > {
    let number = nextNumber()
    let task = task(number)
    for key in keys {
      close(key)
      removals[key] = (number, task)
    }
    return task
  }

  /// Begins a removal in its turn.
  mutating func beginRemoval(_ number: UInt64, of keys: [StoredResponse.Key]) {
    for key in keys where removals[key]?.number == number { removals[key] = nil }
  }
}
