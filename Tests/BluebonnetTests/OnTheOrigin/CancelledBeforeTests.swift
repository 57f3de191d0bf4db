// SPDX-License-Identifier: MIT
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What has been cancelled before it ran is not sent, however ready a connection is for it.
@Suite struct CancelledBeforeTests {
  private let origin: Origin
  private let session: Session

  init() {
    origin = Origin.inMemory()
    session = Session(configuration: .inMemory)
  }

  /// A connection that waits for the next request, and an origin that has heard of none.
  private func warmUp() async {
    _ = await session.request(origin.baseURL + "/get").serializingData().response
    origin.forgetRequests()
  }

  private func expectCancelled<Value>(_ response: DataResponse<Value, AFError>) {
    #expect(response.error?.isExplicitlyCancelledError == true)
  }

  /// Whatever has been sent arrives before this request does, which needs the same connection or a later one.
  private func expectNothingSent(sourceLocation: SourceLocation = #_sourceLocation) async {
    _ = await session.request(origin.baseURL + "/uuid").serializingData().response
    #expect(origin.requests.map(\.target) == ["/uuid"], sourceLocation: sourceLocation)
  }

  @Test func inATaskThatIsCancelled() async {
    for _ in 0..<20 {
      await warmUp()
      let url = origin.baseURL + "/post"
      let response = await Task { [session] in
        withUnsafeCurrentTask { $0?.cancel() }
        return await session.request(url, method: .post).serializingData().response
      }.value
      expectCancelled(response)
      await expectNothingSent()
    }
  }

  @Test func aDownloadAndAStreamInATaskThatIsCancelled() async {
    await warmUp()
    let url = origin.baseURL + "/get"
    await Task { [session] in
      withUnsafeCurrentTask { $0?.cancel() }
      let response = await session.download(url).serializingData().response
      #expect(response.error?.isExplicitlyCancelledError == true)
      let request = session.streamRequest(url)
      for await _ in request.streamTask().streamingData() {}
      #expect(request.isCancelled)
    }.value
    await expectNothingSent()
  }

  @Test func setUpEagerlyAndNeverResumed() async {
    let eager = Session(
      configuration: .inMemory, startRequestsImmediately: false, requestSetup: .eager)
    _ = await eager.request(origin.baseURL + "/get").resume().serializingData().response
    origin.forgetRequests()
    for _ in 0..<20 {
      let request = eager.request(origin.baseURL + "/post", method: .post)
      await Eventually.expect("It has its task.") { request.task != nil }
      request.cancel()
      let response = await request.serializingData().response
      expectCancelled(response)
      #expect(response.metrics != nil)
    }
    await expectNothingSent()
  }

  @Test func suspendedBeforeThereWasATask() async {
    let pending = Recorder<@Sendable () -> Void>()
    let adapter = Adapter { urlRequest, _, completion in pending.note { completion(.success(urlRequest)) } }
    await warmUp()
    for number in 0..<20 {
      let request = session.request(
        origin.baseURL + "/post", method: .post, interceptor: Interceptor(adapters: [adapter]))
      let task = request.serializingData()
      await Eventually.expect("The adapter is asked.") { pending.entries.count == number + 1 }
      request.suspend()
      pending.entries.last?()
      await Eventually.expect("It has its task.") { request.task != nil }
      request.cancel()
      expectCancelled(await task.response)
    }
    await expectNothingSent()
  }
}
