// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The usage guide on streams.
  @Suite struct UsageStreamsTests {
    private let origin: Origin
    private var base: String { origin.baseURL }

    init() {
      origin = Origin.inMemory()
    }

    private struct Turn: Decodable, Sendable, Equatable {
      let turn: Int
    }

    private struct Enough: Error {}

    /// A handler has what comes after it was added. So where there are several, or a stream besides, they are added before anything is sent.
    private let patient = Session(configuration: .af.default.inMemory(), startRequestsImmediately: false)

    /// Chunks that come one by one.
    private func scriptChunks(_ chunks: [String], at path: String) {
      var reply = ScriptedReply.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for chunk in chunks {
        reply = reply.then(.bytes(Array("\(String(chunk.utf8.count, radix: 16))\r\n\(chunk)\r\n".utf8)))
          .then(.pause(milliseconds: 20))
      }
      origin.script(path, reply.then(.bytes(Array("0\r\n\r\n".utf8))))
    }

    @Test func theTypesOfAStream() async throws {
      let tokens = Recorder<DataStreamRequest.CancellationToken>()
      let ends = Recorder<DataStreamRequest.Completion>()
      AF.streamRequest(base + "/infinite").responseStream { (piece: DataStreamRequest.Stream<Data, Never>) in
        let event: DataStreamRequest.Event<Data, Never> = piece.event
        if case .complete(let completion) = event { ends.note(completion) }
        tokens.note(piece.token)
        piece.cancel()
      }
      let end = try await ends.first()
      let request: URLRequest? = end.request
      let response: HTTPURLResponse? = end.response
      let metrics: URLSessionTaskMetrics? = end.metrics
      let error: AFError? = end.error
      #expect(request?.url?.path == "/infinite" && response?.statusCode == 200 && metrics != nil)
      #expect(error?.isExplicitlyCancelledError == true)
      tokens.entries.first?.cancel()
    }

    @Test func data() async throws {
      let (received, ends) = (Recorder<Data>(), Recorder<DataStreamRequest.Completion>())
      AF.streamRequest(base + "/chunked/5").responseStream { piece in
        switch piece.event {
        case let .stream(result):
          switch result {
          case let .success(data):
            received.note(data)
          }
        case let .complete(completion):
          ends.note(completion)
        }
      }
      #expect(try await ends.first().error == nil)
      #expect(received.entries.reduce(Data(), +).count == 5)
    }

    @Test func strings() async throws {
      scriptChunks(["blue", "bonnet"], at: "/words")
      let (received, ends) = (Recorder<String>(), Recorder<DataStreamRequest.Completion>())
      AF.streamRequest(base + "/words").responseStreamString { piece in
        switch piece.event {
        case let .stream(result):
          switch result {
          case let .success(text):
            received.note(text)
          }
        case let .complete(completion):
          ends.note(completion)
        }
      }
      #expect(try await ends.first().error == nil)
      #expect(received.entries.joined() == "bluebonnet")
    }

    @Test func decodables() async throws {
      origin.script("/turn", .response(body: Array(#"{"turn":3}"#.utf8)))
      let (received, ends) = (Recorder<Turn>(), Recorder<DataStreamRequest.Completion>())
      AF.streamRequest(base + "/turn").responseStreamDecodable(of: Turn.self) { piece in
        switch piece.event {
        case let .stream(result):
          switch result {
          case let .success(value):
            received.note(value)
          case let .failure(error):
            Issue.record(error)
          }
        case let .complete(completion):
          ends.note(completion)
        }
      }
      #expect(try await ends.first().error == nil)
      #expect(received.entries == [Turn(turn: 3)])
    }

    /// The three handlers with all their parameters, as they are declared there.
    @Test func theDeclarationsOfTheHandlers() async throws {
      origin.script("/turn", .response(body: Array(#"{"turn":3}"#.utf8)))
      let heard = Recorder<Int>()
      let queue = DispatchQueue(label: "test.streams")
      let request = patient.streamRequest(base + "/turn")
      request.responseStream(on: queue, stream: { if case .complete = $0.event { heard.note(1) } })
        .responseStreamString(on: queue, stream: { if case .complete = $0.event { heard.note(2) } })
        .responseStreamDecodable(
          of: Turn.self,
          on: queue,
          using: JSONDecoder(),
          preprocessor: PassthroughPreprocessor(),
          stream: { if case .stream(.success(Turn(turn: 3))) = $0.event { heard.note(3) } }
        )
        .resume()
      await Eventually.expect("All have been called.") { heard.entries.sorted() == [1, 2, 3] }
    }

    /// There is none if one was taken already, or if the request is over: what the guide declares is optional.
    @Test(arguments: [false, true]) func anInputStream(hasSize: Bool) async throws {
      let seen = Recorder<Int>()
      let path = base + "/bytes/5000"
      let count = await withCheckedContinuation { continuation in
        DispatchQueue(label: "test.reader").async {
          let request = patient.streamRequest(path)
            .responseStream { output in
              if case .stream(.success(let data)) = output.event { seen.note(data.count) }
            }
          guard let stream = hasSize ? request.asInputStream(bufferSize: 512) : request.asInputStream() else {
            return continuation.resume(returning: -1)
          }
          stream.open()
          defer { stream.close() }
          var (piece, count) = ([UInt8](repeating: 0, count: 700), 0)
          while true {
            let read = stream.read(&piece, maxLength: piece.count)
            guard read > 0 else { break }
            count += read
          }
          continuation.resume(returning: count)
        }
      }
      #expect(count == 5000)
      await Eventually.expect("The handler had all of it.") { seen.entries.reduce(0, +) == 5000 }
    }

    @Test func cancellingTheRequest() async throws {
      let (pieces, ends) = (Recorder<Int>(), Recorder<DataStreamRequest.Completion>())
      let request = AF.streamRequest(base + "/infinite").responseStream { piece in
        if let data = piece.value { pieces.note(data.count) }
        if let completion = piece.completion { ends.note(completion) }
      }
      _ = try await pieces.first()
      request.cancel()
      #expect(try await ends.first().error?.isExplicitlyCancelledError == true)
      #expect(request.isCancelled)
    }

    @Test(arguments: [false, true]) func cancellingOnASerializersError(automatically: Bool) async throws {
      origin.script("/mist", .response(body: Array("mist".utf8)))
      let (failures, ends) = (Recorder<AFError>(), Recorder<DataStreamRequest.Completion>())
      AF.streamRequest(base + "/mist", automaticallyCancelOnStreamError: automatically)
        .responseStream(using: DecodableStreamSerializer<Turn>()) { piece in
          if let error = piece.error { failures.note(error) }
          if let completion = piece.completion { ends.note(completion) }
        }
      #expect(try await failures.first().isResponseSerializationError)
      let end = try await ends.first()
      #expect((end.error == nil) == !automatically)
    }

    @Test func cancellingByThrowing() async throws {
      let ends = Recorder<DataStreamRequest.Completion>()
      AF.streamRequest(base + "/infinite").responseStream { piece in
        if let completion = piece.completion { return ends.note(completion) }
        throw Enough()
      }
      #expect(try await ends.first().error?.underlyingError is Enough)
    }

    @Test func cancellingByTheStream() async throws {
      let ends = Recorder<DataStreamRequest.Completion>()
      AF.streamRequest(base + "/infinite").responseStream { piece in
        if let completion = piece.completion { ends.note(completion) }
        piece.cancel()
      }
      #expect(try await ends.first().error?.isExplicitlyCancelledError == true)
    }
  }
}
