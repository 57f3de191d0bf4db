// SPDX-License-Identifier: MIT
import BluebonnetAuthentication
import BluebonnetEventLoop
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetTransport

/// Hashes a request's content, for servers that want that proved (RFC 7616 §3.4.3, `auth-int`): memory at once if there is
/// little of it, the rest and files where blocking is allowed. Content that can be read only once is not read for this.
struct ContentHasher {
  let task: URLSessionTask
  let loop: EventLoop
  /// The wait for the descriptor of a file.
  let descriptors: DescriptorWait

  func hash(
    _ body: RequestBody, by function: HashFunction,
    then go: @escaping @Sendable (AuthenticatedRequest.Content) -> Void
  ) {
    switch (body, task.body) {
    case (.none, _): go(.none)
    case (.source(let source as DataBodySource), _):
      let data = source.data
      if data.count <= 64 * 1024 { return go(Self.digest(of: data, function)) }
      later(go) { Self.digest(of: data, function) }
    case (.source(let source as BlockingBodySource), .file(let url)) where source.canRewind:
      hash(url, by: function, then: go)
    case (.source(let source), _):
      go(
        .unknown(
          source.replayObstacle.map { "the body cannot be hashed: \($0)" } ?? "the body is made as it is sent"
        ))
    }
  }

  private func later(
    _ go: @escaping @Sendable (AuthenticatedRequest.Content) -> Void,
    _ work: @escaping @Sendable () -> AuthenticatedRequest.Content
  ) {
    DispatchQueue.global().async { [loop] in
      let content = work()
      loop.execute { go(content) }
    }
  }

  /// Hashes a file, which waits for its descriptor as one that is sent does.
  private func hash(
    _ file: URL, by function: HashFunction,
    then go: @escaping @Sendable (AuthenticatedRequest.Content) -> Void
  ) {
    let queue = DispatchQueue.global()
    let attempt: @Sendable (Bool) -> Bool = { [task, loop] isInTime in
      let content: AuthenticatedRequest.Content
      do throws(POSIXError) {
        content = try Self.digest(of: file, function)
      } catch {
        // Once the task has ended, its hash is not needed.
        if error.isDescriptorShortage, isInTime, task.state != .completed { return false }
        content = .unknown("the file \(file.path) cannot be read")
      }
      loop.execute { go(content) }
      return true
    }
    queue.async { [descriptors] in
      if !attempt(true) { descriptors.retry(on: queue, attempt) }
    }
  }

  private static func digest(of data: Data, _ function: HashFunction) -> AuthenticatedRequest.Content {
    var hash = RunningHash(function)
    hash.add(data.bytes)
    return content(hash.finish(), function)
  }

  private static func digest(
    of url: URL, _ function: HashFunction
  ) throws(POSIXError) -> AuthenticatedRequest.Content {
    content(try digest(of: url, function), function)
  }

  /// The digest of a file; nil where a policy of the system forbids the function.
  static func digest(of url: URL, _ function: HashFunction) throws(POSIXError) -> [UInt8]? {
    let file = try FileReader(path: url.path)
    var hash = RunningHash(function)
    var piece = [UInt8](repeating: 0, count: 256 * 1024)
    while true {
      let count: Result<Int?, POSIXError> = piece.withUnsafeMutableBytes { buffer in
        Result { () throws(POSIXError) in try file.read(into: buffer) { true } }
      }
      guard let count = try count.get(), count > 0 else { break }
      hash.add(piece.span.bytes.extracting(..<count))
    }
    return hash.finish()
  }

  private static func content(_ digest: [UInt8]?, _ function: HashFunction) -> AuthenticatedRequest.Content {
    digest.map { .hashed($0) } ?? .unknown("the system's OpenSSL does not allow \(function.rawValue)")
  }
}
