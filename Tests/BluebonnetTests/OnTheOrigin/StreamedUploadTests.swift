// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestClock
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// Bodies that a sequence gives while they are sent.
@Suite struct StreamedUploadTests {
  private typealias Broken = Pieces<Data>.Broken

  let origin: Origin
  let session = Session(configuration: .patientInMemory)

  init() {
    origin = Origin.inMemory()
  }

  private static func data(_ number: Int, _ size: Int) -> Data {
    Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) })
  }

  private func reason(_ error: AFError?) -> String {
    (error?.underlyingError as? URLError)?.localizedDescription ?? "\(error as Any)"
  }

  // MARK: What arrives

  @Test(arguments: [[0], [1], [10, 0, 300], [300_000, 1, 0, 262_144], [3_000_000], []], [true, false])
  func aSequenceOfDataArrivesWhole(sizes: [Int], isMeasured: Bool) async throws {
    let pieces = sizes.enumerated().map { Self.data($0.offset, $0.element) }
    let whole = pieces.reduce(Data(), +)
    let request = session.upload(
      Pieces(pieces), length: isMeasured ? Int64(whole.count) : nil, to: origin.baseURL + "/post")
    #expect(await request.serializingData().response.response?.statusCode == 200)
    let sent = try #require(origin.requests.last)
    #expect(sent.body == Array(whole))
    #expect(sent.isComplete)
    // That there is nothing shows only when it is asked for.
    let isStated = isMeasured && !whole.isEmpty
    #expect(sent.value("Content-Length") == (isStated ? "\(whole.count)" : nil))
    #expect(sent.value("Transfer-Encoding") == (isStated ? nil : "chunked"))
    #expect(!isMeasured || request.uploadProgress.fractionCompleted == 1 || whole.isEmpty)
  }

  @Test func bytesAndSlicesAndStandardStreamsDo() async throws {
    let url = origin.baseURL + "/post"
    _ = await session.upload(Pieces([[UInt8]("ab".utf8), [UInt8]("c".utf8)]), to: url).serializingData()
      .response
    _ = await session.upload(Pieces([[UInt8]("xabx".utf8)[1..<3], [99]]), length: 3, to: url)
      .serializingData()
      .response
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    for letter in ["a", "b", "c"] { continuation.yield(Data(letter.utf8)) }
    continuation.finish()
    _ = await session.upload(stream, with: try URLRequest(url: url, method: .put)).serializingData().response
    #expect(origin.requests.prefix(2).map(\.body) == [Array("abc".utf8), Array("abc".utf8)])
  }

  @Test func whatComesLateArrivesAtOnce() async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Data.self)
    let request = session.upload(stream, to: origin.baseURL + "/post")
    let task = request.serializingData()
    for (number, letter) in ["a", "b", "c"].enumerated() {
      continuation.yield(Data(letter.utf8))
      await Eventually.expect("nothing waits for more") {
        request.task?.countOfBytesSent == Int64(number) + 1
      }
    }
    continuation.finish()
    #expect(await task.response.response?.statusCode == 200)
    #expect(origin.requests.last?.body == Array("abc".utf8))
  }

  /// The whole must not be in memory, and is not pulled before there is somewhere to put it.
  @Test func aServerThatDoesNotReadStopsTheSequence() async throws {
    origin.reception = .silence
    let pieces = Pieces(100_000) { _ in Data(count: 65_536) }
    let configuration = URLSessionConfiguration.patientInMemory
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    let request = session.upload(pieces, to: origin.baseURL + "/upload") { $0.timeoutInterval = 1 }
    let task = request.serializingData()
    await clock.advance(by: .milliseconds(50), until: "nobody has read for a second") { request.isFinished }
    let response = await task.response
    #expect((response.error?.underlyingError as? URLError)?.code == .timedOut)
    // What two kernels take is not ours to say, but it is little beside 6.5 GB.
    #expect(pieces.record.elements < 1000)
  }

  // MARK: What fails

  @Test(arguments: [nil, 1_000_000 as Int64]) func whatTheSequenceThrowsIsTheError(length: Int64?)
    async throws
  {
    let pieces = Pieces([Data("begun".utf8)], then: .failure)
    let response = await session.upload(pieces, length: length, to: origin.baseURL + "/post")
      .serializingData()
      .response
    #expect(response.error?.isSessionTaskError == true)
    #expect(response.error?.underlyingError is Broken)
    #expect(response.response == nil)
    await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
    #expect(origin.requests.allSatisfy { !$0.isComplete })
  }

  @Test(arguments: [
    (10, "it ended 4 bytes short of its declared length"),
    (5, "it is longer than its declared length, 5 bytes"),
    (1, "it is longer than its declared length, 1 bytes"), (-1, "the body was declared to be -1 bytes long"),
  ])
  func aWrongLengthIsNeverAMessage(length: Int64, words: String) async throws {
    let pieces = Pieces([Data("abc".utf8), Data(), Data("def".utf8)])
    let response = await session.upload(pieces, length: length, to: origin.baseURL + "/post")
      .serializingData()
      .response
    #expect((response.error?.underlyingError as? URLError)?.code == .requestBodyStreamExhausted)
    #expect(reason(response.error).contains(words), "\(reason(response.error))")
    #expect(response.error?.loadingFault == .caller)
    await Eventually.expect("the connection is closed") { origin.openConnections == 0 }
    #expect(origin.requests.allSatisfy { !$0.isComplete })
  }

  @Test func cancellingTheRequestCancelsTheSequence() async throws {
    let pieces = Pieces([Data("begun".utf8)], then: .never)
    let request = session.upload(pieces, to: origin.baseURL + "/post")
    let task = request.serializingData()
    await Eventually.expect("it is on its way") { (request.task?.countOfBytesSent ?? 0) > 0 }
    request.cancel()
    #expect(await task.response.error?.isExplicitlyCancelledError == true)
    await Eventually.expect("the sequence is cancelled") {
      pieces.record.cancellations == 1 && pieces.record.isAtRest
    }
    #expect(origin.requests.allSatisfy { !$0.isComplete })
  }

  @Test func anEarlyAnswerEndsTheSequence() async throws {
    origin.script(
      "/refuse",
      ScriptedReply(
        [
          .bytes(Array("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)),
          .close,
        ],
        at: .head))
    let pieces = Pieces([Data("begun".utf8)], then: .never)
    let response = await session.upload(pieces, to: origin.baseURL + "/refuse").serializingData().response
    #expect(response.response?.statusCode == 413)
    await Eventually.expect("the sequence is let go") { pieces.record.isAtRest }
  }

  /// Nobody is asked for a body that the server, asked first, does not want (RFC 9110 §10.1.1).
  @Test func aSequenceThatIsNotWantedIsNotBegun() async throws {
    origin.script(
      "/refuse",
      ScriptedReply([.bytes(Array("HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n".utf8))], at: .head))
    let pieces = Pieces([Data("never".utf8)])
    let response = await session.upload(
      pieces, to: origin.baseURL + "/refuse", headers: ["Expect": "100-continue"]
    ).serializingData().response
    #expect(response.response?.statusCode == 401)
    #expect(pieces.record.beginnings == 0)
  }

  // MARK: What is sent again

  private func body(_ pieces: Pieces<Data>, isReplayable: Bool) -> StreamedBody {
    isReplayable ? StreamedBody(length: 4) { pieces } : StreamedBody(pieces, length: 4)
  }

  private static let why = "it comes from a sequence and can only be read once"

  @Test(arguments: [307, 308], [true, false])
  func aRedirectNeedsTheBodyAgain(status: Int, isReplayable: Bool) async throws {
    let pieces = Pieces([Data("ab".utf8), Data("cd".utf8)])
    let response = await session.upload(
      body(pieces, isReplayable: isReplayable),
      to: origin.baseURL + "/redirect-to?statusCode=\(status)&url=/post"
    ).serializingData().response
    if isReplayable {
      #expect(response.response?.statusCode == 200)
      #expect(origin.requests.map(\.body) == [Array("abcd".utf8), Array("abcd".utf8)])
      #expect(pieces.record.beginnings == 2)
    } else {
      let words = "the body has to be sent again after the response with status \(status), and \(Self.why)"
      #expect(reason(response.error).contains(words), "\(reason(response.error))")
      #expect((response.error?.underlyingError as? URLError)?.code == .requestBodyStreamExhausted)
      #expect(origin.requests.count == 1)
    }
  }

  @Test(arguments: [true, false]) func aChallengeNeedsTheBodyAgain(isReplayable: Bool) async throws {
    let pieces = Pieces([Data("abcd".utf8)])
    let response = await session.upload(
      body(pieces, isReplayable: isReplayable), to: origin.baseURL + "/basic-auth/me/secret"
    ).authenticate(username: "me", password: "secret").serializingData().response
    if isReplayable {
      #expect(response.response?.statusCode == 200)
      #expect(origin.requests.last?.body == Array("abcd".utf8))
    } else {
      #expect(reason(response.error).contains("status 401, and \(Self.why)"), "\(reason(response.error))")
    }
  }

  @Test(arguments: [true, false]) func aRetryNeedsTheBodyAgain(isReplayable: Bool) async throws {
    origin.script("/flaky", .response(status: 503), .endpoint)
    let pieces = Pieces([Data("abcd".utf8)])
    let response = await session.upload(
      body(pieces, isReplayable: isReplayable), to: origin.baseURL + "/flaky",
      interceptor: Retrier { request, _, _, completion in
        completion(request.retryCount == 0 ? .retry : .doNotRetry)
      }
    ).validate(statusCode: [200, 404]).serializingData().response
    if isReplayable {
      #expect(response.error == nil)
      #expect(origin.requests.map(\.body) == [Array("abcd".utf8), Array("abcd".utf8)])
    } else {
      #expect(
        reason(response.error).contains("the body cannot be sent again: \(Self.why)"),
        "\(reason(response.error))")
      #expect(origin.requests.count == 1)
    }
  }

  @Test func aBodyThatWasNotBegunIsNotLost() async throws {
    let pieces = Pieces([Data("abcd".utf8)])
    let closed = try ClosedPort()
    let good = origin.baseURL + "/post"
    let attempt = Counter()
    let response = await session.upload(
      StreamedBody(pieces), to: "http://127.0.0.1:\(closed.number)/post",
      interceptor: Interceptor(
        adapter: Adapter { request, _, completion in
          var request = request
          if attempt.value > 0 { request.url = URL(string: good) }
          attempt.count()
          completion(.success(request))
        },
        retrier: Retrier { request, _, _, completion in
          completion(request.retryCount == 0 ? .retry : .doNotRetry)
        })
    ).serializingData().response
    #expect(response.response?.statusCode == 200)
    #expect(origin.requests.last?.body == Array("abcd".utf8))
  }

  @Test func ofTwoRequestsOneGetsTheBody() async throws {
    let body = StreamedBody(Pieces([Data("abcd".utf8)]))
    let first = await session.upload(body, to: origin.baseURL + "/post").serializingData().response
    let second = await session.upload(body, to: origin.baseURL + "/post").serializingData().response
    #expect(first.error == nil)
    #expect(reason(second.error).contains(Self.why))
    #expect(!body.isReplayable)
    #expect(StreamedBody { Pieces([Data()]) }.isReplayable)
  }

  /// The server waits for the body, and the body for nobody knows what: that is not the server's fault.
  @Test(arguments: [nil, 8 as Int64]) func aSequenceThatFallsSilent(length: Int64?) async throws {
    let pieces = Pieces([Data("abcd".utf8)], then: .never)
    let configuration = URLSessionConfiguration.patientInMemory
    let clock = configuration.stopClock()
    let session = Session(configuration: configuration)
    let task = session.upload(pieces, length: length, to: origin.baseURL + "/post") {
      $0.timeoutInterval = 0.4
    }
    .serializingData()
    await Eventually.expect("all has come that comes") { [origin] in
      origin.requests.count == 1 && pieces.record.elements == 1
    }
    await clock.advance(by: .milliseconds(50), until: "the sequence is let go") { pieces.record.isAtRest }
    let response = await task.response
    let error = response.error?.underlyingError as? URLError
    #expect(error?.code == .timedOut && error?.loadingPhase == .sending)
    #expect(error?.loadingFault == .caller)
    #expect(reason(response.error).contains("its body gave nothing for 0.4 s"), "\(reason(response.error))")
    await Eventually.expect("the sequence is let go") { pieces.record.isAtRest }
  }

  @Test(arguments: [true, false]) func aBodyThatIsSaidToBeEmpty(isIt: Bool) async throws {
    let pieces = Pieces(isIt ? [] : [Data("a".utf8)])
    let response = await session.upload(
      pieces, length: 0, to: origin.baseURL + "/post", interceptor: isIt ? .gzipCompressor : nil
    ).serializingData().response
    if isIt {
      #expect(response.response?.statusCode == 200)
      #expect(origin.requests.last?.body.isEmpty == true)
      #expect(origin.requests.last?.value("Content-Encoding") == nil)
    } else {
      #expect(
        reason(response.error).contains("it is longer than its declared length, 0 bytes"),
        "\(reason(response.error))")
      #expect(origin.requests.allSatisfy { !$0.isComplete })
    }
  }
}
