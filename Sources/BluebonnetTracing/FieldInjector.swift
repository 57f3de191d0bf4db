#if Tracing
  import Bluebonnet
  import BluebonnetFoundation
  import Tracing

  /// Sets fields of a request.
  struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into request: inout URLRequest) {
      request.setValue(value, forHTTPHeaderField: key)
    }
  }
#endif
