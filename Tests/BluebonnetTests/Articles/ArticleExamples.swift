// The code of the articles, word for word. It is compiled, not run: most of it talks to servers out there.
// `ArticleExamplesTests` sees to it that nothing stands in an article that does not stand here.

import BluebonnetFoundation
import Bluebonnet

struct Reply: Decodable, Sendable {
  let url: String
}

struct Login: Encodable, Sendable {
  let email: String
  let password: String
}

struct Tokens: AuthenticationCredential, Sendable {
  let access: String
  let refresh: String
  let expiry: Date
  var requiresRefresh: Bool { expiry.timeIntervalSinceNow < 60 }
}

final class TokenAuthenticator: Authenticator {
  func apply(_ tokens: Tokens, to urlRequest: inout URLRequest) {
    urlRequest.headers.add(.authorization(bearerToken: tokens.access))
  }

  func refresh(
    _ tokens: Tokens, for session: Session,
    completion: @escaping @Sendable (Result<Tokens, any Error>) -> Void
  ) {
    AF.request("https://api.example.org/token", method: .post, parameters: ["token": tokens.refresh])
      .validate()
      .responseString { response in
        completion(
          response.result
            .map { Tokens(access: $0, refresh: tokens.refresh, expiry: Date(timeIntervalSinceNow: 3600)) }
            .mapError { $0 })
      }
  }

  func didRequest(
    _ urlRequest: URLRequest, with response: HTTPURLResponse, failDueToAuthenticationError error: any Error
  ) -> Bool {
    response.statusCode == 401
  }

  func isRequest(_ urlRequest: URLRequest, authenticatedWith tokens: Tokens) -> Bool {
    urlRequest.headers["Authorization"] == HTTPHeader.authorization(bearerToken: tokens.access).value
  }
}

enum Route: URLRequestConvertible {
  case user(id: Int)
  case search(String)

  func asURLRequest() throws -> URLRequest {
    switch self {
    case .user(let id):
      return try URLRequest(url: "https://example.org/users/\(id)", method: .get)
    case .search(let text):
      let request = try URLRequest(url: "https://example.org/search", method: .get)
      return try URLEncodedFormParameterEncoder.default.encode(["q": text], into: request)
    }
  }
}

enum ArticleExamples {
  static func awaiting() async throws -> Reply {
    let reply = try await AF.request("https://httpbin.org/get").serializingDecodable(Reply.self).value
    return reply
  }

  static func readme() async throws {
    struct Flower: Decodable, Sendable { let name: String }
    let flower = try await AF.request("https://example.org/flower.json")
      .validate().serializingDecodable(Flower.self).value

    AF.request("https://example.org/flower.json").validate().responseDecodable(of: Flower.self) { response in
      print(response.result)
    }
    print(flower.name)
  }

  static func requests() {
    AF.request("https://httpbin.org/get").responseDecodable(of: Reply.self) { response in
      print(response.result)
    }

    AF.request("https://httpbin.org/post", method: .post).resume()
    AF.request("https://example.org/files", method: HTTPMethod(rawValue: "PROPFIND")).resume()

    AF.request("https://httpbin.org/get") { urlRequest in
      urlRequest.timeoutInterval = 5
    }
    .resume()
  }

  static func parameters() {
    let login = Login(email: "me@example.org", password: "secret")
    AF.request("https://httpbin.org/post", method: .post, parameters: login).resume()
    AF.request("https://httpbin.org/post", method: .post, parameters: login, encoder: .json).resume()
    AF.request("https://httpbin.org/get", parameters: ["q": "swift"], encoder: .urlEncodedForm).resume()

    let encoder = URLEncodedFormEncoder(
      arrayEncoding: .indexInBrackets, boolEncoding: .literal, dateEncoding: .iso8601,
      keyEncoding: .convertToSnakeCase, spaceEncoding: .plusReplaced)
    AF.request(
      "https://httpbin.org/post", method: .post, parameters: ["userIDs": [1, 2]],
      encoder: URLEncodedFormParameterEncoder(encoder: encoder)
    )
    .resume()
  }

  static func headers() {
    var headers: HTTPHeaders = [
      .authorization(bearerToken: "token"),
      .accept("application/json"),
    ]
    headers["X-Request-ID"] = "17"
    AF.request("https://httpbin.org/headers", headers: headers).resume()
  }

  static func sessions() -> [Session] {
    let configuration = URLSessionConfiguration.af.default
    configuration.headers.add(.userAgent("my-service/1.0"))
    let session = Session(configuration: configuration)

    let patient = Session(interceptor: RetryPolicy(retryLimit: 3))

    let pinned = SecCertificate(pem: "-----BEGIN CERTIFICATE-----…")
    let manager = ServerTrustManager(evaluators: [
      "api.example.org": PinnedCertificatesTrustEvaluator(certificates: [pinned].compactMap { $0 }),
      "keys.example.org": PublicKeysTrustEvaluator(keys: [pinned].compactMap { $0?.af.publicKey }),
      "example.org": DefaultTrustEvaluator(),
    ])
    let careful = Session(serverTrustManager: manager)

    return [session, patient, careful]
  }

  static func pins(_ file: URL, _ configuration: URLSessionConfiguration) throws -> Session {
    var evaluators = try PublicKeyHashesTrustEvaluator.evaluators(contentsOf: file)
    evaluators["*.example.org"] = try PublicKeyHashesTrustEvaluator(
      hashes: ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="],
      backupHashes: ["sha256/RRM1dGqnDFsCJXBTHky16vi1obOlCgFFn/yOhI/y+ho="])
    let wary = Session(
      configuration: configuration, serverTrustManager: ServerTrustManager(evaluators: evaluators))
    return wary
  }

  static func asking() -> ServerTrustManager {
    let asking = ServerTrustManager(
      allHostsMustBeEvaluated: false,
      evaluators: [
        "pay.example.org": RevocationTrustEvaluator(options: [.any, .requirePositiveResponse]),
        "www.example.org": RevocationTrustEvaluator(),
      ])
    return asking
  }

  static func certificates() {
    AF.request("https://example.org/").response { response in
      for transaction in response.metrics?.transactionMetrics ?? [] {
        print(transaction.serverCertificates.map(\.subject), transaction.serverTrustError ?? "trusted")
        print(
          transaction.negotiatedTLSGroup ?? "no TLS", transaction.isTLSSessionResumed,
          transaction.stapledOCSPResponse)
      }
    }
  }

  static func responses() async throws -> Data {
    let response = await AF.request("https://httpbin.org/get").serializingString().response
    print(response.response?.statusCode ?? 0, response.result)

    let data = try await AF.request("https://httpbin.org/status/418").validate().serializingData().value

    let nothing = try await AF.request("https://example.org/ping")
      .serializingDecodable(Empty.self, emptyResponseCodes: [200]).value
    print(nothing)
    return data
  }

  static func errors() async throws {
    do {
      _ = try await AF.request("https://example.invalid").serializingData().value
    } catch let error as AFError {
      if let failure = error.underlyingError as? URLError, failure.code == .cannotFindHost {
        print("no such host")
      } else if let status = error.responseCode {
        print("refused with \(status)")
      }
    }
  }

  static func uploads() {
    AF.upload(
      multipartFormData: { form in
        form.append(Data("Ada".utf8), withName: "name")
        form.append(URL(fileURLWithPath: "/tmp/portrait.png"), withName: "portrait")
      }, to: "https://httpbin.org/post"
    )
    .uploadProgress { print($0.fractionCompleted) }
    .response { print($0.result) }
  }

  static func downloads() async throws -> URL {
    let folder = FileManager.default.temporaryDirectory
    let place: DownloadRequest.Destination = { _, response in
      (folder.appendingPathComponent(response.suggestedFilename ?? "file"), [.removePreviousFile])
    }
    let file = try await AF.download("https://httpbin.org/image/png", to: place)
      .validate().serializingDownloadedFileURL().value
    return file
  }

  static func streams() async {
    let stream = AF.streamRequest("https://httpbin.org/stream/20").validate()
    for await event in stream.streamTask().streamingData() {
      if let data = event.value { print(data.count) }
      if let completion = event.completion { print(completion.error ?? "complete") }
    }
  }

  static func names() {
    AF.request("https://httpbin.org/basic-auth/user/secret")
      .authenticate(username: "user", password: "secret")
      .validate()
      .response { print($0.result) }
  }

  static func limits() -> [Session] {
    let limits = URLSessionConfiguration.af.default
    limits.timeoutIntervalForRequest = 20
    limits.timeoutIntervalForConnection = 5
    limits.timeoutIntervalForWaiting = 10
    limits.timeoutIntervalForResource = 120
    limits.httpMaximumConnectionsPerHost = 16
    limits.responseHeadLimit = 64 * 1024
    limits.decompressionLimitInMemory = .init(bytes: 100_000_000)
    let limited = Session(configuration: limits)

    let url = "https://httpbin.org/get"
    let polite = URLSessionConfiguration.af.default
    polite.requestLimit = 8
    polite.requestLimitPerHost = 2
    polite.timeoutIntervalForWaiting = 30
    let queued = Session(configuration: polite)
    queued.request(url).priority(URLSessionTask.highPriority).response { print($0.result) }

    let own = URLSessionConfiguration.af.default
    own.trustAnchors = .several([.system, .file(path: "/etc/my-service/authority.pem")])
    let inside = Session(configuration: own)

    let bulk = URLSessionConfiguration.af.default
    bulk.eventLoop = URLSessionConfiguration.EventLoop(name: "bulk")
    let apart = Session(configuration: bulk)
    return [limited, inside, apart]
  }

  static func quick(_ bulk: URLSessionConfiguration) async throws {
    let quick = Session(configuration: bulk)
    try await withTaskExecutorPreference(bulk.eventLoop.taskExecutor) {
      for page in 1...100 {
        print(try await quick.request("https://example.org/pages/\(page)").serializingString().value.count)
      }
    }
  }

  static func waiting(for url: URL) throws {
    let main = URLSessionConfiguration.EventLoop.drivenByCallers(name: "main")
    let waiting = URLSessionConfiguration.af.default
    waiting.eventLoop = main
    let loading = URLSession(configuration: waiting)
    let (data, _) = try loading.dataTask(with: url).wait()
    let length = try main.run { try await loading.data(from: url).0.count }
    print(data.count == length)
  }

  static func tokens() {
    let signed = Session(
      interceptor: Adapter { request, _, completion in
        var request = request
        request.headers.add(.authorization(bearerToken: "token"))
        completion(.success(request))
      })

    let tokens = Tokens(access: "a", refresh: "r", expiry: Date(timeIntervalSinceNow: 3600))
    let authenticated = Session(
      interceptor: AuthenticationInterceptor(authenticator: TokenAuthenticator(), credential: tokens))
    authenticated.request("https://api.example.org/me").validate().response { print($0.result) }
    print(signed.startRequestsImmediately)
  }

  static func bodies() {
    AF.upload(URL(fileURLWithPath: "/tmp/portrait.png"), to: "https://httpbin.org/post", method: .post)
      .validate()
      .response { print($0.result) }

    let folder = FileManager.default.temporaryDirectory
    let place: DownloadRequest.Destination = { _, response in
      (folder.appendingPathComponent(response.suggestedFilename ?? "file"), [.removePreviousFile])
    }
    AF.download("https://httpbin.org/image/png", to: place)
      .downloadProgress { print("\($0.completedUnitCount) of \($0.totalUnitCount) bytes") }
      .responseURL { print($0.result) }
  }

  static func redirects() {
    let url = "https://httpbin.org/redirect/3"
    AF.request(url).redirect(using: .doNotFollow).resume()
    let closer = Redirector.modify { _, request, _ in
      request.url?.host == "httpbin.org" ? request : nil
    }
    AF.request(url).redirect(using: closer).resume()
  }

  static func debugging() {
    AF.request("https://httpbin.org/get")
      .cURLDescription { print($0) }
      .response { debugPrint($0) }
  }
}
