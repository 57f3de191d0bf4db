// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages
import BluebonnetSemantics

/// Responses in memory, in front of any store: bounded by bytes, and the one unused for longest goes first.
///
/// Every method answers at once, without a system call, and may be called from any thread, also in loop context. Looking up, putting in
/// and dropping cost the same however many there are. A body is handed out as it is kept, without copying.
package final class InMemoryResponseStore: Sendable {
  /// A response as it is kept: with the object that it is handed out as.
  package struct Entry: Sendable {
    /// Head, key and times. The length of the body is known.
    package private(set) var response: StoredResponse
    /// The response and the body as callers see them.
    package let cached: CachedURLResponse
    /// The head that the rules go by, read once for all requests.
    package let head: StoredHead
    /// The span in which it answers plain requests, in seconds since 1970.
    fileprivate let plainSpan: Range<Double>
    /// The answer to the last of them: the next will mostly come within the same second.
    fileprivate var lastServed: (age: StoredHead.PlainAge, response: HTTPURLResponse)?

    /// - Parameter head: That of the response, where it is known.
    package init(_ response: StoredResponse, _ cached: CachedURLResponse, _ head: StoredHead? = nil) {
      self.response = response
      self.cached = cached
      // A newer head may have brought fields that the stored one says not to use again (RFC 9111 §5.2.2.4): reading drops them.
      self.head =
        if let head, head.directives.unusableFields.isEmpty { head } else { StoredHead(response) }
      plainSpan = response.key.isOfHTTP ? self.head.plainSpan : 0..<0
      self.response.bodyLength = Int64(cached.data.count)
    }

    /// Bytes of the body and the head.
    var size: Int { cached.data.count + response.fieldBlock.byteCount }
  }

  /// A kept response as it answers a plain request.
  package struct PlainAnswer: Sendable {
    package let response: HTTPURLResponse
    package let data: Data

    package init(response: HTTPURLResponse, data: Data) { (self.response, self.data) = (response, data) }
  }

  /// Responses without a body and fields cost something, too.
  static let countLimit = 4096
  /// The number of variants of one key that are kept.
  package static let variantLimit = 16

  private let members: Locked<Members>

  package init(capacity: Int) { members = Locked(Members(capacity: capacity)) }

  /// The variants that are kept under a key, the youngest first. Counts as use of each.
  package func entries(for key: StoredResponse.Key) -> [Entry] {
    members.withLock { $0.entries(for: key) }
  }

  /// The fresh response that answers a plain request, as callers see it; counts as its use. Nil if the rules decide whether
  /// one does, and which one.
  ///
  /// - Parameters:
  ///   - url: The address, without a base.
  ///   - key: The key of the address as it is written.
  ///   - fields: All that go out with the request.
  ///   - now: Seconds since 1970.
  package func plainAnswer(
    to url: URL, _ key: StoredResponse.Key, fields: HeaderFields, partition: CachePartition, now: Double
  ) -> PlainAnswer? {
    members.withLock { $0.plainAnswer(to: url, key, fields, partition, now) }
  }

  /// Whether anything is kept under a key, which does not count as its use.
  package func contains(_ key: StoredResponse.Key) -> Bool { members.withLock { $0.contains(key) } }

  /// Keeps a response, in the place of the one with the same key and variant.
  ///
  /// - Returns: Whether it is kept: not if its body takes more than a twentieth of the capacity. The one before it is gone in any case.
  @discardableResult
  package func insert(_ entry: Entry) -> Bool { change { $0.insert(entry) } }

  /// Keeps a response that has been found elsewhere, unless there is one with the same key and variant.
  package func adopt(_ entry: Entry) { change { $0.adopt(entry) } }

  /// Gives a response another head, if it is still the same one, and its head is no newer.
  ///
  /// - Parameters:
  ///   - head: The new head, where it has been read.
  ///   - cached: What it is handed out as from now on, with the body that it had.
  /// - Returns: Whether it was there.
  @discardableResult
  package func update(
    _ response: StoredResponse, _ head: StoredHead? = nil, _ cached: (CachedURLResponse) -> CachedURLResponse
  ) -> Bool {
    guard let old = entries(for: response.key).first(where: { $0.response.id == response.id }) else {
      return false
    }
    // Made without the lock: it costs more than what the lock is for.
    let new = Entry(response, cached(old.cached), head)
    return change { $0.replace(new) }
  }

  /// Removes all variants of a key.
  package func remove(_ key: StoredResponse.Key) { change { $0.remove(key) } }

  /// Removes the variant of a key that a response would take the place of.
  package func remove(_ response: StoredResponse) {
    change { $0.remove(response.key, response.variant) }
  }

  /// Removes what a response takes the place of, by whatever clock, and the other variants of its key that came before it, or with it.
  func removeVariants(outdatedBy response: StoredResponse) {
    change {
      $0.remove(response.key, response.variant)
      $0.removeVariants(of: response.key, until: response.responseTime)
    }
  }

  /// Removes all that a condition holds for.
  package func remove(where isPendingRemoval: (StoredResponse) -> Bool) {
    change { $0.remove(where: isPendingRemoval) }
  }

  /// Bytes that may be kept, heads and bodies together. The excess goes at once.
  package var capacity: Int {
    get { members.withLock { $0.capacity } }
    set { change { $0.capacity = newValue } }
  }

  /// Bytes of heads and bodies.
  package var usage: Int { members.withLock { $0.usage } }

  /// Changes the members, and releases dropped entries when the lock is free: they hold objects of the user's, and their end
  /// may ask the cache.
  private func change<Result: Sendable>(_ body: (inout Members) -> Result) -> Result {
    let (result, spent) = members.withLock { members in
      let result = body(&members)
      members.trim()
      return (result, members.takeSpent())
    }
    withExtendedLifetime(spent) {}
    return result
  }
}

extension InMemoryResponseStore {
  private struct Members {
    var capacity: Int
    private(set) var usage = 0
    private var list = UseList<Entry>()
    /// The places of each key's variants, the youngest last.
    private var places: [StoredResponse.Key: [UseList<Entry>.Place]] = [:]
    private var count = 0
    private var spent: [Entry] = []

    init(capacity: Int) { self.capacity = capacity }

    mutating func entries(for key: StoredResponse.Key) -> [Entry] {
      guard let variants = places[key] else { return [] }
      var found: [Entry] = []
      found.reserveCapacity(variants.count)
      for place in variants.reversed() {
        if let entry = list[place] { found.append(entry) }
      }
      // The youngest is the last to go.
      for place in variants { list.use(place) }
      return found
    }

    func contains(_ key: StoredResponse.Key) -> Bool { places[key] != nil }

    mutating func plainAnswer(
      to url: URL, _ key: StoredResponse.Key, _ fields: HeaderFields, _ partition: CachePartition,
      _ now: Double
    ) -> PlainAnswer? {
      // Of several variants, the rules choose.
      guard let variants = places[key], variants.count == 1 else { return nil }
      let place = variants[0]
      guard let answer = list.slots[Int(place)].element?.plainAnswer(to: url, fields, partition, now) else {
        return nil
      }
      list.use(place)
      return answer
    }

    mutating func insert(_ entry: Entry) -> Bool {
      let key = entry.response.key
      remove(key, entry.response.variant)
      guard entry.cached.data.count <= capacity / 20, entry.size <= capacity else { return false }
      if let variants = places[key], variants.count >= InMemoryResponseStore.variantLimit {
        drop(variants[0])
      }
      places[key, default: []].append(list.add(entry))
      usage += entry.size
      count += 1
      return true
    }

    mutating func adopt(_ entry: Entry) {
      let variants = places[entry.response.key] ?? []
      if variants.contains(where: { list[$0]?.response.variant == entry.response.variant }) { return }
      _ = insert(entry)
    }

    mutating func replace(_ entry: Entry) -> Bool {
      for place in places[entry.response.key] ?? [] {
        guard let old = list[place], old.response.id == entry.response.id else { continue }
        // The store may come to an older head after a newer one.
        if old.response.responseTime > entry.response.responseTime { return true }
        usage += entry.size - old.size
        list.slots[Int(place)].element = entry
        spent.append(old)
        return true
      }
      return false
    }

    mutating func remove(_ key: StoredResponse.Key) {
      for place in places[key] ?? [] { drop(place) }
    }

    mutating func remove(_ key: StoredResponse.Key, _ variant: [StoredResponse.RequestField]) {
      for place in places[key] ?? [] where list[place]?.response.variant == variant { drop(place) }
    }

    mutating func removeVariants(of key: StoredResponse.Key, until moment: Date) {
      for place in places[key] ?? [] {
        if let entry = list[place], entry.response.responseTime <= moment { drop(place) }
      }
    }

    mutating func remove(where isPendingRemoval: (StoredResponse) -> Bool) {
      for place in list.places {
        if let entry = list[place], isPendingRemoval(entry.response) { drop(place) }
      }
    }

    mutating func trim() {
      while usage > capacity || count > InMemoryResponseStore.countLimit, let next = list.next {
        drop(next)
      }
    }

    mutating func takeSpent() -> [Entry] {
      var taken: [Entry] = []
      swap(&taken, &spent)
      return taken
    }

    private mutating func drop(_ place: UseList<Entry>.Place) {
      guard let entry = list.remove(place) else { return }
      usage -= entry.size
      count -= 1
      let key = entry.response.key
      places[key]?.removeAll { $0 == place }
      if places[key]?.isEmpty ?? false { places[key] = nil }
      spent.append(entry)
    }
  }
}

extension InMemoryResponseStore.Entry {
  // Mutating, so that nothing is copied to ask it.
  fileprivate mutating func plainAnswer(
    to url: URL, _ fields: HeaderFields, _ partition: CachePartition, _ now: Double
  ) -> InMemoryResponseStore.PlainAnswer? {
    guard plainSpan.contains(now), head.selection.answers(fields, partition: partition) else { return nil }
    let age = head.plainAge(at: now)
    if let lastServed, lastServed.age == age {
      return .init(response: lastServed.response, data: cached.data)
    }
    let made = HTTPURLResponse(
      url: url, statusCode: head.status, minorVersion: response.minorVersion,
      fields: head.plainlyServed(age))
    lastServed = (age, made)
    return .init(response: made, data: cached.data)
  }
}

extension StoredResponse.Key {
  /// Whether it is of an address that this package loads over HTTP.
  package var isOfHTTP: Bool { target.hasPrefix("http://") || target.hasPrefix("https://") }
}
