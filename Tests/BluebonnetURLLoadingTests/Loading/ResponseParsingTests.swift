// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What a session makes of responses that break the grammar, by its setting.
@Suite struct ResponseParsingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let head: String
    let repairs: [String]
    var testDescription: String { head.debugDescription }
  }

  static let cases = [
    Case(
      head: "HTTP/1.1 200 OK\r\nX-A: b\r\n \t c\r\nContent-Length: 2\r\n\r\n",
      repairs: ["folded field line (RFC 9112 §5.2)"]),
    Case(
      head: "HTTP/1.1 200 OK\nX-A: b c\nContent-Length: 2\n\n", repairs: ["LF without CR (RFC 9112 §2.2)"]),
    Case(
      head: "HTTP/1.1 200 O\u{1}K\r\nX-A: b c\r\nContent-Length: 2\r\n\r\n",
      repairs: ["control byte in the reason phrase (RFC 9112 §4)"]),
    Case(
      head: "HTTP/1.1 200 OK\r\nX-A : b c\r\nContent-Length: 2\r\n\r\n",
      repairs: ["whitespace between field name and colon (RFC 9112 §5.1)"]),
    Case(
      head: "HTTP/1.1 103 E\nLink : <x>\r\n\r\nHTTP/1.1 200 OK\r\nX-A: b c\r\nContent-Length: 2\r\n\r\n",
      repairs: [
        "whitespace between field name and colon (RFC 9112 §5.1)", "LF without CR (RFC 9112 §2.2)",
      ]),
    Case(head: "HTTP/1.1 200 OK\r\nX-A: b c\r\nContent-Length: 2\r\n\r\n", repairs: []),
  ]

  /// Loads the resource twice and hands over what the last load's delegate heard.
  private func run(
    _ reply: ScriptedReply, _ change: (URLSessionConfiguration) -> Void
  ) async throws -> (record: RecordingDelegate.Record, connections: Int) {
    let origin = Origin.inMemory()
    origin.script("/a", reply)
    let configuration = URLSessionConfiguration.inMemory
    configuration.httpMaximumConnectionsPerHost = 1
    configuration.urlCache = nil
    // On a busy machine, a minute may pass between two requests.
    configuration.timeoutIntervalForIdleConnections = 600
    change(configuration)
    var last = RecordingDelegate.Record()
    let session = URLSession(configuration: configuration)
    for _ in 0..<2 {
      let delegate = RecordingDelegate()
      let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/a")))
      task.delegate = delegate
      task.resume()
      await Eventually.expect("it is complete") { delegate.record.isComplete }
      last = delegate.record
    }
    session.invalidateAndCancel()
    return (last, origin.connectionCount)
  }

  @Test(arguments: cases) func tolerantByDefault(parsed: Case) async throws {
    let (record, connections) = try await run(.text(parsed.head + "hi")) { _ in }
    #expect(record.error == nil)
    #expect(record.data == Data("hi".utf8))
    let metrics = try #require(record.metrics?.transactionMetrics.last)
    let response = metrics.response as? HTTPURLResponse
    #expect(response?.value(forHTTPHeaderField: "X-A") == "b c")
    #expect(metrics.responseRepairs == parsed.repairs)
    #expect(connections == (parsed.repairs.isEmpty ? 1 : 2))
    #expect(!metrics.isReusedConnection || parsed.repairs.isEmpty)
  }

  @Test(arguments: cases) func strictOnDemand(parsed: Case) async throws {
    let (record, _) = try await run(.text(parsed.head + "hi")) { $0.responseParsing = .strict }
    if parsed.repairs.isEmpty {
      #expect(record.error == nil)
      return
    }
    let error = try #require(record.error as? URLError)
    #expect(error.code == .cannotParseResponse)
    #expect(error.transportFailure?.cause == .malformedResponse)
    #expect(
      parsed.repairs.contains { rule in error.transportFailure?.description.contains(rule.prefix(12)) == true
      })
    #expect(record.metrics?.transactionMetrics.last?.responseRepairs == [])
  }

  static let refused = [
    "HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nhi", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\nhi",
    "HTTP/1.1 200 OK\r\nX: a\rContent-Length: 2\r\n\r\nhi", "HTTP/1.1 200 OK\r\nX: \u{0}\r\n\r\nhi",
    "HTTP/1.1 200 OK\nContent-Length: 2\nTransfer-Encoding: chunked\n\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nhi\n0\n\n",
  ]

  @Test(arguments: refused, [URLSessionConfiguration.ResponseParsing.tolerant, .strict])
  func refusedByBoth(text: String, parsing: URLSessionConfiguration.ResponseParsing) async throws {
    let (record, connections) = try await run(.text(text).then(.close)) { $0.responseParsing = parsing }
    #expect((record.error as? URLError)?.code == .cannotParseResponse)
    #expect(connections == 2)
  }

  /// What an observer has to see, whatever it means; none of it keeps its connection.
  @Test(
    arguments: zip(
      refused.suffix(4), ["hi", "hi", "", "hi"]))
  func lenientOnDemand(text: String, body: String) async throws {
    let (record, connections) = try await run(.text(text).then(.close)) { $0.responseParsing = .lenient }
    #expect(record.error == nil)
    #expect(record.data == Data(body.utf8))
    #expect(record.metrics?.transactionMetrics.last?.responseRepairs.isEmpty == false)
    #expect(connections == 2)
  }

  @Test func lenientReadsWhatTheOthersRead() async throws {
    for parsed in Self.cases {
      let (record, connections) = try await run(.text(parsed.head + "hi")) { $0.responseParsing = .lenient }
      #expect(record.data == Data("hi".utf8))
      #expect(record.metrics?.transactionMetrics.last?.responseRepairs == parsed.repairs)
      // Where each line ends in a bare LF, nobody sees other lines.
      let isKept = parsed.repairs.isEmpty || !parsed.head.utf8.contains(UInt8(ascii: "\r"))
      #expect(connections == (isKept ? 1 : 2))
    }
  }

  /// Who shows what came shows it up to the fault.
  @Test(
    arguments: [
      ("HTTP/1.1 200 OK\nA: b\nContent-Length: -6\nC: d\n\n", "HTTP/1.1 200 OK\nA: b\n"),
      (
        "HTTP/1.1 103 E\r\nL: x\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\nno colon\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA: b\r\n"
      ),
      ("HTTP/1.1 -12 OK\r\n\r\n", ""),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", ""),
    ])
  func linesBeforeAFaultAreKnown(text: String, lines: String) async throws {
    let (record, _) = try await run(.text(text).then(.close)) { _ in }
    #expect((record.error as? URLError)?.transportFailure?.linesBeforeFault == Data(lines.utf8))
  }

  @Test func chunkOverheadHasALimit() async throws {
    let chunk = "1;\(String(repeating: "e", count: 100))\r\na\r\n"
    let text =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(String(repeating: chunk, count: 100))0\r\n\r\n"
    let allowed = try await run(.text(text)) { _ in }
    #expect(allowed.record.error == nil)
    #expect(allowed.record.data.count == 100)
    for limit in [5000, 0] {
      let refused = try await run(.text(text)) { $0.chunkOverheadLimit = limit }
      let error = try #require(refused.record.error as? URLError)
      #expect(error.code == .cannotParseResponse)
      #expect(error.transportFailure?.description.contains("more chunk overhead than the limit") == true)
    }
  }
}
