// SPDX-License-Identifier: MIT
import BluebonnetTestSupport
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

/// What a request lets go of may ask the request something at that moment, so no lock is held then.
@Suite struct LettingGoTests {
  private static let url = "http://host.test/"

  private final class Carrier: Error {
    let word: LastWord?
    init(_ word: LastWord?) { self.word = word }
  }

  /// A place for an object of the user's.
  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Puts one in, and lets the one before go.
    let put: @Sendable (UploadRequest, LastWord?) -> Void

    init(_ description: String, _ put: @escaping @Sendable (UploadRequest, LastWord?) -> Void) {
      testDescription = description
      self.put = put
    }
  }

  private static func data(keeping word: LastWord?) -> Data {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 1000, alignment: 1)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: 1000)
    return Data(
      bytesNoCopy: memory, count: 1000,
      deallocator: .custom { memory, _ in
        memory.deallocate()
        withExtendedLifetime(word) {}
      })
  }

  private static func forgetAttempt(of request: Request) {
    let spent = request.protected.withLock { $0.takeAttempt() }
    withExtendedLifetime(spent) {}
  }

  static let places: [Place] = [
    Place("downloadProgress") { request, word in
      request.downloadProgress { _ in withExtendedLifetime(word) {} }
    },
    Place("uploadProgress") { request, word in
      request.uploadProgress { _ in withExtendedLifetime(word) {} }
    },
    Place("onURLRequestCreation") { request, word in
      request.onURLRequestCreation { _ in withExtendedLifetime(word) {} }
    },
    Place("onURLSessionTaskCreation") { request, word in
      request.onURLSessionTaskCreation { _ in withExtendedLifetime(word) {} }
    },
    Place("onInterimResponse") { request, word in
      request.onInterimResponse { _ in withExtendedLifetime(word) {} }
    },
    Place("onProxyResponse") { request, word in
      request.onProxyResponse { _ in withExtendedLifetime(word) {} }
    },
    Place("cURLDescription") { request, word in
      request.cURLDescription { _ in withExtendedLifetime(word) {} }
    },
    Place("onHTTPResponse") { request, word in
      request.responseHook = (.main, { _, _ in withExtendedLifetime(word) {} })
    },
    Place("uploadable") { request, word in request.uploadable = .data(data(keeping: word)) },
    Place("a body that is forgotten") { request, word in
      if word == nil { request.reset(after: nil) } else { request.uploadable = .data(data(keeping: word)) }
    },
    Place("an error") { request, word in request.fail(with: .sessionInvalidated(error: Carrier(word))) },
    Place("an error that is forgotten") { request, word in
      if word == nil {
        forgetAttempt(of: request)
      } else {
        request.fail(with: .sessionInvalidated(error: Carrier(word)))
      }
    },
    Place("the last error") { request, word in
      let error = AFError.sessionInvalidated(error: Carrier(word))
      if word == nil { request.finish(error: error) } else { request.fail(with: error) }
    },
    Place("a response's body") { request, word in
      guard word != nil, let url = URL(string: url) else { return forgetAttempt(of: request) }
      let session = URLSession(configuration: .ephemeral)
      request.didReceive(data: data(keeping: word), of: session.dataTask(with: url), length: 1)
      session.invalidateAndCancel()
    },
  ]

  @Test(arguments: places) func whatIsReplacedMayAsk(place: Place) {
    let scripted = ScriptedSession()
    let request = scripted.session.upload(Data(), to: Self.url)
    let heard = Signal()
    place.put(
      request,
      LastWord { [weak request] in
        if let request { _ = (request.state, request.uploadable, request.downloadProgress) }
        heard.raise()
      })
    #expect(Signal.isRaised { place.put(request, nil) })
    #expect(heard.wait(seconds: 5))
  }

  /// Fails with an error of its own, so that nothing but the outcome keeps the first one.
  private struct Forgetful: DataResponseSerializerProtocol {
    struct Unreadable: Error {}

    func serialize(
      request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
    ) throws -> Int {
      if error != nil { throw Unreadable() }
      return 1
    }
  }

  /// What the handlers were to see of an attempt goes when another one begins.
  @Test(arguments: [false, true]) func whatAnAttemptCameToMayAsk(onQueues: Bool) {
    let scripted = ScriptedSession(
      onQueues: onQueues,
      interceptor: Retrier { _, _, error, completion in
        completion((error as? AFError)?.isResponseSerializationError == true ? .retry : .doNotRetry)
      })
    let (heard, ended) = (Signal(), Signal())
    let request = scripted.session.request(Self.url)
    request.validate { [weak request] _, _, _ in
      guard request?.retryCount == 0 else { return .success(()) }
      return .failure(
        Carrier(
          LastWord { [weak request] in
            _ = request?.state
            heard.raise()
          }))
    }
    request.response(queue: .global(), responseSerializer: Forgetful()) { response in
      #expect(response.value == 1)
      ended.raise()
    }
    #expect(ended.wait())
    #expect(heard.wait(seconds: 5))
    #expect(request.retryCount == 1)
  }
}
