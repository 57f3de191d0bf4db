// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension DownloadList {
  /// One download of a list, as it was when it was asked for.
  public struct Entry: Sendable, Identifiable {
    /// The state of a download.
    ///
    /// A list that is opened knows ``waiting``, ``completed`` and ``damaged(_:)``: a failure is not written down.
    public enum State: Sendable {
      /// It rests until it is resumed: it is new, was suspended, or comes from another process.
      case waiting
      /// A request is under way, or about to be.
      case loading
      /// It has failed, and may be resumed: it goes on with the bytes at hand, if the server allows it. An `AFError`, or a
      /// ``DownloadListError`` where the list itself had to object.
      case failed(any Error)
      /// All of it is in the file.
      case completed
      /// Its record cannot be read. It can be removed.
      case damaged(DownloadListError)
    }

    /// The identifier, unique in every process.
    public let id: UUID
    /// The name of its file.
    public internal(set) var name: String
    /// The request; `nil` if it is damaged.
    public internal(set) var url: URL?
    /// Its state.
    public internal(set) var state: State
    /// Bytes that are there.
    public internal(set) var receivedBytes: Int64 = 0
    /// Bytes of the whole; `nil` while unknown.
    public internal(set) var totalBytes: Int64?
    /// The URL of its file, now or in future.
    public internal(set) var fileURL: URL

    /// Whether all of it is in the file.
    public var isCompleted: Bool { if case .completed = state { true } else { false } }
    /// Whether a request is under way.
    public var isLoading: Bool { if case .loading = state { true } else { false } }
    /// Why it has failed, or cannot be read; `nil` otherwise.
    public var error: (any Error)? {
      switch state {
      case .failed(let error): error
      case .damaged(let error): error
      case .waiting, .loading, .completed: nil
      }
    }
  }
}
