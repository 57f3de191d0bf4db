// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The advanced guide on Swift's concurrency.
  @Suite struct AdvancedConcurrencyTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    @Test func aValue() async throws {
      let value = try await AF.request(base + "/get").serializingDecodable(Echo.self).value
      #expect(value.url == base + "/get")
    }

    @Test func everyFormOfAnOutcome() async throws {
      let dataTask = AF.request(base + "/get").serializingDecodable(Echo.self)
      let response = await dataTask.response
      let result = await dataTask.result
      let value = try await dataTask.value
      #expect(response.value?.url == value.url && (try? result.get().url) == value.url)
      #expect(origin.requests.count == 1)

      let failed = AF.request(base + "/status/500").validate().serializingDecodable(Echo.self)
      await #expect(throws: AFError.self) { try await failed.value }
    }

    @Test func severalTasksOfARequest() async throws {
      let request = AF.request(base + "/get")
      let text = await request.serializingString().response
      let decodable = await request.serializingDecodable(Echo.self).response
      #expect(text.value?.contains(decodable.value?.url ?? "nothing") == true)
      #expect(origin.requests.count == 1)
    }

    @Test func inParallel() async throws {
      async let first = AF.request(base + "/get").serializingDecodable(Echo.self).response
      async let second = AF.request(base + "/get").serializingString().response
      async let third = AF.request(base + "/get").serializingData().response

      let responses = await (first, second, third)
      #expect(responses.0.error == nil && responses.1.error == nil && responses.2.error == nil)
      #expect(origin.requests.count == 3)
    }

    /// The guide shortens the name.
    @Test func downloads() async throws {
      let url = try await AF.download(base + "/bytes/10").serializingDownloadedFileURL().value
      #expect(try Data(contentsOf: url).count == 10)
      try FileManager.default.removeItem(at: url)
    }

    /// The guide says that this is the default; since it was written, the default has become the other one.
    @Test func withoutAutomaticCancellation() async throws {
      origin.script("/slow", .text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{").then(.hang))
      let request = AF.request(base + "/slow") { $0.timeoutInterval = 600 }
      let task = Task {
        await request.serializingDecodable(Echo.self, automaticallyCancelling: false).response
      }
      await Eventually.expect("It runs.") { request.task != nil }

      task.cancel()
      #expect(task.isCancelled)
      #expect(!request.isCancelled)
      request.cancel()
      #expect(await task.value.error?.isExplicitlyCancelledError == true)
    }

    @Test(arguments: [false, true]) func automaticCancellation(byDefault: Bool) async throws {
      origin.script("/slow", .text("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{").then(.hang))
      let request = AF.request(base + "/slow") { $0.timeoutInterval = 600 }
      let task = Task {
        byDefault
          ? await request.serializingDecodable(Echo.self).response
          : await request.serializingDecodable(Echo.self, automaticallyCancelling: true).response
      }
      await Eventually.expect("It runs.") { request.task != nil }

      task.cancel()
      #expect(task.isCancelled)
      #expect(await task.value.error?.isExplicitlyCancelledError == true)
      #expect(request.isCancelled)
    }

    /// The guide calls the method `dataStreamRequest`.
    @Test func streams() async throws {
      let streamTask = AF.streamRequest(base + "/chunked/5").streamTask()
      var (bytes, isComplete) = (0, false)

      for await piece in streamTask.streamingData() {
        bytes += piece.value?.count ?? 0
        if piece.completion != nil { isComplete = true }
      }
      #expect(bytes == 5 && isComplete)
    }

    @Test(arguments: [false, true]) func breakingOffAStream(automatically: Bool) async throws {
      let request = AF.streamRequest(base + "/infinite") { $0.timeoutInterval = 600 }
      let streamTask = request.streamTask()

      if automatically {
        for await piece in streamTask.streamingData() {
          if piece.value != nil { break }
        }
        await Eventually.expect("It is cancelled.") { request.isCancelled }
      } else {
        for await piece in streamTask.streamingData(automaticallyCancelling: false) {
          if piece.value != nil { break }
        }
        #expect(!request.isCancelled)
        request.cancel()
      }
    }

    @Test func handlersAsStreams() async throws {
      let request = AF.request(base + "/get")
      let commands = request.cURLDescriptions()
      let task = request.serializingData()
      var lines: [String] = []

      for await command in commands {
        lines.append(command)
      }
      #expect(lines.count == 1 && lines[0].hasSuffix("\"\(base)/get\""))
      #expect(await task.response.error == nil)
    }
  }
}
