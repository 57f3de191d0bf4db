// SPDX-License-Identifier: MIT
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
  /// What there is of the body.
  enum Content {
    case none
    /// In memory.
    case whole(Data)
    /// In a store, but for the first piece.
    case pieces(first: Data, rest: Range<Int64>, any StoredResponseReader)

    var length: Int {
      switch self {
      case .none: 0
      case .whole(let data): data.count
      case .pieces(let first, let rest, _): first.count + rest.count
      }
    }
  }

  private let client: any CachedBodyClient
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

  init(
    _ content: Content, of response: URLResponse, for client: any CachedBodyClient, on loop: EventLoop,
    holds: Holds
  ) {
    (self.client, self.loop, self.response, self.holds) = (client, loop, response, holds)
    switch content {
    case .none: (piece, rest, reader) = (nil, 0..<0, nil)
    case .whole(let data): (piece, rest, reader) = (data, 0..<0, nil)
    case .pieces(let first, let rest, let reader): (piece, self.rest, self.reader) = (first, rest, reader)
    }
  }

  var phase: LoadingPhase { .receivingBody }
  var expectsContinue: Bool { false }

  func begin() {
    client.decide(onKept: response)
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

  private func flow() {
    guard !hasEnded, holds.isEmpty, client.isReceiving, !isReading else { return }
    if let next = piece.take(), !next.isEmpty {
      client.receive(kept: next)
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
    client.keptBodyEnded(response, failure)
  }
}

/// The receiver of a kept response. Called in loop context.
protocol CachedBodyClient: AnyObject, Sendable {
  /// Whether the body is wanted now.
  var isReceiving: Bool { get }

  /// The head is here: the body comes when it is wanted.
  func decide(onKept response: URLResponse)

  /// A piece of the body, perhaps all of it.
  func receive(kept piece: Data)

  /// Nothing more comes.
  ///
  /// - Parameter failure: Why not, unless all of the body has come.
  func keptBodyEnded(_ response: URLResponse, _ failure: URLError?)
}

extension Result where Success == Data, Failure == any Error {
  static func reading(_ reader: any StoredResponseReader, at offset: Int64) async -> Self {
    do { return .success(try await reader.read(at: offset)) } catch { return .failure(error) }
  }
}
