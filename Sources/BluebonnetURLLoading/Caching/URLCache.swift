// SPDX-License-Identifier: MIT
import BluebonnetCache
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetMessages

/// Responses that may stand in for loads: in memory, and on disk or in a store of your own behind it. May be used from any thread.
///
/// Kept under method and address; `Vary` is respected, `Authorization` always counts as if it were named there, and nothing
/// but GET and HEAD is answered. A load that changes a resource forgets its responses. Of memory and disk, the response unused
/// for longest goes first; a response takes at most a twentieth of either.
///
/// Sessions may share a cache although they trust different servers. Responses over TLS are shown to sessions with the same
/// `trustAnchors` only. Responses of a server that these do not vouch for, but a delegate or an evaluator accepted, are shown to
/// the session that accepted it, and are kept in memory only. Responses that callers keep themselves count as vouched for by
/// the system's anchors. A subclass cannot tell such sessions apart: it is given nothing of the second kind, and had better not
/// be shared by sessions with different anchors.
///
/// The methods of a cache with a ``diskCapacity`` or a store wait for it. Sessions do not wait: they ask in the background.
///
/// A subclass may keep responses elsewhere: sessions call its methods on a serial queue of theirs, and loads wait for them. To keep them
/// elsewhere as they stream, without a subclass, see `ResponseStore`.
open class URLCache: @unchecked Sendable {
  /// The places where a response may be kept.
  public typealias StoragePolicy = CachedURLResponse.StoragePolicy

  // Unchecked: the only stored member is a constant.
  /// The storage of the responses.
  package let storage: ResponseStorage
  private static let sharedCache = Locked(URLCache(memoryCapacity: 512_000, diskCapacity: 0, diskPath: nil))

  /// The cache of `URLSessionConfiguration.default`, shared by the whole process: 512,000 bytes in memory and none on disk, unless
  /// another one is set.
  open class var shared: URLCache {
    get { sharedCache.withLock { $0 } }
    set {
      // The old one goes when the lock is free: it may ask for the new one.
      var cache = newValue
      sharedCache.withLock { swap(&$0, &cache) }
    }
  }

  /// Makes a cache. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - memoryCapacity: Bytes that may be kept in memory.
  ///   - diskCapacity: Bytes that may be kept on disk; 0 for none.
  ///   - path: The directory in which the cache makes its own, which only this user can enter. A relative path, or nil, is
  ///     below the program's directory in `$XDG_CACHE_HOME`, or in `~/.cache` without that. Several caches and processes may share one.
  ///     If it cannot be used, nothing is kept on disk, and ``lastStoreFailure`` says so.
  public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
    storage = ResponseStorage(
      memoryCapacity: memoryCapacity,
      disk: DiskResponseStore(path: CachesDirectory.path(for: path), capacity: diskCapacity))
  }

  /// Makes a cache. Nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - memoryCapacity: Bytes that may be kept in memory.
  ///   - diskCapacity: Bytes that may be kept on disk; 0 for none.
  ///   - directory: As the path of ``init(memoryCapacity:diskCapacity:diskPath:)``.
  public convenience init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
    self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directory?.path)
  }

  /// Makes a cache over a store of your own, with a memory in front of it. An addition of this package.
  ///
  /// - Parameters:
  ///   - memoryCapacity: Bytes of responses that are kept in memory, from where they are served without asking the store.
  ///   - store: Where the responses are kept.
  public init(memoryCapacity: Int, store: any ResponseStore) {
    storage = ResponseStorage(memoryCapacity: memoryCapacity, store: store)
  }

  /// The response kept for a request with these fields; nothing for methods other than GET and HEAD.
  ///
  /// The memory answers at once; disk and store are waited for. A `userInfo` is kept in memory only.
  open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    guard let key = StoredResponse.Key(request) else { return nil }
    let fields = request.headerFields
    let answers: @Sendable (StoredResponse) -> Bool = { $0.part == nil && $0.answers(fields) }
    if let entry = storage.memory.entries(for: key).first(where: { answers($0.response) }) {
      return entry.cached
    }
    return storage.waitForResponse(key, where: answers)
  }

  /// Keeps a response in memory and, as its storage policy says, on disk or in the store; unless it varies by everything or answers
  /// neither GET nor HEAD. Where it is larger than a twentieth of the capacity, it is not kept. A response that is not HTTP's is kept
  /// in memory only.
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard let response = StoredResponse(cachedResponse, for: request) else { return }
    storage.wait(for: storage.keep(response, cachedResponse))
  }

  /// Forgets all that is kept of a request's address, whatever the request's method and fields. What loads under way have asked for
  /// there is not kept either.
  open func removeCachedResponse(for request: URLRequest) {
    guard let url = request.url else { return }
    storage.wait(for: storage.forget(StoredResponse.Key.all(of: url)))
  }

  /// Removes all responses; those of all processes that share the directory. What loads of this process that are under way have
  /// asked for is not kept either, but for a POST's response that comes later.
  open func removeAllCachedResponses() {
    storage.wait(for: storage.removeAll())
  }

  /// Forgets what came in after a date. If the date is not in the future, what loads under way have asked for is not kept either: it
  /// would come in after the date, too.
  open func removeCachedResponses(since date: Date) {
    storage.wait(for: storage.removeAll(since: date))
  }

  // MARK: For tasks

  /// Hands over the response kept for a task's current request: at once, or from a queue if the cache has a disk or a store.
  open func getCachedResponse(
    for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    guard let request = dataTask.currentRequest else { return completionHandler(nil) }
    guard storage.store != nil else { return completionHandler(cachedResponse(for: request)) }
    DispatchQueue.global().async { [self] in completionHandler(cachedResponse(for: request)) }
  }

  /// Keeps a response for a task's current request, as ``storeCachedResponse(_:for:)-(_,URLRequest)`` does.
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
  }

  /// Forgets the response kept for a task's current request.
  open func removeCachedResponse(for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
  }

  // MARK: Capacities

  /// Bytes that may be kept in memory, heads and bodies together. The excess is removed, the response unused for
  /// longest first.
  open var memoryCapacity: Int {
    get { storage.memory.capacity }
    set { storage.memory.capacity = newValue }
  }

  /// Bytes that may be kept on disk. The excess is removed, the response unused for longest first; 0 removes all that is
  /// there. Of a cache over a store of your own it is always 0: that store has its own bounds.
  open var diskCapacity: Int {
    get { storage.disk?.capacity ?? 0 }
    set { storage.disk?.capacity = newValue }
  }

  /// The bytes of heads and bodies in memory.
  open var currentMemoryUsage: Int { storage.memory.usage }

  /// Bytes that are kept on disk, in pages of 4 KiB. Counts them the first time, which waits for the disk.
  open var currentDiskUsage: Int { storage.disk?.usage ?? 0 }

  /// Why the disk or the store has last failed to keep, change or remove something: most often a `ResponseStoreError`. Nil if it has
  /// not. An addition of this package.
  public var lastStoreFailure: (any Error)? { storage.lastFailure }
}

extension URLCache {
  /// Calls back when the disk or the store has all that was kept before; on any thread.
  func flush(_ completion: @escaping @Sendable () -> Void) { storage.whenWritten(completion) }

  /// Forgets all that is kept of an address. Does not wait, unless the cache is of a subclass: then it is called where these are.
  package func forget(_ url: URL) {
    guard type(of: self) == URLCache.self else { return removeCachedResponse(for: URLRequest(url: url)) }
    storage.forget(StoredResponse.Key.all(of: url))
  }
}
