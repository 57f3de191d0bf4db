// SPDX-License-Identifier: MIT
import Bluebonnet
import BluebonnetOrigin
import BluebonnetTestNetwork
import BluebonnetTestSupport
import Testing

extension SeedSnippetsTests {
  /// The usage guide on downloads and uploads.
  @Suite final class UsageTransfersTests: Sendable {
    private let origin: Origin
    private var base: String { origin.baseURL }
    private let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("bluebonnet-\(UUID().uuidString)", isDirectory: true)

    init() throws {
      origin = Origin.inMemory()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func remove(_ file: URL?) {
      if let file { try? FileManager.default.removeItem(at: file) }
    }

    /// Whether these bytes are a picture.
    private static func isPNG(_ data: Data?) -> Bool { data?.starts(with: [0x89, 0x50, 0x4E, 0x47]) == true }

    // MARK: Downloads

    @Test func downloading() async throws {
      let answers = Recorder<AFDownloadResponse<URL>>()
      AF.download(base + "/image/png").responseURL { answer in
        answers.note(answer)
      }
      let file = try #require(try await answers.first().value)
      defer { remove(file) }
      #expect(Self.isPNG(try Data(contentsOf: file)))
    }

    @Test func aDestination() async throws {
      let folder = folder
      let place: DownloadRequest.Destination = { _, _ in
        let file = folder.appendingPathComponent("deep/image.png")

        return (file, [.removePreviousFile, .createIntermediateDirectories])
      }
      for _ in 0..<2 {
        let answers = Recorder<AFDownloadResponse<URL?>>()
        AF.download(base + "/image/png", to: place).response { answer in
          answers.note(answer)
        }
        let answer = try await answers.first()
        #expect(answer.error == nil)
        let path = try #require(answer.fileURL?.path)
        #expect(path.hasSuffix("/deep/image.png") && Self.isPNG(FileManager.default.contents(atPath: path)))
      }
    }

    /// In the user's own documents, so the place is asked for and not used.
    @Test func theSuggestedDestination() async throws {
      let place = DownloadRequest.suggestedDownloadDestination(for: .documentDirectory)
      let url = try #require(URL(string: base + "/image/png"))
      let answer = try #require(
        HTTPURLResponse(
          url: url, statusCode: 200, httpVersion: "HTTP/1.1",
          headerFields: ["Content-Disposition": "attachment; filename=\"flower.png\""]))
      let (file, options) = place(folder.appendingPathComponent("temporary"), answer)
      #expect(file.lastPathComponent == "flower.png" && options == [])
      #expect(
        file.deletingLastPathComponent().path
          == FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first?.path)

      // The same call, in a place that is nobody's.
      let beside: DownloadRequest.Destination = { [folder] temporary, response in
        (folder.appendingPathComponent(place(temporary, response).destinationURL.lastPathComponent), [])
      }
      let request = AF.download(base + "/image/png", to: beside)
      #expect(try await request.serializingDownloadedFileURL().value.lastPathComponent == "png.png")
    }

    @Test func downloadProgress() async throws {
      let (shares, answers) = (Recorder<Double>(), Recorder<AFDownloadResponse<Data>>())
      AF.download(base + "/image/png")
        .downloadProgress { progress in
          shares.note(progress.fractionCompleted)
        }
        .responseData { answer in
          answers.note(answer)
        }
      let answer = try await answers.first()
      defer { remove(answer.fileURL) }
      #expect(Self.isPNG(answer.value))
      await Eventually.expect("All of it was told.") { shares.entries.last == 1 }
    }

    @Test func downloadProgressOnAQueue() async throws {
      let key = DispatchSpecificKey<Bool>()
      let queue = DispatchQueue(label: "test.progress", qos: .utility)
      queue.setSpecific(key: key, value: true)
      let (shares, answers) = (Recorder<Double>(), Recorder<AFDownloadResponse<Data>>())
      AF.download(base + "/image/png")
        .downloadProgress(queue: queue) { progress in
          if DispatchQueue.getSpecific(key: key) == true { shares.note(progress.fractionCompleted) }
        }
        .responseData { answer in
          answers.note(answer)
        }
      let answer = try await answers.first()
      defer { remove(answer.fileURL) }
      #expect(Self.isPNG(answer.value))
      await Eventually.expect("All of it was told.") { shares.entries.last == 1 }
    }

    @Test(arguments: [false, true]) func cancellingAndResuming(byFlag: Bool) async throws {
      let head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nAccept-Ranges: bytes\r\nETag: \"a\"\r\n\r\n"
      let rest =
        "HTTP/1.1 206 Partial Content\r\nContent-Length: 6\r\nContent-Range: bytes 4-9/10\r\nETag: \"a\"\r\n\r\n"
      origin.script("/flower", .text(head + "0123").then(.hang), .text(rest + "456789"))
      let (answers, left) = (Recorder<AFDownloadResponse<Data>>(), Recorder<Data?>())
      let download = AF.download(base + "/flower", requestModifier: { $0.timeoutInterval = 600 })
        .responseData { answer in
          answers.note(answer)
        }
      await Eventually.expect("Some of it is there.") { download.downloadProgress.completedUnitCount == 4 }
      if byFlag {
        download.cancel(producingResumeData: true)
      } else {
        download.cancel { data in
          left.note(data)
        }
      }
      let cancelled = try await answers.first()
      #expect(cancelled.error?.isExplicitlyCancelledError == true)
      let data = try #require(cancelled.resumeData)
      if !byFlag { #expect(try await left.first() == data) }

      let later = Recorder<AFDownloadResponse<Data>>()
      AF.download(resumingWith: data).responseData { answer in
        later.note(answer)
      }
      let whole = try await later.first()
      defer { remove(whole.fileURL) }
      #expect(whole.value == Data("0123456789".utf8) && whole.response?.statusCode == 206)
      #expect(origin.requests.last?.value("Range") == "bytes=4-")
    }

    // MARK: Uploads

    @Test func uploadingData() async throws {
      let data = Data("data".utf8)
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.upload(data, to: base + "/post").responseDecodable(of: Echo.self) { answer in
        answers.note(answer)
      }
      #expect(try await answers.first().value?.data == "data")
    }

    /// The guide hands over what a bundle says, which may be nothing: it has to be unwrapped.
    @Test func uploadingAFile() async throws {
      let file = folder.appendingPathComponent("film.mov")
      try Data("film".utf8).write(to: file)
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.upload(file, to: base + "/post").responseDecodable(of: Echo.self) { answer in
        answers.note(answer)
      }
      #expect(try await answers.first().value?.data == "film")
    }

    @Test func uploadingAForm() async throws {
      let answers = Recorder<AFDataResponse<Echo>>()
      AF.upload(
        multipartFormData: { form in
          form.append(Data("1".utf8), withName: "first")
          form.append(Data("2".utf8), withName: "second")
        }, to: base + "/post"
      )
      .responseDecodable(of: Echo.self) { answer in
        answers.note(answer)
      }
      let echo = try #require(try await answers.first().value)
      #expect(echo.form == ["first": "1", "second": "2"])
      #expect(echo.values("Content-Type").first?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func uploadProgress() async throws {
      let file = folder.appendingPathComponent("film.mov")
      try Data(repeating: 7, count: 10_000).write(to: file)
      let (up, down, answers) = (Recorder<Double>(), Recorder<Double>(), Recorder<AFDataResponse<Echo>>())
      AF.upload(file, to: base + "/post")
        .uploadProgress { progress in
          up.note(progress.fractionCompleted)
        }
        .downloadProgress { progress in
          down.note(progress.fractionCompleted)
        }
        .responseDecodable(of: Echo.self) { answer in
          answers.note(answer)
        }
      #expect(try await answers.first().value?.data?.utf8.count == 10_000)
      await Eventually.expect("Both ways were told.") { up.entries.last == 1 && down.entries.last == 1 }
    }
  }
}
