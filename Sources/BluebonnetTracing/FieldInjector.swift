// SPDX-License-Identifier: MIT
#if Tracing
  import Bluebonnet
  import BluebonnetFoundation
  import BluebonnetHTTP1
  import Tracing

  /// Sets fields of a request, as far as they can be sent.
  struct FieldInjector: Injector {
    /// The longest value; W3C's Baggage, §3.3.2, has the same limit.
    static let limit = 8_192

    func inject(_ value: String, forKey key: String, into request: inout URLRequest) {
      guard value.utf8.count <= Self.limit, (try? EncodedFields([(key, value)])) != nil else { return }
      request.setValue(value, forHTTPHeaderField: key)
    }
  }
#endif
