// SPDX-License-Identifier: MIT
#if Foundation
  import BluebonnetFoundation

  /// Lets `request as NSURLRequest` and back compile and work.
  extension URLRequest: _ObjectiveCBridgeable {
    /// Wraps the request in an object, as Swift's `as` does.
    public func _bridgeToObjectiveC() -> NSURLRequest { NSURLRequest(self) }

    /// Takes the request out of its object, as Swift's `as!` does.
    public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) {
      result = source.request
    }

    /// Takes the request out of its object, as Swift's `as?` does.
    public static func _conditionallyBridgeFromObjectiveC(
      _ source: NSURLRequest, result: inout URLRequest?
    ) -> Bool {
      result = source.request
      return true
    }

    /// Takes the request out of its object; without one, a request for an empty path.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest {
      source?.request ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }
  }
#endif
