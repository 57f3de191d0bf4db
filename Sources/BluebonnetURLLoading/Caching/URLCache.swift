import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetSemantics

/// Responses that may stand in for loads. May be used from any thread.
///
/// Kept under method and address; `Vary` is respected, `Authorization` always counts as if it were named there, and nothing
/// but GET and HEAD is answered. A load that changes a resource forgets what is kept of it.
///
/// A subclass may keep them elsewhere: sessions call its methods on a serial queue of theirs, and loads wait for them.
open class URLCache: @unchecked Sendable {
  // Unchecked: the only stored members are mutexes.
  private struct Members {
    /// Entries without a body cost something, too.
    static let entryLimit = 4096

    var memoryCapacity: Int
    var diskCapacity: Int
    /// Each with its variants, of which most addresses have one.
    private var entries: [CacheKey: [Entry]] = [:]
    private var count = 0
    private var serial = 0
    /// Serials in order, with those of entries that have gone meanwhile; before `first` there are only such.
    private var arrivals: [(key: CacheKey, serial: Int)] = []
    private var first = 0
    /// The sum of the entries' heads and bodies.
    private(set) var memoryUsage = 0
    /// Entries that are kept no longer, until they are let go of.
    private var spent: [Entry] = []

    init(memoryCapacity: Int, diskCapacity: Int) {
      self.memoryCapacity = memoryCapacity
      self.diskCapacity = diskCapacity
    }

    func entry(for request: URLRequest) -> Entry? {
      CacheKey(request).flatMap { entries[$0] }?.last { $0.selection.answers(request.headerFields) }
    }

    mutating func store(_ response: CachedURLResponse, for request: URLRequest) {
      serial += 1
      guard let key = CacheKey(request) else { return }
      guard let entry = Entry(response, for: request, serial: serial) else { return }
      change(key, droppingWhere: { $0.selection == entry.selection }) { $0.append(entry) }
      arrivals.append((key, serial))
      while count > Self.entryLimit || memoryUsage > memoryCapacity { removeOldest() }
      if arrivals.count > 2 * count + 1024 { forgetArrivals() }
    }

    mutating func remove(_ url: URL) {
      for key in CacheKey.all(of: url) { change(key, droppingWhere: { _ in true }) }
    }

    mutating func keep(where isKept: (CachedURLResponse) -> Bool) {
      for key in Array(entries.keys) { change(key, droppingWhere: { !isKept($0.response) }) }
    }

    /// What is kept no longer, to be let go of when the lock is free: it holds objects of the user's, whose end may ask the
    /// cache.
    mutating func takeSpent() -> [Entry] {
      var taken: [Entry] = []
      swap(&taken, &spent)
      return taken
    }

    private mutating func removeOldest() {
      while first < arrivals.count {
        let oldest = arrivals[first]
        first += 1
        let before = count
        change(oldest.key, droppingWhere: { $0.serial == oldest.serial })
        if count < before { return }
      }
    }

    private mutating func forgetArrivals() {
      arrivals = arrivals[first...].filter { arrival in
        entries[arrival.key]?.contains { $0.serial == arrival.serial } ?? false
      }
      first = 0
    }

    private mutating func change(
      _ key: CacheKey, droppingWhere isSpent: (Entry) -> Bool, then body: (inout [Entry]) -> Void = { _ in }
    ) {
      var dropped: [Entry] = []
      let change = Self.change(&entries[key, default: []]) { variants in
        dropped = variants.filter(isSpent)
        if !dropped.isEmpty { variants.removeAll(where: isSpent) }
        body(&variants)
      }
      spent += dropped
      count += change.count
      memoryUsage += change.size
      if change.isEmpty { entries[key] = nil }
    }

    /// What changed, in entries and bytes, and whether nothing is left.
    private static func change(
      _ variants: inout [Entry], _ body: (inout [Entry]) -> Void
    ) -> (count: Int, size: Int, isEmpty: Bool) {
      let (count, size) = (variants.count, Self.size(of: variants))
      body(&variants)
      return (variants.count - count, Self.size(of: variants) - size, variants.isEmpty)
    }

    private static func size(of variants: [Entry]) -> Int { variants.reduce(0) { $0 + $1.size } }
  }

  private let members: Locked<Members>
  private static let sharedCache = Locked(URLCache(memoryCapacity: 512_000, diskCapacity: 0, diskPath: nil))

  /// The cache of `URLSessionConfiguration.default`, shared by the whole process: 512,000 bytes in memory, unless
  /// another one is set.
  open class var shared: URLCache {
    get { sharedCache.withLock { $0 } }
    set {
      // The old one goes when the lock is free: it may ask for the new one.
      var cache = newValue
      sharedCache.withLock { swap(&$0, &cache) }
    }
  }

  /// Makes a cache. Nothing is written to disk.
  public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
    members = Locked(Members(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity))
  }

  /// Makes a cache. Nothing is written to disk.
  public convenience init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
    self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directory?.path)
  }

  /// What is kept for a request with these fields; nothing for methods other than GET and HEAD.
  open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    members.withLock { $0.entry(for: request)?.response }
  }

  /// Keeps a response, unless it is not to be kept, varies by everything, answers neither GET nor HEAD, or is larger
  /// than a twentieth of the capacity.
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard cachedResponse.storagePolicy != .notAllowed else { return }
    change { members in
      guard cachedResponse.data.count <= members.memoryCapacity / 20 else { return }
      members.store(cachedResponse, for: request)
    }
  }

  /// Forgets all that is kept of a request's address, whatever the request's method and fields.
  open func removeCachedResponse(for request: URLRequest) {
    guard let url = request.url else { return }
    change { $0.remove(url) }
  }

  /// Removes all responses.
  open func removeAllCachedResponses() { change { $0.keep { _ in false } } }

  /// Forgets what came in after a date.
  open func removeCachedResponses(since date: Date) {
    change { $0.keep { $0.date <= date } }
  }

  private func change(_ body: (inout Members) -> Void) {
    let spent = members.withLock { members in
      body(&members)
      return members.takeSpent()
    }
    withExtendedLifetime(spent) {}
  }

  /// Bytes that may be kept in memory, heads and bodies together. What is too much is removed, the oldest first.
  open var memoryCapacity: Int {
    get { members.withLock { $0.memoryCapacity } }
    set { members.withLock { $0.memoryCapacity = newValue } }
  }

  /// The limit on disk. Has no meaning on Linux: nothing is written there.
  open var diskCapacity: Int {
    get { members.withLock { $0.diskCapacity } }
    set { members.withLock { $0.diskCapacity = newValue } }
  }

  /// What heads and bodies take up in memory, in bytes.
  open var currentMemoryUsage: Int { members.withLock { $0.memoryUsage } }

  /// Bytes that are kept on disk: always 0 on Linux.
  open var currentDiskUsage: Int { 0 }
}
