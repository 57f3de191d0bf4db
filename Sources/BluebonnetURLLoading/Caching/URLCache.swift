import BluebonnetFoundation
import BluebonnetLocks

/// Responses that may stand in for loads. May be used from any thread.
///
/// Kept under method and address; `Vary` is respected, `Authorization` always counts as if it were named there, and nothing
/// but GET and HEAD is answered. A load that changes a resource forgets what is kept of it.
///
/// A subclass may keep them elsewhere: sessions call its methods on a serial queue of theirs, and loads wait for them.
open class URLCache: @unchecked Sendable {
  // Unchecked: the only stored members are constants and mutexes.
  /// Where the responses are.
  package let storage: ResponseStorage
  private let diskLimit: Locked<Int>
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
    storage = ResponseStorage(memoryCapacity: memoryCapacity, store: nil)
    diskLimit = Locked(diskCapacity)
  }

  /// Makes a cache. Nothing is written to disk.
  public convenience init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
    self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directory?.path)
  }

  /// Makes a cache over a store of your own, with a memory in front of it.
  ///
  /// - Parameters:
  ///   - memoryCapacity: Bytes of responses that are kept in memory, from where they are served without asking the store.
  ///   - store: Where the responses are kept.
  public init(memoryCapacity: Int, store: any ResponseStore) {
    storage = ResponseStorage(memoryCapacity: memoryCapacity, store: store)
    diskLimit = Locked(0)
  }

  /// What is kept for a request with these fields; nothing for methods other than GET and HEAD.
  open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    guard let key = StoredResponse.Key(request) else { return nil }
    return storage.memory.entries(for: key).first { $0.response.answers(request.headerFields) }?.cached
  }

  /// Keeps a response, unless it is not to be kept, varies by everything, answers neither GET nor HEAD, or is larger
  /// than a twentieth of the capacity.
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard let response = StoredResponse(cachedResponse, for: request) else { return }
    storage.keepInMemory(response, cachedResponse)
  }

  /// Forgets all that is kept of a request's address, whatever the request's method and fields.
  open func removeCachedResponse(for request: URLRequest) {
    guard let url = request.url else { return }
    for key in StoredResponse.Key.all(of: url) { storage.memory.remove(key) }
  }

  /// Removes all responses.
  open func removeAllCachedResponses() { storage.memory.remove { _ in true } }

  /// Forgets what came in after a date.
  open func removeCachedResponses(since date: Date) { storage.memory.remove { $0.responseTime > date } }

  /// Bytes that may be kept in memory, heads and bodies together. What is too much is removed, what was not used for
  /// the longest time first.
  open var memoryCapacity: Int {
    get { storage.memory.capacity }
    set { storage.memory.capacity = newValue }
  }

  /// The limit on disk. Has no meaning on Linux: nothing is written there.
  open var diskCapacity: Int {
    get { diskLimit.withLock { $0 } }
    set { diskLimit.withLock { $0 = newValue } }
  }

  /// What heads and bodies take up in memory, in bytes.
  open var currentMemoryUsage: Int { storage.memory.usage }

  /// Bytes that are kept on disk: always 0 on Linux.
  open var currentDiskUsage: Int { 0 }
}
