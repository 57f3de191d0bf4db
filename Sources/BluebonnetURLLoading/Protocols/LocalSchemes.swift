// SPDX-License-Identifier: MIT
import BluebonnetSemantics
import BluebonnetFoundation

/// URLs that are loaded without a network.
enum LocalSchemes {
  /// The class that loads the URL, if it is a local one.
  static func protocolClass(for url: URL?) -> URLProtocol.Type? {
    switch url?.scheme?.asciiLowercased {
    case "file": FileURLProtocol.self
    case "data": DataURLProtocol.self
    default: nil
    }
  }
}
