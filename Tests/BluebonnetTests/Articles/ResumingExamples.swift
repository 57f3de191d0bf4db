// SPDX-License-Identifier: MIT

// The code of the article *Resuming downloads*, word for word; `ResumingExamplesTests` runs it.

import BluebonnetFoundation
import Bluebonnet

enum ResumingExamples {
  static func cancelling(
    _ url: String, to place: @escaping DownloadRequest.Destination, when isTime: () async -> Void
  ) async -> Data? {
    let request = AF.download(url, to: place)
    let task = request.serializingDownloadedFileURL()
    // Some time later:
    await isTime()  // not in the article
    request.cancel(producingResumeData: true)
    let kept = await task.response.resumeData
    return kept
  }

  static func goingOn(_ left: Data, to place: @escaping DownloadRequest.Destination) async throws -> URL {
    let file = try await AF.download(resumingWith: left, to: place)
      .downloadProgress { print("\($0.completedUnitCount) of \($0.totalUnitCount) bytes") }
      .validate().serializingDownloadedFileURL().value
    return file
  }

  static func keeping(
    _ url: String, to place: @escaping DownloadRequest.Destination, in bookmark: URL
  ) async throws {
    let response = await AF.download(url, to: place).validate().serializingDownloadedFileURL().response
    if let left = response.resumeData {
      try left.write(to: bookmark, options: .atomic)
    }
  }

  static func nextTime(
    _ url: String, to place: @escaping DownloadRequest.Destination, in bookmark: URL
  ) async throws -> URL {
    let request: DownloadRequest
    if let left = try? Data(contentsOf: bookmark) {
      request = AF.download(resumingWith: left, to: place)
    } else {
      request = AF.download(url, to: place)
    }
    let file = try await request.validate().serializingDownloadedFileURL().value
    return file
  }

  static func listing(_ url: String, in directory: URL) async throws -> URL {
    let list = try DownloadList(directory: directory)
    let id = try list.add(URLRequest(url: url, method: .get), named: "image.iso")
    list.resume()
    let file = try await list.file(of: id)
    list.close()
    return file
  }

  static func listingNextTime(in directory: URL) throws -> DownloadList {
    let list = try DownloadList(directory: directory)
    for entry in list.entries where !entry.isCompleted {
      print("\(entry.name): \(entry.receivedBytes) of \(entry.totalBytes.map { "\($0)" } ?? "unknown") bytes")
    }
    list.resume()
    return list
  }

  static func elsewhere(
    _ left: Data, _ freshURL: String, to place: @escaping DownloadRequest.Destination
  ) async throws -> URL {
    let file = try await AF.download(resumingWith: left, from: freshURL, to: place)
      .validate().serializingDownloadedFileURL().value
    return file
  }
}
