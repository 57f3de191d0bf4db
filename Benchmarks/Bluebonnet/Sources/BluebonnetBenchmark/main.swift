// SPDX-License-Identifier: MIT
import BenchmarkHarness
import Bluebonnet
import BluebonnetLogging
import Logging
import Synchronization

let assignment = Assignment()
let configuration = URLSessionConfiguration.ephemeral
configuration.httpMaximumConnectionsPerHost = assignment.connections ?? assignment.concurrency
configuration.urlCache = nil
// What is measured is how much it takes, however slow that is made by whoever counts.
configuration.timeoutIntervalForRequest = 3_600
if let authorities = assignment.authorities { configuration.trustAnchors = .file(path: authorities) }
if let proxy = assignment.proxy { configuration.proxySelection = .proxy(try .init(proxy)) }
let session = Session(configuration: configuration)
let url = assignment.url
let file = URL(fileURLWithPath: assignment.file ?? "/dev/null")

/// Streams to be uploaded. `@unchecked Sendable`: one upload at a time takes one.
final class Streams: @unchecked Sendable {
  // Kept to the end: each has a copy of the data, and to free that is not part of an upload.
  private let streams: [InputStream]
  private var taken = 0

  init(_ streams: [InputStream]) { self.streams = streams }

  func next() -> InputStream {
    defer { taken += 1 }
    return streams[taken]
  }
}

/// Uploads once, and gives the number of bytes that the server has counted.
@Sendable func count(_ upload: UploadRequest) async throws -> Int {
  let answer = try await upload.validate().serializingString().value
  return Int(answer.dropLast()) ?? 0
}

/// Loads through a cache: on the session's loop, or in a task that may wait for the disk.
@MainActor func load(by cache: URLCache, onLoop: Bool) throws {
  configuration.urlCache = cache
  let loading = URLSession(configuration: configuration)
  let request = URLRequest(url: try url.asURL())
  assignment.run(on: onLoop ? URLSessionConfiguration.EventLoop.shared.taskExecutor : nil) {
    let (data, _) = try await loading.data(for: request)
    return data.count
  }
}

/// The first way in, by a session of another kind.
@MainActor func load(_ address: String, by session: Session) {
  assignment.run { try await session.request(address).validate().serializingData().value.count }
}

switch assignment.mode {
case .small where assignment.hosts > 1:
  let urls = assignment.addresses
  let next = Atomic(0)
  assignment.run {
    let turn = next.add(1, ordering: .relaxed).oldValue
    return try await session.request(urls[turn % urls.count]).validate().serializingData().value.count
  }
case .small where assignment.fields > 0:
  assignment.run {
    var headers = HTTPHeaders()
    for number in 0..<assignment.fields { headers.add(name: "X-Field-\(number)", value: "the value") }
    return try await session.request(url, headers: headers).validate().serializingData().value.count
  }
case .small:
  // The way in that users take: a validated request whose body arrives as data.
  assignment.run {
    try await session.request(url).validate().serializingData().value.count
  }
case .smallLoop:
  assignment.run(on: URLSessionConfiguration.EventLoop.shared.taskExecutor) {
    try await session.request(url).validate().serializingData().value.count
  }
case .smallWait:
  // No task and no other thread: the main thread drives the loop.
  configuration.eventLoop = .drivenByCallers(name: "main")
  let waiting = URLSession(configuration: configuration)
  let request = URLRequest(url: try url.asURL())
  assignment.runWaiting {
    let (data, response) = try waiting.dataTask(with: request).wait()
    guard let status = (response as? HTTPURLResponse)?.statusCode, (200..<300).contains(status) else {
      throw URLError(.badServerResponse)
    }
    return data.count
  }
case .smallMonitored:
  load(url, by: Session(configuration: configuration, eventMonitors: [FinishMonitor()]))
case .smallLogged:
  let monitor = LoggingMonitor(logger: Logger(label: "http") { _ in DroppingHandler() })
  load(url, by: Session(configuration: configuration, eventMonitors: [monitor]))
case .smallRelative:
  let base = try url.asURL()
  load(base.lastPathComponent, by: Session(configuration: configuration, baseURL: base))
case .smallLinks:
  assignment.run {
    let response = await session.request(url).validate().serializingData().response
    guard let next = response.response?.link(rel: "next") else { throw URLError(.badServerResponse) }
    return next.relations.count + (response.data?.count ?? 0)
  }
case .smallDownload, .smallVerified:
  assignment.run {
    let request = session.download(url, to: { _, _ in (file, .removePreviousFile) })
    if let digest = assignment.digest { try request.verifying(sha256: digest) }
    return try await request.validate().serializingDownloadedFileURL().value.pathComponents.count
  }
case .cached:
  // Each but the first is answered from memory. On the loop, where nobody has to be woken for it.
  try load(by: URLCache(memoryCapacity: 1 << 20, diskCapacity: 0), onLoop: true)
case .cachedDisk:
  try load(by: URLCache(memoryCapacity: 0, diskCapacity: 1 << 20, directory: file), onLoop: false)
case .cachedSession:
  configuration.urlCache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
  let caching = Session(configuration: configuration)
  assignment.run(on: URLSessionConfiguration.EventLoop.shared.taskExecutor) {
    try await caching.request(url).validate().serializingData().value.count
  }
case .challenged:
  // Kept for no other request, so each of them is challenged.
  assignment.run {
    try await session.request(url).authenticate(username: "user", password: "secret", persistence: .none)
      .validate().serializingData().value.count
  }
case .form:
  assignment.run {
    let upload = session.upload(
      multipartFormData: { form in
        for number in 0..<4 {
          form.append(Data("the value of part \(number)".utf8), withName: "part\(number)")
        }
      }, to: url)
    return try await upload.validate().serializingData().value.count
  }
case .flush:
  assignment.run {
    await withCheckedContinuation { continuation in session.session.flush { continuation.resume() } }
    return 0
  }
case .uploadData:
  let body = try Data(contentsOf: file)
  assignment.run { try await count(session.upload(body, to: url)) }
case .uploadStream:
  let body = try Data(contentsOf: file)
  let headers: HTTPHeaders = ["Content-Length": "\(body.count)"]
  // Made beforehand, since Foundation copies all of the data for it; each can be read once.
  let streams = Streams((0..<assignment.requests).map { _ in InputStream(data: body) })
  assignment.run { try await count(session.upload(streams.next(), to: url, headers: headers)) }
case .uploadFile:
  assignment.run { try await count(session.upload(file, to: url)) }
case .stream:
  assignment.run {
    let counter = ByteCounter()
    let request = session.streamRequest(url).validate()
    return try await withCheckedThrowingContinuation { continuation in
      request.responseStream(on: counter.queue) { stream in
        switch stream.event {
        case .stream(.success(let part)): counter.count += part.count
        case .complete(let completion):
          if let error = completion.error {
            continuation.resume(throwing: error)
          } else {
            continuation.resume(returning: counter.count)
          }
        }
      }
    }
  }
}
