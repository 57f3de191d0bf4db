// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import BluebonnetWireVectors
import Testing

@testable import Bluebonnet

/// Serves vectors as they are and compares what a session makes of them with what the parser does in the same mode.
struct VectorRun: Sendable {
  struct Tally: Sendable {
    var accepted = 0
    var refused = 0
    /// Still waited for when all others had ended.
    var incomplete = 0
    /// How many the suite's own expectation was compared with, and how many of those depart from it.
    var judged = 0
    var departed = 0
    /// What must not be.
    var wrong: [String] = []

    var count: Int { accepted + refused + incomplete + wrong.count }
  }

  /// How the bytes come.
  enum Delivery: Sendable, CaseIterable {
    /// At once, and then the end of the connection.
    case closed
    /// At once, and then silence: only an answer whose end is in its bytes is complete.
    case open
    /// One byte at a time, and then the end of the connection.
    case dripped
  }

  let cases: [ClientCase]
  let delivery: Delivery
  let parsing: URLSessionConfiguration.ResponseParsing
  private let origin: Origin
  private let configuration = URLSessionConfiguration.inMemory
  private let clock: EventLoop

  /// - Parameter shift: How many vectors further the bytes are taken from: unless 0, all should be wrong.
  init(
    _ cases: [ClientCase], _ delivery: Delivery, _ parsing: URLSessionConfiguration.ResponseParsing = .strict,
    shiftedBy shift: Int = 0
  ) throws {
    self.cases = cases
    self.parsing = parsing
    self.delivery = delivery
    origin = Origin.inMemory()
    configuration.httpMaximumConnectionsPerHost = 256
    configuration.decodesResponseContent = false
    configuration.responseParsing = parsing
    clock = configuration.stopClock()
    for number in cases.indices {
      var reply = ScriptedReply([.bytes(cases[(number + shift) % cases.count].bytes)])
      if delivery == .dripped { reply = reply.dripping(every: 0) }
      if delivery != .open { reply = reply.then(.close) }
      origin.script("/\(number)", reply)
    }
  }

  private var isClosed: Bool { delivery != .open }

  func run() async -> Tally {
    let shared = session()
    return await withTaskGroup(of: (ClientCase, AFDataResponse<Data>).self) { group in
      for (number, vector) in cases.enumerated() {
        let url = "\(origin.baseURL)/\(number)"
        // What drips in behind a response would come to the next request, if that is already on its way.
        let session = delivery == .dripped ? self.session() : shared
        group.addTask {
          (vector, await session.request(url, method: HTTPMethod(rawValue: vector.method)).anyData().response)
        }
      }
      var tally = Tally()
      let endless = cases.count { isEndless($0) }
      var hasDropped = false
      for await (vector, response) in group {
        if isEndless(vector), !hasDropped {
          tally.wrong.append("\(vector.name): ended before its end could be known")
        }
        note(response, to: vector, in: &tally)
        if !hasDropped, tally.count >= cases.count - endless {
          await dropEndless()
          hasDropped = true
        }
      }
      return tally
    }
  }

  /// Whether nothing but the end of the connection, which does not come by itself, ends the response.
  private func isEndless(_ vector: ClientCase) -> Bool {
    delivery == .open && vector.transcript(closed: false, mode: mode).verdict == .incomplete
  }

  /// Ends those that go on for ever, when they had every chance to end by mistake.
  private func dropEndless() async {
    await Eventually.expect("all are asked for") { origin.requests.count == cases.count }
    for _ in 0..<100 { clock.advance(by: .zero) }
    origin.dropConnections()
  }

  private var mode: ParsingMode { parsing == .strict ? .strict : .tolerant }

  private func session() -> Session {
    Session(configuration: configuration, redirectHandler: Redirector.doNotFollow)
  }

  private func note(_ response: AFDataResponse<Data>, to vector: ClientCase, in tally: inout Tally) {
    let isEndless = isEndless(vector)
    let expected = vector.transcript(closed: isClosed || isEndless, mode: mode)
    var seen = Transcript(response)
    do throws(Difference) {
      seen.verdict = try verdict(of: response, expected, isEmpty: vector.bytes.isEmpty)
      try compare(seen, expected)
    } catch {
      return tally.wrong.append("\(vector.name): \(error.text)")
    }
    if isEndless { seen.verdict = .incomplete }
    switch seen.verdict {
    case .complete: tally.accepted += 1
    case .incomplete: tally.incomplete += 1
    case .reject: tally.refused += 1
    }
    // The suites' expectations are those of strict readers.
    switch parsing == .strict ? vector.judge(seen, closed: isClosed) : nil {
    case nil: break
    case .passed: tally.judged += 1
    case .departed:
      tally.judged += 1
      tally.departed += 1
    case .failed(let wanted, let reached):
      tally.wrong.append("\(vector.name): the suite expects \(wanted), not \(reached)")
    }
  }

  private struct Difference: Error {
    let text: String
  }

  /// The parser's own verdict, if the session came to the same.
  private func verdict(
    of response: AFDataResponse<Data>, _ expected: Transcript, isEmpty: Bool
  ) throws(Difference) -> Transcript.Verdict {
    guard let error = response.error else { return .complete }
    guard case .sessionTaskFailed(let underlying) = error,
      let failure = (underlying as? URLError)?.transportFailure
    else { throw Difference(text: "failed with \(error)") }
    switch expected.verdict {
    case .complete, .incomplete: break
    case .reject(let rule):
      let isCut = rule.rule == .truncatedHead || rule.rule == .truncatedBody
      let cause: TransportFailure.Cause = isEmpty ? .noResponse : isCut ? .truncated : .malformedResponse
      if failure.cause == cause, isEmpty || failure.violation == rule {
        return expected.verdict
      }
    }
    throw Difference(text: "\(failure) instead of \(expected.verdict)")
  }

  private func compare(_ seen: Transcript, _ expected: Transcript) throws(Difference) {
    guard seen.verdict == expected.verdict else {
      throw Difference(text: "\(seen.verdict) instead of \(expected.verdict)")
    }
    guard seen.hasHead == expected.hasHead else { throw Difference(text: "head: \(seen.hasHead)") }
    if expected.hasHead {
      guard seen.status == expected.status, seen.minorVersion == expected.minorVersion else {
        throw Difference(text: "status \(seen.status ?? 0), HTTP/1.\(seen.minorVersion ?? -1)")
      }
      guard seen.fields == expected.fields else { throw Difference(text: "fields \(seen.fields)") }
    }
    guard seen.verdict != .complete || seen.body == expected.body else {
      throw Difference(text: "body of \(seen.body.count) bytes instead of \(expected.body.count)")
    }
  }
}

extension Transcript {
  /// What a client sees of a response.
  fileprivate init(_ response: AFDataResponse<Data>) {
    self.init()
    body = Array(response.data ?? Data())
    guard let head = response.response else { return }
    hasHead = true
    status = head.statusCode
    minorVersion = head.minorVersion
    fields = Self.fields(of: head.fields)
  }
}
