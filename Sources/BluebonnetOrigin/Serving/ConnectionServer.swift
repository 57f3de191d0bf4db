// SPDX-License-Identifier: MIT

/// An origin's demands on the server of its connections, through a socket or within the process.
protocol ConnectionServer: AnyObject, Sendable {
  var log: RequestLog { get }

  /// Closes all connections now, in the middle of what they do.
  func dropConnections(resetting: Bool)
  /// Closes everything and serves no client from here on.
  func stop()
  /// Sends bytes on an open connection. Whether all of them have left.
  func interject(_ bytes: [UInt8], on number: Int) -> Bool
}
