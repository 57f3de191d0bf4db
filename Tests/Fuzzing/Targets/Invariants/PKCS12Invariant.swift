// SPDX-License-Identifier: MIT

// An archive may hold anything. What is read of it belongs together, and is the same when it is written as PEM.

@testable import BluebonnetTLS

enum PKCS12Invariant {
  static func violation(_ input: [UInt8]) -> String? {
    for password in ["bluebonnet", ""] {
      guard let identity = try? TLSIdentity(pkcs12: input, password: password) else { continue }
      if let problem = PEMInvariant.problem(of: identity) { return problem }
    }
    return nil
  }
}
