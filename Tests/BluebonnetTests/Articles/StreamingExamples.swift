// The code of the article *Streaming bodies*, word for word; `StreamingExamplesTests` runs it.

import BluebonnetFoundation
import Bluebonnet

enum StreamingExamples {
  struct Row: Decodable, Sendable {
    let amount: Int
  }

  static func lines(_ url: URL) async throws -> [String] {
    let (bytes, response) = try await URLSession.shared.bytes(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { return [] }
    var longest = ""
    for try await line in bytes.lines where line.count > longest.count {
      longest = line
    }
    return [longest]
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
    guard let stream = AF.streamRequest(url).validate().asInputStream(bufferSize: 65_536) else { return 0 }
    stream.open()
    defer { stream.close() }
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = stream.read(&buffer, maxLength: buffer.count)
      if count < 0 { throw stream.streamError ?? URLError(.unknown) }
      if count == 0 { return size }
      size += count
    }
  }

  static func upload(_ url: String) async throws -> String {
    let lines = AsyncStream { continuation in
      for number in 1...1000 { continuation.yield(Data("line \(number)\n".utf8)) }
      continuation.finish()
    }
    let answer = try await AF.upload(lines, to: url).validate().serializingString().value
    return answer
  }

  static func replaying(
    _ url: String, export: @escaping @Sendable () async throws -> AsyncStream<Data>
  ) async throws -> String {
    let body = StreamedBody(replaying: { try await export() })
    let answer = try await AF.upload(body, to: url).validate().serializingString().value
    return answer
  }

  static func form(_ lines: AsyncStream<Data>, _ url: String) {
    AF.upload(
      multipartFormData: { form in
        form.append(Data("Ada".utf8), withName: "name")
        form.append(lines, name: "log", fileName: "log.txt", mimeType: "text/plain")
      }, to: url
    )
    .response { print($0.result) }
  }

  static func compressed(_ lines: AsyncStream<Data>, _ url: String) async throws -> String {
    let answer = try await AF.upload(lines, to: url, interceptor: .gzipCompressor)
      .serializingString().value
    return answer
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
}
