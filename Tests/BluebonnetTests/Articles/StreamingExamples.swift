// SPDX-License-Identifier: MIT

// The code of the article *Streaming bodies*, word for word; `StreamingExamplesTests` runs it.

import BluebonnetFoundation
import Bluebonnet

enum StreamingExamples {
  struct Row: Decodable, Sendable {
    let amount: Int
  }

  static func longestLine(_ url: URL) async throws -> String {
    let (bytes, response) = try await URLSession.shared.bytes(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    var longest = ""
    for try await line in bytes.lines where line.count > longest.count {
      longest = line
    }
    return longest
  }

  static func parts(_ url: String) async throws -> Int {
    var size = 0
    let stream = AF.streamRequest(url).validate().streamTask().streamingData()
    for await part in stream {
      if let data = part.value { size += data.count }
      if let error = part.completion?.error { throw error }
    }
    return size
  }

  static func rows(_ url: String) async throws -> Int {
    var total = 0
    let rows = AF.streamRequest(url).validate().streamTask().streamingFrames(.jsonLines(of: Row.self))
    for await row in rows {
      if let row = row.value { total += row.amount }
      if let error = row.error { print("not a row: \(error)") }
      if let error = row.completion?.error { throw error }
    }
    return total
  }

  static func events(_ url: String) async throws {
    let request = try URLRequest(url: url, method: .get)
    for try await event in AF.eventSource(request, reconnecting: .init(attemptLimit: 5)) {
      print(event.type, event.data)
      if event.data == "bye" { break }
    }
  }

  static func handler(_ url: String, on queue: DispatchQueue) {
    AF.streamRequest(url).responseStream(framedBy: .serverSentEvents, on: queue) { stream in
      if let event = stream.value { print(event.id, event.data) }
    }
  }

  static func inputStream(_ url: String) throws -> Int {
    var size = 0
    if let stream = AF.streamRequest(url).validate().asInputStream(bufferSize: 65_536) {
      stream.open()
      defer { stream.close() }
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = stream.read(&buffer, maxLength: buffer.count)
        if count < 0 { throw stream.streamError ?? URLError(.unknown) }
        if count == 0 { break }
        size += count
      }
    }
    return size
  }

  static func beside(_ url: String, on queue: DispatchQueue) async throws -> (Data, String?) {
    let request = AF.request(url)
      .onInterimResponse(on: queue) { hint in print(hint.statusCode, hint.headers["Link"] ?? "") }
    let body = try await request.serializingData().value
    let checksum = request.responseTrailers?["Content-MD5"]
    return (body, checksum)
  }

  static func maximum() -> Session {
    let configuration = URLSessionConfiguration.af.default
    configuration.responseBodyLimitInMemory = 10_000_000
    let session = Session(configuration: configuration)
    return session
  }

  static func pipe(_ url: URL, into target: String) async throws -> DataRequest {
    let (bytes, _) = try await URLSession.shared.bytes(from: url)
    let rows = bytes.lines.map { Data("\($0)\n".utf8) }
    let sent = AF.upload(rows, to: target).validate()
    return sent
  }

  static func form(_ video: URL, _ thumbnails: AsyncStream<Data>, _ target: String) -> DataRequest {
    let form = MultipartFormData()
    form.append(Data("holiday".utf8), withName: "album")
    form.append(video, withName: "video")
    form.append(thumbnails, name: "thumbnails", mimeType: "application/x-tar")
    let sent = AF.upload(multipartFormData: form, to: target).validate()
    return sent
  }

  static func parts(_ files: AsyncStream<URL>, _ target: String) -> DataRequest {
    let form = MultipartFormData()
    form.append(parts: files.map { MultipartFormData.Part($0, name: "file") })
    return AF.upload(multipartFormData: form, to: target)
  }

  static func again(_ table: [String], _ target: String) -> DataRequest {
    @Sendable func rows(of table: [String]) -> AsyncStream<Data> {
      AsyncStream { continuation in
        for row in table { continuation.yield(Data("\(row)\n".utf8)) }
        continuation.finish()
      }
    }
    let body = StreamedBody { rows(of: table) }
    let sent = AF.upload(body, to: target, method: .put, interceptor: .retryPolicy).validate()
    return sent
  }

  static func compressed(_ log: URL, _ target: String) -> DataRequest {
    let sent = AF.upload(log, to: target, interceptor: .compressor(.gzip, minimumLength: 1000)).validate()
    return sent
  }
}
