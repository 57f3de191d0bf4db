// SPDX-License-Identifier: MIT
#if HTTPTypes
  import Bluebonnet
  import HTTPTypes

  extension HTTPMethod {
    /// The same method.
    public init(_ method: HTTPRequest.Method) { self.init(rawValue: method.rawValue) }
  }

  extension HTTPRequest.Method {
    /// The same method; nil if its name is no token (RFC 9110 §9.1).
    public init?(_ method: HTTPMethod) { self.init(method.rawValue) }
  }
#endif
