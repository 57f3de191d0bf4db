/// The files in a store's directory, as far as this process knows them: their sizes by keys, in the order of their last use.
///
/// A value. Looking up, adding, using and removing cost the same however many keys there are. About 100 bytes of memory for a key.
struct StoreIndex: Sendable {
  /// A large body in a file of its own.
  struct Body: Equatable, Sendable {
    let number: UInt64
    /// Bytes that it takes up on disk.
    let size: Int64
  }

  /// The files of one key.
  struct Files: Equatable, Sendable {
    /// The name of the file of its variants.
    let name: String
    var bodies: [Body]
  }

  /// The two halves of a file's name: a string would take up more than all the rest.
  private struct Key: Hashable {
    let high: UInt64
    let low: UInt64

    init?(_ name: String) {
      guard name.utf8.count == 32, let high = StoreDirectory.number(name.prefix(16)),
        let low = StoreDirectory.number(name.suffix(16))
      else { return nil }
      self.high = high
      self.low = low
    }

    var name: String { StoreDirectory.hexadecimal(high) + StoreDirectory.hexadecimal(low) }
  }

  private struct Slot {
    let key: Key
    /// Bytes of all files.
    var size: Int64
    var bodies: [Body]
    var newer = none
    var older = none
  }

  private static let none = Int32(-1)

  /// Bytes of all files of all keys.
  private(set) var size: Int64 = 0
  private var slots: [Slot] = []
  private var free: [Int32] = []
  private var places: [Key: Int32] = [:]
  private var newest = none
  private var oldest = none

  /// The number of keys.
  var count: Int { places.count }

  func contains(_ name: String) -> Bool { place(of: name) != nil }

  /// The bodies of a key.
  func bodies(of name: String) -> [Body] { place(of: name).map { slots[Int($0)].bodies } ?? [] }

  /// The files that were not used for the longest time.
  var next: Files? {
    oldest == Self.none
      ? nil : Files(name: slots[Int(oldest)].key.name, bodies: slots[Int(oldest)].bodies)
  }

  /// Sets the files of a key, which counts as its use.
  ///
  /// - Parameter head: Bytes that the file of the variants takes up on disk.
  /// - Returns: Bytes that are there now and were not before; negative if there are fewer.
  @discardableResult
  mutating func set(_ name: String, head: Int64, bodies: [Body]) -> Int64 {
    guard let key = Key(name) else { return 0 }
    let new = bodies.reduce(head) { $0 + $1.size }
    let place: Int32
    if let known = places[key] {
      place = known
      unlink(place)
    } else {
      place = free.popLast() ?? Int32(slots.count)
      let slot = Slot(key: key, size: 0, bodies: [])
      if place == slots.count { slots.append(slot) } else { slots[Int(place)] = slot }
      places[key] = place
    }
    let grown = new - slots[Int(place)].size
    slots[Int(place)].size = new
    slots[Int(place)].bodies = bodies
    size += grown
    link(place)
    return grown
  }

  /// Counts a use of a key: it is the last to be removed now.
  mutating func use(_ name: String) {
    guard let place = place(of: name), place != newest else { return }
    unlink(place)
    link(place)
  }

  /// Takes a body out of the index.
  mutating func removeBody(_ number: UInt64, of name: String) {
    guard let place = place(of: name),
      let index = slots[Int(place)].bodies.firstIndex(where: { $0.number == number })
    else { return }
    let body = slots[Int(place)].bodies.remove(at: index)
    slots[Int(place)].size -= body.size
    size -= body.size
  }

  /// Takes all files of a key out of the index.
  mutating func remove(_ name: String) {
    guard let key = Key(name), let place = places.removeValue(forKey: key) else { return }
    unlink(place)
    size -= slots[Int(place)].size
    slots[Int(place)].bodies = []
    free.append(place)
  }

  private func place(of name: String) -> Int32? { Key(name).flatMap { places[$0] } }

  private mutating func link(_ place: Int32) {
    slots[Int(place)].newer = Self.none
    slots[Int(place)].older = newest
    if newest != Self.none { slots[Int(newest)].newer = place } else { oldest = place }
    newest = place
  }

  private mutating func unlink(_ place: Int32) {
    let (newer, older) = (slots[Int(place)].newer, slots[Int(place)].older)
    if newer != Self.none { slots[Int(newer)].older = older } else { newest = older }
    if older != Self.none { slots[Int(older)].newer = newer } else { oldest = newer }
  }
}
