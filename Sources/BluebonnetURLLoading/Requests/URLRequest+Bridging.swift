#if Foundation
  import BluebonnetFoundation

  /// Lets `request as NSURLRequest` and back compile and work.
  extension URLRequest: _ObjectiveCBridgeable {
    /// Wraps the value.
    public func _bridgeToObjectiveC() -> NSURLRequest { NSURLRequest(self) }

    /// Unwraps the value.
    public static func _forceBridgeFromObjectiveC(_ source: NSURLRequest, result: inout URLRequest?) {
      result = source.request
    }

    /// Unwraps the value.
    public static func _conditionallyBridgeFromObjectiveC(
      _ source: NSURLRequest, result: inout URLRequest?
    ) -> Bool {
      result = source.request
      return true
    }

    /// Unwraps the value.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSURLRequest?) -> URLRequest {
      source?.request ?? URLRequest(url: URL(fileURLWithPath: "/"))
    }
  }
#endif
