#if !Foundation
  extension ParameterEncoding {
    /// Whether the encoding is one of this package's, which never calls a user's code while it works.
    var isOurs: Bool {
      type(of: self) == URLEncoding.self
    }
  }
#endif
