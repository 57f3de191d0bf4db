// SPDX-License-Identifier: MIT

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

  private struct Entry {
    let key: Key
    /// Bytes of all files.
    var size: Int64 = 0
    var bodies: [Body] = []
  }

  /// Bytes of all files of all keys.
  private(set) var size: Int64 = 0
  private var entries = UseList<Entry>()
  private var places: [Key: UseList<Entry>.Place] = [:]

  /// The number of keys.
  var count: Int { places.count }

  func contains(_ name: String) -> Bool { place(of: name) != nil }

  /// The bodies of a key.
  func bodies(of name: String) -> [Body] { place(of: name).flatMap { entries[$0]?.bodies } ?? [] }

  /// The files that were not used for the longest time.
  var next: Files? {
    entries.next.flatMap { entries[$0] }.map { Files(name: $0.key.name, bodies: $0.bodies) }
  }

  /// Sets the files of a key, which counts as its use.
  ///
  /// - Parameter head: Bytes that the file of the variants takes up on disk.
  /// - Returns: Bytes that are there now and were not before; negative if there are fewer.
  @discardableResult
  mutating func set(_ name: String, head: Int64, bodies: [Body]) -> Int64 {
    guard let key = Key(name) else { return 0 }
    let new = bodies.reduce(head) { $0 + $1.size }
    let place = places[key] ?? entries.add(Entry(key: key))
    places[key] = place
    let grown = new - (entries[place]?.size ?? 0)
    entries.slots[Int(place)].element?.size = new
    entries.slots[Int(place)].element?.bodies = bodies
    entries.use(place)
    size += grown
    return grown
  }

  /// Counts a use of a key: it is the last to be removed now.
  mutating func use(_ name: String) {
    if let place = place(of: name) { entries.use(place) }
  }

  /// Takes a body out of the index.
  mutating func removeBody(_ number: UInt64, of name: String) {
    guard let place = place(of: name),
      let index = entries[place]?.bodies.firstIndex(where: { $0.number == number }),
      let body = entries.slots[Int(place)].element?.bodies.remove(at: index)
    else { return }
    entries.slots[Int(place)].element?.size -= body.size
    size -= body.size
  }

  /// Takes all files of a key out of the index.
  mutating func remove(_ name: String) {
    guard let key = Key(name), let place = places.removeValue(forKey: key) else { return }
    size -= entries.remove(place)?.size ?? 0
  }

  private func place(of name: String) -> UseList<Entry>.Place? { Key(name).flatMap { places[$0] } }
}
