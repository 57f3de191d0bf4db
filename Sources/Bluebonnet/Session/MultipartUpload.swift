import BluebonnetFoundation
import BluebonnetURLLoading
import BluebonnetLocks

/// A form that is encoded when it is sent: in memory if it is small, else into a temporary file. Encoded
/// once, however many attempts there are, because its streams can be read once.
final class MultipartUpload: UploadConvertible {
  private let request: any URLRequestConvertible
  private let encodingMemoryThreshold: UInt64
  private let fileManager: FileManager
  private let form: MultipartFormData
  private let built = Locked<Result<UploadRequest.Uploadable, any Error>?>(nil)

  init(
    _ form: MultipartFormData, with request: any URLRequestConvertible, encodingMemoryThreshold: UInt64,
    fileManager: FileManager
  ) {
    self.form = form
    self.request = request
    self.encodingMemoryThreshold = encodingMemoryThreshold
    self.fileManager = fileManager
  }

  /// A request that was cancelled before it had a body, or between two attempts, has not removed the file.
  deinit {
    guard case .success(.file(let file, shouldRemove: true)) = built.withLock({ $0 }) else { return }
    let manager = fileManager
    DispatchQueue.global(qos: .utility).async { try? manager.removeItem(at: file) }
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
    guard form.contentLength >= encodingMemoryThreshold else { return .data(try form.encode()) }
    let parts = try form.validParts()
    let file = try TemporaryFiles.create("Form", in: fileManager.temporaryDirectory)
    do {
      try form.write(parts, to: FormFile(descriptor: file.descriptor))
    } catch {
      // What has been written so far helps nobody.
      try? fileManager.removeItem(at: file.url)
      throw error
    }
    return .file(file.url, shouldRemove: true)
  }
}

extension MultipartFormData {
  /// Makes a form and fills it in.
  convenience init(filledBy fill: (MultipartFormData) -> Void, fileManager: FileManager) {
    self.init(fileManager: fileManager)
    fill(self)
  }
}
