// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension MultipartFormData {
  /// A part that is made by itself, for forms with parts that come one after the other; see ``MultipartFormData/append(parts:)``.
  ///
  /// An addition of this package.
  public struct Part: Sendable {
    let content: Result<MultipartPart, AFError>

    /// A part that is in memory.
    ///
    /// - Parameters:
    ///   - data:     The content.
    ///   - name:     The form field's name.
    ///   - fileName: The name to send for a file; `nil`, the default, for none.
    ///   - mimeType: The part's `Content-Type`; `nil`, the default, for none.
    public init(_ data: Data, name: String, fileName: String? = nil, mimeType: String? = nil) {
      self.init { $0.append(data, withName: name, fileName: fileName, mimeType: mimeType) }
    }

    /// A file. A fault of it fails the request when the part is reached.
    ///
    /// - Parameters:
    ///   - fileURL:  The file.
    ///   - name:     The form field's name.
    ///   - fileName: The name to send for the file; `nil`, the default, for its own.
    ///   - mimeType: The part's `Content-Type`; `nil`, the default, for the one that its extension stands for.
    public init(_ fileURL: URL, name: String, fileName: String? = nil, mimeType: String? = nil) {
      self.init {
        $0.append(
          fileURL, withName: name, fileName: fileName ?? fileURL.lastPathComponent,
          mimeType: mimeType ?? MIMEType.named(byExtension: fileURL.pathExtension))
      }
    }

    /// Content that is produced while it is sent.
    ///
    /// - Parameters:
    ///   - body:     The content.
    ///   - name:     The form field's name.
    ///   - fileName: The name to send for a file; `nil`, the default, for none.
    ///   - mimeType: The part's `Content-Type`; `nil`, the default, for none.
    public init(_ body: StreamedBody, name: String, fileName: String? = nil, mimeType: String? = nil) {
      self.init { $0.append(body, withName: name, fileName: fileName, mimeType: mimeType) }
    }

    /// Checked as in a form: its first mistake is the part's.
    private init(_ append: (MultipartFormData) -> Void) {
      let form = MultipartFormData(boundary: "part")
      append(form)
      content = Result { () throws(AFError) in
        do {
          return try form.validParts()[0]
        } catch {
          throw error.asAFError(or: .multipartEncodingFailed(reason: .inputStreamReadFailed(error: error)))
        }
      }
    }
  }

  /// Appends the contents of a sequence while the form is sent. The form is streamed then, whatever its size, and can be sent
  /// once.
  ///
  /// - Parameters:
  ///   - sequence: The content, of `Data`, `[UInt8]` or other contiguous bytes; see `StreamedBody`.
  ///   - length:   The number of bytes; more or fewer fail the request. `nil`, the default, if unknown: then the
  ///     whole form is sent in chunks.
  ///   - name:     The form field's name.
  ///   - fileName: The name to send for a file; `nil`, the default, for none.
  ///   - mimeType: The part's `Content-Type`; `nil`, the default, for none.
  public func append<Bytes: AsyncSequence & Sendable>(
    _ sequence: Bytes, withLength length: Int64? = nil, name: String, fileName: String? = nil,
    mimeType: String? = nil
  ) where Bytes.Element: ContiguousBytes {
    append(
      StreamedBody(sequence, length: length), withName: name, fileName: fileName, mimeType: mimeType)
  }

  /// Appends content that is produced while the form is sent. The form is streamed then, whatever its size, and is replayable if
  /// the body can.
  ///
  /// - Parameters:
  ///   - body:     The content; without a length the whole form is sent in chunks.
  ///   - name:     The form field's name.
  ///   - fileName: The name to send for a file; `nil`, the default, for none.
  ///   - mimeType: The part's `Content-Type`; `nil`, the default, for none.
  public func append(
    _ body: StreamedBody, withName name: String, fileName: String? = nil, mimeType: String? = nil
  ) {
    append(
      MultipartPart(
        headers: Self.headers(name: name, fileName: fileName, mimeType: mimeType), source: .body(body),
        length: body.length.map { UInt64(clamping: $0) }))
  }

  /// Appends the parts that a sequence gives while the form is sent. The form is streamed then, in chunks and whatever its size,
  /// and can be sent once.
  ///
  /// - Parameter parts: The parts, which come where they are appended, among others that may stand before and behind them.
  public func append<Parts: AsyncSequence & Sendable>(parts: Parts) where Parts.Element == Part {
    append(
      MultipartPart(
        headers: [:],
        source: .parts { each in for try await part in parts { try await each(part) } }, length: nil))
  }
}
