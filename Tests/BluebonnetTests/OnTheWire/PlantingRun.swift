// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetHTTP1
import BluebonnetOrigin
import BluebonnetWireVectors

/// Sends two requests for each planting, through sessions that have one connection each, and counts what comes of it.
struct PlantingRun: Sendable {
  /// When the planted response comes.
  enum Delivery: Sendable, CaseIterable {
    /// Not at all: the connection may be used again.
    case never
    /// In one segment with the first response.
    case together
    /// Like that, while the second request already waits for the connection.
    case togetherBeforeAWaitingRequest
    /// When the client has the whole first response and has not asked again.
    case later

    var isTogether: Bool { self == .together || self == .togetherBeforeAWaitingRequest }
  }

  struct Tally: Sendable {
    var answered = 0
    var refused = 0
    /// How many second requests came on the connection of the first.
    var reused = 0
    /// How many planted responses left for the client.
    var planted = 0
    /// What must not be.
    var wrong: [String] = []

    static func + (left: Tally, right: Tally) -> Tally {
      Tally(
        answered: left.answered + right.answered, refused: left.refused + right.refused,
        reused: left.reused + right.reused, planted: left.planted + right.planted,
        wrong: left.wrong + right.wrong)
    }
  }

  /// One planting, with what is to come of it.
  private struct Leg: Sendable {
    let planting: Planting
    /// What the parser makes of the first response with what comes in its segment.
    let expected: Transcript
    let isReused: Bool
    let reply: ScriptedReply

    init(_ planting: Planting, _ delivery: Delivery, _ mode: ParsingMode) {
      self.planting = planting
      let companion = delivery.isTogether ? Planting.planted : []
      let open = planting.transcript(with: companion, mode: mode)
      let needsClose = open.verdict == .incomplete
      expected = needsClose ? planting.transcript(with: companion, closed: true, mode: mode) : open
      isReused = delivery == .never && planting.keepsConnection(mode)
      var steps: [ScriptedReply.Step] = [.bytes(planting.first + companion)]
      if delivery == .togetherBeforeAWaitingRequest { steps.insert(.pause(milliseconds: 2), at: 0) }
      if needsClose { steps.append(.close) }
      reply = ScriptedReply(steps)
    }
  }

  private let origin: Origin
  private let delivery: Delivery
  private let legs: [Leg]
  private let witness: Witness
  private let configuration: @Sendable () throws -> URLSessionConfiguration
  private let parsing: URLSessionConfiguration.ResponseParsing

  /// Sets the origin up.
  init(
    _ delivery: Delivery, _ plantings: [Planting], on origin: Origin,
    parsing: URLSessionConfiguration.ResponseParsing = .tolerant,
    configuration: @escaping @Sendable () throws -> URLSessionConfiguration = { .ephemeral }
  ) {
    self.origin = origin
    self.delivery = delivery
    self.configuration = configuration
    self.parsing = parsing
    let mode: ParsingMode =
      switch parsing {
      case .strict: .strict
      case .tolerant: .tolerant
      case .lenient: .lenient
      }
    legs = plantings.map { Leg($0, delivery, mode) }
    witness = Witness(origin, replies: legs.map(\.reply))
  }

  func run(workers: Int = 4) async throws -> Tally {
    try await withThrowingTaskGroup(of: Tally.self) { group in
      for worker in 0..<workers {
        group.addTask {
          let configuration = try configuration()
          configuration.httpMaximumConnectionsPerHost = 1
          configuration.timeoutIntervalForRequest = 20
          configuration.responseParsing = parsing
          let session = Session(configuration: configuration)
          var tally = Tally()
          for number in stride(from: worker, to: legs.count, by: workers) {
            await probe(number, session, &tally)
          }
          return tally
        }
      }
      return try await group.reduce(Tally(), +)
    }
  }

  private func probe(_ number: Int, _ session: Session, _ tally: inout Tally) async {
    let leg = legs[number]
    let method = HTTPMethod(rawValue: leg.planting.method)
    let first = session.request("\(origin.baseURL)/first?\(number)", method: method).anyData()
    let second = session.request("\(origin.baseURL)/second?\(number)")
    let waiting = delivery == .togetherBeforeAWaitingRequest ? second.anyData() : nil
    judge(await first.response, of: leg, &tally)
    if isPlanted(number) { tally.planted += 1 }
    let answer = await (waiting ?? second.anyData()).response
    if answer.value != Data("/second?\(number)".utf8) || answer.response?.statusCode != 200 {
      tally.wrong.append("\(leg.planting): the second request came to \(answer)")
    }
    let isReused = witness.wasReused(number)
    if isReused { tally.reused += 1 }
    if isReused != leg.isReused {
      tally.wrong.append("\(leg.planting): the connection was \(isReused ? "" : "not ")used again")
    }
  }

  private func isPlanted(_ number: Int) -> Bool {
    guard delivery == .later else { return delivery.isTogether }
    guard let connection = witness.connection(ofFirst: number) else { return false }
    return origin.interject(Planting.planted, on: connection)
  }

  /// The first response must be what the parser makes of the same bytes.
  private func judge(_ response: AFDataResponse<Data>, of leg: Leg, _ tally: inout Tally) {
    if response.error == nil { tally.answered += 1 } else { tally.refused += 1 }
    let isComplete = leg.expected.verdict == .complete
    if isComplete != (response.error == nil) || (isComplete && response.value != Data(leg.expected.body)) {
      tally.wrong.append("\(leg.planting): the first request came to \(response)")
    }
  }
}

extension DataRequest {
  /// The body whatever the status, also if it is empty.
  func anyData() -> DataTask<Data> {
    serializingData(emptyResponseCodes: Self.everyStatus, emptyRequestMethods: [.get, .head])
  }

  private static let everyStatus = Set(100...999)
}
