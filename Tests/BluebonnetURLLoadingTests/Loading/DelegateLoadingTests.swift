// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

/// What a delegate hears, in which order, and what its answers do.
@Suite struct DelegateLoadingTests {
  let origin: Origin

  init() throws {
    origin = try Origin.start()
  }

  private func run(
    _ path: String, _ delegate: RecordingDelegate, executor: CallbackExecutor? = nil,
    make: (URLSession, URLRequest) -> URLSessionTask = { $0.dataTask(with: $1) }
  ) async throws -> RecordingDelegate.Record {
    let session =
      if let executor {
        URLSession(configuration: .ephemeral, delegate: delegate, executor: executor)
      } else {
        URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
      }
    let url = try #require(URL(string: origin.baseURL + path))
    make(session, URLRequest(url: url)).resume()
    await Eventually.expect("the task completes") { delegate.record.isComplete }
    session.invalidateAndCancel()
    return delegate.record
  }

  @Test(arguments: [true, false]) func hearsTheEventsInOrder(onTheLoop: Bool) async throws {
    let record = try await run("/get", RecordingDelegate(), executor: onTheLoop ? .loop : nil)
    #expect(record.events.prefix(4) == ["response", "data", "metrics", "complete"])
    #expect(record.error == nil)
  }

  @Test func cancelsByDisposition() async throws {
    let record = try await run("/manyBytes/1000000", RecordingDelegate(disposition: .cancel))
    #expect((record.error as? URLError)?.code == .cancelled)
    #expect(record.data.isEmpty)
  }

  @Test func aRedirectThatIsNotFollowedIsTheResponse() async throws {
    let delegate = RecordingDelegate(followsRedirects: false)
    let record = try await run("/redirect/2", delegate)
    #expect(record.error == nil)
    #expect(record.metrics?.redirectCount == 0)
    #expect(origin.requests.count == 1)
  }

  @Test func answersABasicChallenge() async throws {
    let credential = URLCredential(user: "user", password: "secret", persistence: .none)
    let record = try await run("/basic-auth/user/secret", RecordingDelegate(credential: credential))
    #expect(record.events.prefix(2) == ["challenge", "response"])
    #expect(origin.requests.last?.value("Authorization") == "Basic dXNlcjpzZWNyZXQ=")
    #expect(record.metrics?.transactionMetrics.count == 2)
  }

  @Test func aWrongPasswordEndsWithThe401() async throws {
    let credential = URLCredential(user: "user", password: "wrong", persistence: .none)
    let record = try await run("/basic-auth/user/secret", RecordingDelegate(credential: credential))
    #expect(record.events.filter { $0 == "challenge" }.count == 2)
    #expect(record.error == nil)
    let response = record.metrics?.transactionMetrics.last?.response as? HTTPURLResponse
    #expect(response?.statusCode == 401)
  }

  @Test func downloadsIntoAFile() async throws {
    let record = try await run("/manyBytes/3000000", RecordingDelegate()) { $0.downloadTask(with: $1) }
    #expect(record.downloaded?.count == 3_000_000)
    #expect(record.events.suffix(3) == ["file", "metrics", "complete"] || record.events.contains("file"))
  }

  /// A slow delegate holds the wire back: the origin cannot get rid of an endless body.
  @Test func aSlowDelegateHoldsTheBodyBack() async throws {
    let delegate = RecordingDelegate(slowness: 0.01)
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    let task = session.dataTask(with: try #require(URL(string: origin.baseURL + "/infinite")))
    task.resume()
    await Eventually.expect("something arrives") { delegate.record.data.count > 4_000_000 }
    let (received, taken) = (task.countOfBytesReceived, delegate.record.data.count)
    #expect(Int(received) - taken < 8_000_000)
    task.cancel()
    await Eventually.expect("the task completes") { delegate.record.isComplete }
    session.invalidateAndCancel()
  }

  @Test func anInvalidatedSessionSaysSoAfterItsLastTask() async throws {
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    session.dataTask(with: try #require(URL(string: origin.baseURL + "/delay/10"))).resume()
    session.invalidateAndCancel()
    await Eventually.expect("the session is invalid") { delegate.record.events.last == "invalid" }
    #expect((delegate.record.error as? URLError)?.code == .cancelled)
  }

  @Test func anInvalidatedSessionLoadsNothingMore() async throws {
    let session = URLSession(configuration: .ephemeral)
    let url = try #require(URL(string: origin.baseURL + "/get"))
    _ = try await session.data(from: url)
    session.finishTasksAndInvalidate()
    await Eventually.expect("its connection is closed") { origin.openConnections == 0 }
    let error = await #expect(throws: URLError.self) { try await session.data(from: url) }
    #expect(error?.code == .cancelled)
  }

  @Test func measuresEachStepOfATransaction() async throws {
    let record = try await run("/delay/0", RecordingDelegate())
    let transaction = try #require(record.metrics?.transactionMetrics.first)
    let dates = [
      transaction.fetchStartDate, transaction.connectStartDate, transaction.connectEndDate,
      transaction.requestStartDate, transaction.requestEndDate, transaction.responseStartDate,
      transaction.responseEndDate,
    ]
    let known = dates.compactMap { $0 }
    #expect(known.count == dates.count)
    #expect(known == known.sorted())
    #expect(transaction.remotePort == Int(origin.port))
    #expect(transaction.countOfRequestHeaderBytesSent > 0)
    #expect(transaction.countOfResponseBodyBytesReceived == Int64(record.data.count))
    #expect(!transaction.isReusedConnection)
    #expect(record.metrics?.transactionMetrics.first === transaction, "it is made once")
  }

  @Test func countsTheRedirectsThatAreFollowed() async throws {
    #expect(try await run("/redirect/2", RecordingDelegate()).metrics?.redirectCount == 2)
  }

  /// What did not come about has no end, and no protocol.
  @Test(arguments: [false, true]) func aConnectionThatFailsHasNoEnd(isSecure: Bool) async throws {
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    let closed = try ClosedPort()
    // Plain HTTP is no TLS record.
    let address = isSecure ? "https://127.0.0.1:\(origin.port)/" : "http://127.0.0.1:\(closed.number)/"
    session.dataTask(with: URLRequest(url: try #require(URL(string: address)))).resume()
    await Eventually.expect("the task completes") { delegate.record.isComplete }
    let transaction = try #require(delegate.record.metrics?.transactionMetrics.first)
    #expect(delegate.record.error != nil && transaction.connectStartDate != nil)
    #expect(transaction.connectEndDate == nil && transaction.secureConnectionEndDate == nil)
    #expect((transaction.secureConnectionStartDate != nil) == isSecure)
    #expect(transaction.networkProtocolName == (isSecure ? "http/1.1" : nil))
  }

  /// Bodies with their codings and without; the framing of chunks is no part of them.
  @Test(arguments: ["/gzip", "/get", "/chunked/3/100"]) func bodiesAreMeasuredBesideTheirCodings(path: String)
    async throws
  {
    let record = try await run(path, RecordingDelegate())
    let transaction = try #require(record.metrics?.transactionMetrics.first)
    let (received, decoded) = (
      transaction.countOfResponseBodyBytesReceived, transaction.countOfResponseBodyBytesAfterDecoding
    )
    #expect(decoded == Int64(record.data.count))
    let response = try #require(transaction.response as? HTTPURLResponse)
    if path == "/gzip" {
      #expect(response.value(forHTTPHeaderField: "Content-Length") == "\(received)" && received != decoded)
    } else {
      #expect(received == decoded && received > 0)
    }
    #expect(transaction.countOfRequestBodyBytesSent == 0)
    #expect(transaction.countOfRequestBodyBytesBeforeEncoding == 0)
  }

  @Test(arguments: [false, true]) func sentBodiesAreMeasured(isStream: Bool) async throws {
    let delegate = RecordingDelegate()
    let session = URLSession(configuration: .patient, delegate: delegate, delegateQueue: nil)
    defer { session.invalidateAndCancel() }
    var request = URLRequest(url: try #require(URL(string: origin.baseURL + "/post")))
    request.httpMethod = "POST"
    if isStream {
      request.httpBodyStream = InputStream(data: Data(count: 3000))
    } else {
      request.httpBody = Data(count: 3000)
    }
    session.dataTask(with: request).resume()
    await Eventually.expect("it completes") { delegate.record.isComplete }
    let transaction = try #require(delegate.record.metrics?.transactionMetrics.first)
    #expect(origin.requests.first?.bodyLength == 3000)
    #expect(origin.requests.first?.value("Transfer-Encoding") == (isStream ? "chunked" : nil))
    #expect(transaction.countOfRequestBodyBytesBeforeEncoding == 3000)
    #expect(transaction.countOfRequestBodyBytesSent == 3000)
  }
}
