// SPDX-License-Identifier: MIT
#if Foundation
  extension URLProtocol {
    /// Attaches something to a request; it is no part of the request's equality.
    public class func setProperty(_ value: Any, forKey key: String, in request: NSMutableURLRequest) {
      setProperty(value, forKey: key, in: &request.request)
    }

    /// Removes the value attached to a request under a key.
    public class func removeProperty(forKey key: String, in request: NSMutableURLRequest) {
      removeProperty(forKey: key, in: &request.request)
    }
  }
#endif
