import BluebonnetMessages
import BluebonnetSemantics
import BluebonnetFoundation
import Glibc

// Unchecked: the descriptor is touched on the load's queue only.
/// Loads a file of this machine, piece by piece.
final class FileURLProtocol: URLProtocol, PacedProtocol, @unchecked Sendable {
  private static let pieceSize = 256 * 1024

  private var descriptor: Int32 = -1
  private var path = ""

  deinit { close() }

  override func startLoading() {
    do throws(URLError) {
      if let refusal = request.localRefusal { throw refusal }
      let url = try localURL()
      path = url.path(percentEncoded: false)
      let size = try open(url)
      // A file of the kernel's says nothing about its size; whether it is empty shows when it is read.
      let first = try readPiece()
      let isOfUnknownSize = size == 0 && !first.isEmpty
      let response = URLResponse(
        url: url, mimeType: MIMEType.ofFile(at: url),
        expectedContentLength: isOfUnknownSize ? Int(NSURLSessionTransferSizeUnknown) : size,
        textEncodingName: nil)
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      deliver(request.httpMethod == "HEAD" ? Data() : first)
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  func loadMore() {
    do throws(URLError) {
      deliver(try readPiece())
    } catch {
      client?.urlProtocol(self, didFailWithError: error)
    }
  }

  override func stopLoading() { close() }

  /// Nothing is the end.
  private func deliver(_ piece: Data) {
    if !piece.isEmpty {
      client?.urlProtocol(self, didLoad: piece)
    } else {
      client?.urlProtocolDidFinishLoading(self)
    }
  }

  /// RFC 8089 §2: a host other than this machine means another machine's file.
  private func localURL() throws(URLError) -> URL {
    guard let url = request.url else { throw URLError(.badURL) }
    let host = url.host()?.asciiLowercased ?? ""
    guard host.isEmpty || host == "localhost" else {
      throw URLError.refusal(.unsupportedURL, url, "files of other hosts are not loaded")
    }
    return url
  }

  private func open(_ url: URL) throws(URLError) -> Int {
    // Looked at first: opening a device may do something, and opening a FIFO waits for its other end.
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .reading(errno, url) }
    try Self.requireRegularFile(facts, url)
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0, fstat(descriptor, &facts) == 0 else { throw .reading(errno, url) }
    // It may have been replaced in between.
    try Self.requireRegularFile(facts, url)
    return Int(facts.st_size)
  }

  private static func requireRegularFile(_ facts: stat, _ url: URL) throws(URLError) {
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .refusal(.fileIsDirectory, url, "it is a directory")
    default: throw .refusal(.cannotOpenFile, url, "it is no regular file")
    }
  }

  private func readPiece() throws(URLError) -> Data {
    guard descriptor >= 0 else { return Data() }
    var piece = Data(count: Self.pieceSize)
    let count = piece.withUnsafeMutableBytes { buffer in
      var count = 0
      repeat {
        count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      return count
    }
    guard count >= 0 else { throw .reading(errno, request.url ?? URL(filePath: path)) }
    return piece.prefix(count)
  }

  private func close() {
    if descriptor >= 0 { _ = Glibc.close(descriptor) }
    descriptor = -1
  }
}

extension URLError {
  /// A file that cannot be read, with the codes that Apple's systems have for it.
  package static func reading(_ errno: Int32, _ url: URL) -> URLError {
    let code: URLError.Code =
      switch errno {
      case ENOENT, ENOTDIR: .fileDoesNotExist
      case EACCES, EPERM: .noPermissionsToReadFile
      default: .cannotOpenFile
      }
    return .refusal(code, url, String(cString: strerror(errno)))
  }
}

/// The media types of files.
private enum MIMEType {
  static func ofFile(at url: URL) -> String {
    SuggestedFilename.mediaType(ofExtension: url.pathExtension.asciiLowercased) ?? "application/octet-stream"
  }
}
