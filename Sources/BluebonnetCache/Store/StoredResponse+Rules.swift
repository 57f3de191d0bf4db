// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetMessages
import BluebonnetSemantics

// Between stored responses and the rules of caching, which know neither addresses nor bodies.

extension StoredResponse.Key {
  /// The key of a method and a target. User information is no part of it: it becomes the request's `Authorization`.
  package init(method: String, target: TargetURI) {
    let origin = target.origin
    // Made for each request that asks a cache.
    var address = origin.isSecure ? "https://" : "http://"
    address.reserveCapacity(origin.host.utf8.count + target.path.utf8.count + 16)
    if origin.host.utf8.contains(Byte.colon) {
      address += "[\(origin.host)]"
    } else {
      address += origin.host
    }
    if !origin.isDefaultPort {
      address += ":"
      address += String(origin.port)
    }
    address += target.path
    self.init(method: method, target: address)
  }
}

extension StoredResponse {
  /// A response as it is to be kept.
  package init(_ head: StoredHead, key: Key, of response: HTTPURLResponse, url: URL) {
    self.init(
      key: key, url: response.url ?? url, status: head.status, reason: "",
      minorVersion: response.minorVersion,
      fieldBlock: head.fields,
      variant: head.selection.fields.map { RequestField(name: $0.name, value: $0.value) },
      requestTime: Date(timeIntervalSince1970: head.requestTime),
      responseTime: Date(timeIntervalSince1970: head.responseTime), isDecoded: head.selection.isDecoded,
      part: head.part.map { Part(offset: $0.range.lowerBound, completeLength: $0.total) })
  }

  /// The same body with a newer head.
  package func freshened(_ head: StoredHead) -> StoredResponse {
    var fresh = self
    fresh.fieldBlock = head.fields
    fresh.requestTime = Date(timeIntervalSince1970: head.requestTime)
    fresh.responseTime = Date(timeIntervalSince1970: head.responseTime)
    return fresh
  }

  /// The fields that a request must share with the one that a response answered: those that `Vary` names (RFC 9111 §4.1), and
  /// besides them `Authorization`, without which a caller would be shown the response to another one, and `Host`, perhaps not
  /// that of the address.
  ///
  /// - Parameters:
  ///   - vary: The values of `Vary`.
  ///   - request: The fields of the request that the response answers.
  /// - Returns: Nil for a response that varies by more than the request says, or by more than is worth comparing.
  package static func variant(vary: [String], request: HeaderFields) -> [RequestField]? {
    CacheSelection(vary: vary, request: request)?.fields.map { RequestField(name: $0.name, value: $0.value) }
  }

  /// Whether the response answers a request with these fields, too (RFC 9111 §4.1), with its content coding undone.
  package func answers(_ request: HeaderFields) -> Bool {
    CacheSelection(fields: variant.map { .init(name: $0.name, value: $0.value) }, isDecoded: isDecoded)
      .answers(request)
  }
}

extension StoredHead {
  /// The part of a stored response that the rules go by.
  package init(_ response: StoredResponse) {
    self.init(
      status: response.status, fields: response.fieldBlock,
      selection: CacheSelection(
        fields: response.variant.map { .init(name: $0.name, value: $0.value) }, isDecoded: response.isDecoded),
      requestTime: response.requestTime.timeIntervalSince1970,
      responseTime: response.responseTime.timeIntervalSince1970)
  }
}
