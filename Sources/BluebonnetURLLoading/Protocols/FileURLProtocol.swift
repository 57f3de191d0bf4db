// SPDX-License-Identifier: MIT
import BluebonnetFiles
import BluebonnetFoundation
import BluebonnetLibc
import BluebonnetMessages
import BluebonnetSemantics

// Unchecked: the file is touched on the load's queue only.
/// Loads a file of this machine, piece by piece.
final class FileURLProtocol: URLProtocol, PacedProtocol, @unchecked Sendable {
  private static let pieceSize = 256 * 1024

  private var file: FileReader?

  override func startLoading() {
    do throws(URLError) {
      if let refusal = request.localRefusal { throw refusal }
      let url = try localURL()
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

  override func stopLoading() { file = nil }

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
    let path = url.path(percentEncoded: false)
    // Looked at first: opening a device may do something, and opening a FIFO waits for its other end.
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .reading(errno, url) }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw .refusal(.fileIsDirectory, url, "it is a directory")
    default: throw .irregular(url)
    }
    do throws(POSIXError) {
      file = try FileReader(path: path)
    } catch {
      throw .reading(error.code.rawValue, url)
    }
    // It may have been replaced in between.
    guard let size = file?.size else { throw .irregular(url) }
    return size
  }

  private func readPiece() throws(URLError) -> Data {
    guard let file else { return Data() }
    var piece = Data(count: Self.pieceSize)
    let count = piece.withUnsafeMutableBytes { buffer in
      Result { () throws(POSIXError) in
        guard let count = try file.read(into: buffer) else { throw POSIXError(.EAGAIN) }
        return count
      }
    }
    do throws(POSIXError) {
      return piece.prefix(try count.get())
    } catch {
      throw .reading(error.code.rawValue, request.url ?? URL(filePath: "/"))
    }
  }
}

extension URLError {
  fileprivate static func irregular(_ url: URL) -> URLError {
    .refusal(.cannotOpenFile, url, "it is no regular file")
  }

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

/// A protocol class of this module that reads its next piece when it is asked to, so that a slow task holds it back.
protocol PacedProtocol: URLProtocol {
  /// Delivers one more piece, or the end. Called on the queue of `startLoading()`.
  func loadMore()
}

/// The media types of files.
private enum MIMEType {
  static func ofFile(at url: URL) -> String {
    SuggestedFilename.mediaType(ofExtension: url.pathExtension.asciiLowercased) ?? "application/octet-stream"
  }
}
