import BluebonnetCache
import BluebonnetEventLoop
import BluebonnetFoundation
import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetTransport

/// Hands a kept response over in the place of a server.
///
///     begin ─▶ the load decides about the head ─▶ flows, unless it is held ─▶ ended
///
// Unchecked: touched only while the loop is held.
final class CachedBody: ResponseSource, @unchecked Sendable {
  private let load: LoadDriver
  private let loop: EventLoop
  private let response: URLResponse
  /// The piece at hand, not handed over yet.
  private var piece: Data?
  /// The source of the rest, of which the bytes in `rest` belong to the response.
  private let reader: (any StoredResponseReader)?
  private var rest: Range<Int64>
  private var holds: Holds
  private var isReading = false
  private var hasEnded = false
  private var failure: URLError?

  /// A body that is in memory.
  init(_ response: URLResponse, _ body: Data?, of load: LoadDriver) {
    self.load = load
    self.response = response
    loop = load.engine.loop
    holds = load.state.incoming.holds
    piece = body
    reader = nil
    rest = 0..<0
  }

  /// A body with its first piece read.
  init(
    _ response: HTTPURLResponse, first: Data, rest: Range<Int64>, _ reader: any StoredResponseReader,
    of load: LoadDriver
  ) {
    self.load = load
    self.response = response
    loop = load.engine.loop
    holds = load.state.incoming.holds
    piece = first
    self.reader = reader
    self.rest = rest
  }

  var phase: LoadingPhase { .receivingBody }
  var expectsContinue: Bool { false }

  func begin() {
    load.decide(onKept: response)
    flow()
  }

  /// Nothing is saved by reading it.
  func isWorthDraining(_ response: HTTPURLResponse) -> Bool { false }

  func hold(_ reasons: Holds) { holds.formUnion(reasons) }

  func release(_ reasons: Holds) {
    holds.subtract(reasons)
    flow()
  }

  func cancel() { end() }

  func retainBuffer(for bytes: UnsafeRawBufferPointer) -> RetainedBuffer? { nil }

  private func flow() {
    guard !hasEnded, holds.isEmpty, load.isReceiving, !isReading else { return }
    if let next = piece.take(), !next.isEmpty {
      load.delivery.receive(kept: next)
      // The client may have held the body back, or ended the load.
      return flow()
    }
    guard let reader, !rest.isEmpty else { return end() }
    isReading = true
    let offset = rest.lowerBound
    Task { [self] in
      let result = await Result.reading(reader, at: offset)
      loop.execute { [self] in read(result) }
    }
  }

  private func read(_ result: Result<Data, any Error>) {
    isReading = false
    guard !hasEnded else { return }
    switch result {
    case .success(let data) where !data.isEmpty:
      let count = Swift.min(Int64(data.count), Int64(rest.count))
      rest = (rest.lowerBound + count)..<rest.upperBound
      piece = data.prefix(Int(count))
      flow()
    case .success: fail("it ends before its end")
    case .failure(let error): fail("\(error)")
    }
  }

  private func fail(_ reason: String) {
    failure = .loading(
      .cannotOpenFile, url: response.url, phase: .receivingBody,
      reason: "the kept response cannot be read: \(reason)")
    end()
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    load.sourceEnded(.kept(load.state.request, response, load.clock), failure)
  }
}

extension Result where Success == Data, Failure == any Error {
  static func reading(_ reader: any StoredResponseReader, at offset: Int64) async -> Self {
    do { return .success(try await reader.read(at: offset)) } catch { return .failure(error) }
  }
}

extension LoadTransaction {
  /// A response that was kept: there is no connection.
  fileprivate static func kept(
    _ request: URLRequest, _ response: URLResponse, _ clock: ClockAnchor
  ) -> LoadTransaction {
    var connection = URLSessionTaskTransactionMetrics.Connection()
    connection.protocolName = nil
    return .measured(
      URLSessionTaskTransactionMetrics(
        request: request, response: response, resourceFetchType: .localCache, clock: clock, instants: .init(),
        connection: connection, sizes: .init()))
  }
}
