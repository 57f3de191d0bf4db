// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLocks
import BluebonnetURLLoading

/// A body and a `URLRequest` that know nothing of each other.
struct Upload: UploadConvertible, UserCodeCarrying {
  let request: any URLRequestConvertible
  let body: UploadRequest.Uploadable

  var carriesUserCode: Bool { !request.runsOnlyLibraryCode }

  func createUploadable() -> UploadRequest.Uploadable { body }

  func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
}

/// A form that is encoded when it is sent: in memory if it is small, else while it goes over the wire. Made once, however many
/// attempts there are, because its streams can be read once.
final class MultipartUpload: UploadConvertible {
  private let request: any URLRequestConvertible
  private let encodingMemoryThreshold: UInt64
  private let form: MultipartFormData
  private let built = Locked<Result<UploadRequest.Uploadable, any Error>?>(nil)

  init(
    _ form: MultipartFormData, with request: any URLRequestConvertible, encodingMemoryThreshold: UInt64
  ) {
    self.form = form
    self.request = request
    self.encodingMemoryThreshold = encodingMemoryThreshold
  }

  func asURLRequest() throws -> URLRequest {
    var urlRequest = try request.asURLRequest()
    urlRequest.headers.update(.contentType(form.contentType))
    return urlRequest
  }

  func createUploadable() throws -> UploadRequest.Uploadable {
    try built.withLock { built in
      if let built { return built }
      let result = Result { try build() }
      built = result
      return result
    }.get()
  }

  private func build() throws -> UploadRequest.Uploadable {
    let parts = try form.validParts()
    if parts.isEmpty
      || parts.contentLength < encodingMemoryThreshold && !parts.contains(where: \.isAsynchronous)
    {
      return .data(try form.encode())
    }
    return .stream(StreamedBodyInputStream(try form.streamed()))
  }
}

extension MultipartFormData {
  /// Makes a form and fills it in.
  convenience init(filledBy fill: (MultipartFormData) -> Void, fileManager: FileManager) {
    self.init(fileManager: fileManager)
    fill(self)
  }
}
