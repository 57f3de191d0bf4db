// SPDX-License-Identifier: MIT
import Glibc

/// What a run is asked to do: `MODE URL --requests N --concurrency N [--cacert PEM] [--proxy URL] …`.
public struct Assignment: Sendable {
  /// What happens to the bodies.
  public enum Mode: String, Sendable {
    /// Keep-alive GETs whose bodies are collected.
    case small
    /// The same in a task on the client's own thread, for clients that have such a thing.
    case smallLoop = "small-loop"
    /// The same by a blocking call, for clients that have such a thing.
    case smallWait = "small-wait"
    /// The first with a monitor of the session's events.
    case smallMonitored = "small-monitored"
    /// The first with a monitor that logs, to a handler that drops the lines.
    case smallLogged = "small-logged"
    /// The first by an address relative to the session's.
    case smallRelative = "small-relative"
    /// The first, whose responses have links that are read.
    case smallLinks = "small-links"
    /// Downloads to the file.
    case smallDownload = "small-download"
    /// Downloads to the file, whose digest is compared.
    case smallVerified = "small-verified"
    /// The same from a cache's memory.
    case cached
    /// The same from a cache's memory, by the API above.
    case cachedSession = "cached-session"
    /// The same from a cache's disk.
    case cachedDisk = "cached-disk"
    /// GETs that the server answers once its challenge has been met, each anew.
    case challenged
    /// Forms of four parts.
    case form
    /// Flushes of a session that has nothing to write.
    case flush
    /// Downloads whose bodies are counted and dropped.
    case stream
    /// Uploads of the file's bytes, held in memory.
    case uploadData = "upload-data"
    /// Uploads of the file's bytes through a stream that is in memory.
    case uploadStream = "upload-stream"
    /// Uploads of the file.
    case uploadFile = "upload-file"
  }

  /// What happens to the bodies.
  public let mode: Mode
  /// What is fetched, again and again.
  public let url: String
  /// How often, in all.
  public let requests: Int
  /// How many at a time.
  public let concurrency: Int
  /// How many connections there may be to a host, if not as many as requests at a time.
  public let connections: Int?
  /// Over how many addresses of the local host the requests are spread, from 127.0.0.1 on.
  public let hosts: Int
  /// How many fields more each request has.
  public let fields: Int
  /// What is uploaded, or where a cache or a download is kept.
  public let file: String?
  /// A PEM file with the authority that signed the server's certificate.
  public let authorities: String?
  /// The proxy that everything goes through.
  public let proxy: String?
  /// The SHA-256 digest of what is downloaded.
  public let digest: String?

  /// Ends the process: this client does nothing of the kind.
  public func refuse() -> Never { end(status: 2, saying: "this client has no mode \(mode.rawValue)") }

  /// Reads the process's own command line; ends the process if it makes no sense.
  public init() {
    guard let assignment = Assignment(CommandLine.arguments.dropFirst()) else {
      end(
        status: 2,
        saying: """
          usage: (small|small-loop|small-wait|small-monitored|small-logged|small-relative|small-links|small-download|small-verified|cached|cached-session|cached-disk|challenged|form|stream|upload-data|upload-stream|upload-file) URL [--requests N] [--concurrency N] \
          [--cacert PEM] [--file PATH] [--proxy URL] [--connections N] [--hosts N] [--fields N] [--digest HEX]
          """)
    }
    self = assignment
  }

  private init?(_ arguments: ArraySlice<String>) {
    var words = arguments
    guard let name = words.popFirst(), let mode = Mode(rawValue: name), let url = words.popFirst()
    else { return nil }
    var requests = 1
    var concurrency = 1
    var authorities: String?
    var file: String?
    var proxy: String?
    var digest: String?
    var connections: Int?
    var hosts = 1
    var fields = 0
    while let option = words.popFirst() {
      guard let value = words.popFirst() else { return nil }
      switch option {
      case "--requests": requests = Int(value) ?? 0
      case "--concurrency": concurrency = Int(value) ?? 0
      case "--cacert": authorities = value
      case "--file": file = value
      case "--proxy": proxy = value
      case "--digest": digest = value
      case "--connections": connections = Int(value) ?? 0
      case "--hosts": hosts = Int(value) ?? 0
      case "--fields": fields = Int(value) ?? -1
      default: return nil
      }
    }
    guard requests > 0, concurrency > 0, (connections ?? 1) > 0, (1...60_000).contains(hosts), fields >= 0
    else { return nil }
    self.mode = mode
    self.url = url
    self.requests = requests
    self.concurrency = concurrency
    self.authorities = authorities
    self.proxy = proxy
    self.digest = digest
    self.connections = connections
    self.hosts = hosts
    self.fields = fields
    self.file = file
  }
}

/// Ends the process with one line on standard error.
func end(status: Int32, saying line: String) -> Never {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
  exit(status)
}
