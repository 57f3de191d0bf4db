// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetEventLoop
import BluebonnetLocks
import BluebonnetOrigin

/// Plays one test against the origin.
final class CacheVectorRun: Sendable {
  enum Verdict: Sendable, Hashable {
    case passed
    case failed(String)
    /// What the test presupposes does not hold, so that it says nothing. That counts as not passed.
    case presupposition(String)
  }

  /// What has reached the server for one of the requests.
  private struct Arrival: Sendable {
    let method: String
    let request: RecordedRequest
    let sent: [(name: String, value: String)]
    /// It came with a condition that nobody expected, or without the one that was expected.
    let isUnexpected: Bool
    let time: Int
  }

  private struct State {
    var step = 0
    var arrivals: [Int: [Arrival]] = [:]
    var lastFields: [(name: String, value: String)] = []
    /// What a cached response's dates are relative to.
    var firstTime: Int?
  }

  private let vector: CacheVector
  private let origin: Origin
  private let session: Session
  /// The session's, by which the server goes, too.
  private let clock: EventLoop
  private let state = Locked(State())

  init(_ vector: CacheVector, _ origin: Origin, _ session: Session, _ clock: EventLoop) {
    (self.vector, self.origin, self.session, self.clock) = (vector, origin, session, clock)
  }

  private func target(_ step: CacheVector.Step) -> String {
    "/vectors/\(vector.id)" + (step.query.map { "?\($0)" } ?? "")
  }

  func run() async -> Verdict {
    for target in Set(vector.requests.map(target)) {
      origin.handle(target) { [self] in answer($0, target: target) }
    }
    defer { for target in Set(vector.requests.map(target)) { origin.handle(target, nil) } }
    for (index, step) in vector.requests.enumerated() {
      state.withLock { $0.step = index }
      let response = await send(step)
      if let mistake = judge(response, step, index) {
        let text = "request \(index + 1): \(mistake.text)"
        let isSetup = step.isSetup ?? false || step.setupTests?.contains(mistake.test) ?? false
        return isSetup ? .presupposition(text) : .failed(text)
      }
      if step.pausesAfter ?? false { clock.advance(by: .seconds(3)) }
    }
    return .passed
  }

  private func send(_ step: CacheVector.Step) async -> DataResponse<String, AFError> {
    let now = Int(clock.secondsSince1970)
    var request = URLRequest(url: URL(string: origin.baseURL + target(step)) ?? URL(filePath: "/"))
    request.httpMethod = step.method ?? "GET"
    for field in step.fields ?? [] { request.addValue(field.text(at: now), forHTTPHeaderField: field.name) }
    if step.cacheMode == "no-cache" { request.cachePolicy = .reloadRevalidatingCacheData }
    if let body = step.body { request.httpBody = Data(body.utf8) }
    let sent = session.request(request)
    if step.redirectMode == "manual" { sent.redirect(using: .doNotFollow) }
    return await sent.serializingString(
      emptyResponseCodes: [200, 204, 205, 504], emptyRequestMethods: [.head]
    ).response
  }

  // MARK: The server

  private func answer(_ request: RecordedRequest, target: String) -> ScriptedReply {
    let now = Int(clock.secondsSince1970)
    let (step, last) = state.withLock { (vector.requests[$0.step], $0.lastFields) }
    var fields = (step.responseFields ?? []).map { (name: $0.name, value: $0.text(at: now)) }
    if step.hasMagicLocations ?? false {
      fields = fields.map {
        ["location", "content-location"].contains($0.name.lowercased()) ? ($0.name, target + $0.value) : $0
      }
    }
    var (status, reason) = (step.status?.code ?? 200, step.status?.reason ?? "OK")
    var body = Array(step.text(of: vector.id).utf8)
    var isUnexpected = false
    let condition: (field: String, validator: String)? =
      switch step.expectedType {
      case "lm_validated": ("If-Modified-Since", "last-modified")
      case "etag_validated": ("If-None-Match", "etag")
      default: nil
      }
    if let condition {
      let known = last.first { $0.name.lowercased() == condition.validator }?.value
      isUnexpected = known == nil || request.value(condition.field) != known
      (status, reason, body) = isUnexpected ? (400, "Unexpected", []) : (304, "Not Modified", [])
    }
    let arrival = Arrival(
      method: request.method, request: request, sent: fields, isUnexpected: isUnexpected, time: now)
    state.withLock { state in
      state.arrivals[state.step, default: []].append(arrival)
      state.lastFields = fields
      state.firstTime = state.firstTime ?? now
    }
    let reply = reply(status, reason, fields, body, isHead: request.method == "HEAD")
    guard let pause = step.pause else { return reply }
    return ScriptedReply([.pause(milliseconds: pause * 1000)] + reply.steps)
  }

  private func reply(
    _ status: Int, _ reason: String, _ fields: [(name: String, value: String)], _ body: [UInt8], isHead: Bool
  ) -> ScriptedReply {
    var (fields, body, closes) = (fields, body, false)
    if isHead || status == 204 || status == 304 {
      // RFC 9110 §8.6: the answer to a HEAD has the length that a GET would have had, and nothing follows.
      if isHead, status == 200, !fields.contains(where: { $0.name.lowercased() == "content-length" }) {
        fields.append((name: "Content-Length", value: "\(body.count)"))
      }
      return ScriptedReply([.bytes(Self.head(status, reason, fields))])
    }
    if let stated = fields.first(where: { $0.name.lowercased() == "content-length" }).flatMap({
      Int($0.value)
    }) {
      // A server cannot send more than it says.
      body = Array(body.prefix(stated))
    } else if fields.contains(where: { $0.name.lowercased() == "transfer-encoding" }) {
      // RFC 9112 §6.3: in a coding that does not say where it ends, the body ends with the connection.
      closes = true
    } else {
      fields.append((name: "Content-Length", value: "\(body.count)"))
    }
    return ScriptedReply([.bytes(Self.head(status, reason, fields) + body)] + (closes ? [.close] : []))
  }

  private static func head(_ status: Int, _ reason: String, _ fields: [(name: String, value: String)])
    -> [UInt8]
  {
    let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    return Array("HTTP/1.1 \(status) \(reason)\r\n\(lines)\r\n".utf8)
  }

  // MARK: The verdict

  private typealias Mistake = (test: String, text: String)

  private func judge(
    _ response: DataResponse<String, AFError>, _ step: CacheVector.Step, _ index: Int
  ) -> Mistake? {
    let (arrivals, firstTime) = state.withLock { ($0.arrivals[index] ?? [], $0.firstTime) }
    guard let head = response.response else {
      return ("setup", "no response: \(String(describing: response.error))")
    }
    if let mistake = judgeType(step, arrivals) { return ("expected_type", mistake) }
    if let method = step.expectedMethod, arrivals.last?.method != method {
      return ("expected_method", "\(arrivals.last?.method ?? "nothing") reached the server")
    }
    if let status = step.expectedStatus ?? step.status?.code, head.statusCode != status {
      return ("expected_status", "status \(head.statusCode)")
    }
    if let mistake = judgeFields(head, step, arrivals, firstTime) { return mistake }
    for field in step.expectedRequestFields ?? [] {
      let value = arrivals.last?.request.values(field.name).joined(separator: ", ")
      if value != field.text(at: 0) {
        return ("expected_request_headers", "the request has \(field.name): \(value ?? "-")")
      }
    }
    guard step.checksBody ?? true, step.method != "HEAD" else { return nil }
    let expected = step.expectedText.map { $0 ?? "" } ?? step.text(of: vector.id)
    let text = String(decoding: response.data ?? Data(), as: UTF8.self)
    return text == expected ? nil : ("expected_response_text", "the body is \(text.prefix(40))")
  }

  private func judgeType(_ step: CacheVector.Step, _ arrivals: [Arrival]) -> String? {
    switch step.expectedType {
    case "cached": return arrivals.isEmpty ? nil : "the server was asked"
    case "not_cached": return arrivals.isEmpty ? "the server was not asked" : nil
    case "lm_validated", "etag_validated":
      guard arrivals.count == 1, let arrival = arrivals.first else {
        return "the server was asked \(arrivals.count) times"
      }
      return arrival.isUnexpected ? "without the condition" : nil
    default: return arrivals.count > 1 ? "the server was asked \(arrivals.count) times" : nil
    }
  }

  private func judgeFields(
    _ head: HTTPURLResponse, _ step: CacheVector.Step, _ arrivals: [Arrival], _ firstTime: Int?
  ) -> Mistake? {
    for field in step.expectedFields ?? [] {
      let value = head.value(forHTTPHeaderField: field.name)
      let isRight =
        switch field.value {
        case .greater(let limit): value.flatMap { Int($0) }.map { $0 > limit } ?? false
        case .any: value != nil
        case .text, .number: value == field.text(at: arrivals.last?.time ?? firstTime ?? 0)
        }
      if !isRight { return ("expected_response_headers", "\(field.name): \(value ?? "-")") }
    }
    for field in step.missingFields ?? [] {
      guard let value = head.value(forHTTPHeaderField: field.name) else { continue }
      if case .text(let text) = field.value, !value.contains(text) { continue }
      return ("expected_response_headers_missing", "\(field.name): \(value)")
    }
    return nil
  }
}
