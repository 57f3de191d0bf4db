import BluebonnetFoundation
import BluebonnetLocks

/// Responses that may stand in for loads.
open class URLCache: @unchecked Sendable {
  // Unchecked: the only stored members are mutexes.
  private struct Members {
    var memoryCapacity: Int
    var diskCapacity: Int
    private(set) var entries: [URL: CachedURLResponse] = [:]
    /// The sum of the entries' bodies.
    private(set) var memoryUsage = 0

    mutating func set(_ entry: CachedURLResponse?, for url: URL) {
      memoryUsage += (entry?.data.count ?? 0) - (entries[url]?.data.count ?? 0)
      entries[url] = entry
    }

    mutating func keep(where isKept: (CachedURLResponse) -> Bool) {
      entries = entries.filter { isKept($0.value) }
      memoryUsage = entries.values.reduce(0) { $0 + $1.data.count }
    }
  }

  private let members: Locked<Members>
  private static let sharedCache = Locked(URLCache(memoryCapacity: 512_000, diskCapacity: 0, diskPath: nil))

  /// The cache of default configurations.
  open class var shared: URLCache {
    get { sharedCache.withLock { $0 } }
    set { sharedCache.withLock { $0 = newValue } }
  }

  /// Makes a cache. Nothing is written to disk.
  public init(memoryCapacity: Int, diskCapacity: Int, diskPath path: String?) {
    members = Locked(Members(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity))
  }

  /// Makes a cache. Nothing is written to disk.
  public convenience init(memoryCapacity: Int, diskCapacity: Int, directory: URL? = nil) {
    self.init(memoryCapacity: memoryCapacity, diskCapacity: diskCapacity, diskPath: directory?.path)
  }

  /// What is kept for a request.
  open func cachedResponse(for request: URLRequest) -> CachedURLResponse? {
    guard let url = request.url else { return nil }
    return members.withLock { $0.entries[url] }
  }

  /// Keeps a response, unless it is not to be kept or larger than a twentieth of the capacity.
  open func storeCachedResponse(_ cachedResponse: CachedURLResponse, for request: URLRequest) {
    guard let url = request.url, cachedResponse.storagePolicy != .notAllowed else { return }
    members.withLock { members in
      guard cachedResponse.data.count <= members.memoryCapacity / 20 else { return }
      members.set(cachedResponse, for: url)
      while members.memoryUsage > members.memoryCapacity,
        let other = members.entries.keys.first(where: { $0 != url })
      {
        members.set(nil, for: other)
      }
    }
  }

  /// Forgets what is kept for a request.
  open func removeCachedResponse(for request: URLRequest) {
    guard let url = request.url else { return }
    members.withLock { $0.set(nil, for: url) }
  }

  /// Forgets everything.
  open func removeAllCachedResponses() { members.withLock { $0.keep { _ in false } } }

  /// Forgets what came in after a date.
  open func removeCachedResponses(since date: Date) {
    members.withLock { $0.keep { $0.date <= date } }
  }

  /// The limit in memory.
  open var memoryCapacity: Int {
    get { members.withLock { $0.memoryCapacity } }
    set { members.withLock { $0.memoryCapacity = newValue } }
  }

  /// The limit on disk. Nothing is written there.
  open var diskCapacity: Int {
    get { members.withLock { $0.diskCapacity } }
    set { members.withLock { $0.diskCapacity = newValue } }
  }

  /// What bodies take up in memory.
  open var currentMemoryUsage: Int { members.withLock { $0.memoryUsage } }

  /// Nothing.
  open var currentDiskUsage: Int { 0 }
}

extension URLCache {
  /// Keeps a response for a task.
  public func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { storeCachedResponse(cachedResponse, for: request) }
  }

  /// Hands over what is kept for a task.
  public func getCachedResponse(
    for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
  ) {
    completionHandler(dataTask.currentRequest.flatMap { cachedResponse(for: $0) })
  }

  /// Forgets what is kept for a task.
  public func removeCachedResponse(for dataTask: URLSessionDataTask) {
    if let request = dataTask.currentRequest { removeCachedResponse(for: request) }
  }
}
