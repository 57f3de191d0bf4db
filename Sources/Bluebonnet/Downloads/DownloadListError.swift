// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetLibc

/// Why a ``DownloadList`` cannot do what it is asked for.
public enum DownloadListError: Error, Sendable, Hashable {
  /// Another list has the directory, of this process or of another one.
  case inUse(directory: String)
  /// The directory cannot be used, for this reason.
  case unusable(directory: String, reason: String)
  /// The request, or the name of its file, is none that a list takes.
  case refused(reason: String)
  /// There is a file of this name, or another download will have it.
  case nameTaken(String)
  /// A file of the list does not say what it should; the others are not affected.
  case damaged(file: String, reason: String)
  /// Nothing of the list has this identifier.
  case unknownEntry
  /// The download was removed from the list.
  case removed
  /// The list has been closed.
  case closed
  /// The disk failed, or is full.
  case storing(reason: String)
  /// The server's bytes do not belong to those at hand.
  case mismatch(reason: String)
}

extension DownloadListError {
  /// The disk's reason for a failure.
  static func storing(_ number: Int32 = errno) -> DownloadListError {
    .storing(reason: String(cString: strerror(number)))
  }
}

extension DownloadListError: LocalizedError, CustomStringConvertible {
  /// A sentence.
  public var description: String {
    switch self {
    case .inUse(let directory): "The download list in \(directory) is open elsewhere."
    case .unusable(let directory, let reason): "There can be no download list in \(directory): \(reason)."
    case .refused(let reason): "A download list does not take this download: \(reason)."
    case .nameTaken(let name): "There is a download named \(name) already."
    case .damaged(let file, let reason): "The file \(file) of the download list is damaged: \(reason)."
    case .unknownEntry: "There is no such download in the list."
    case .removed: "The download was removed from the list."
    case .closed: "The download list has been closed."
    case .storing(let reason): "The downloaded bytes could not be stored: \(reason)."
    case .mismatch(let reason): "The server's answer does not match the partial file: \(reason)."
    }
  }

  /// The same as the description.
  public var errorDescription: String? { description }
}
