// SPDX-License-Identifier: MIT

// Any bytes of a responder's or a distribution point's end in an answer or an error, the same each time; and none is an answer
// outside of its dates, or in the name of somebody who has not signed it.

import Foundation

@testable import BluebonnetTLS

/// The first byte says when it is asked.
enum RevocationInvariant {
  static func violation(ofResponse input: [UInt8]) -> String? {
    violation(input) { response, certificate, issuer, now in
      Result { () throws(RevocationFault) in
        try OCSPQuestion(about: certificate, issuer: issuer).answer(in: response, at: now)
      }
    }
  }

  static func violation(ofList input: [UInt8]) -> String? {
    violation(input) { list, certificate, issuer, now in
      Result { () throws(RevocationFault) in
        try RevocationList(list).answer(about: certificate, issuer: issuer, at: now)
      }
    }
  }

  private static func violation(
    _ input: [UInt8],
    _ answer: ([UInt8], Certificate, Certificate, Int64) -> Result<RevocationAnswer, RevocationFault>
  ) -> String? {
    guard let selector = input.first else { return nil }
    guard let root = certificate(Self.root), let leaf = certificate(Self.leaf) else {
      return "there is no scene"
    }
    let bytes = Array(input.dropFirst())
    let now = times[Int(selector) % times.count]
    let first = answer(bytes, leaf, root, now)
    if first != answer(bytes, leaf, root, now) { return "not the same twice" }
    // What the seeds are begins in 2026 and ends in 2126.
    if case .success(let found) = first, now != times[0] { return "\(found) at \(now)" }
    if case .success(let found) = answer(bytes, leaf, leaf, now) { return "\(found) by the leaf" }
    return nil
  }

  private static let times: [Int64] = [1_800_000_000, 1_000_000_000, 8_000_000_000]

  static func certificate(_ text: String) -> Certificate? {
    Data(base64Encoded: text).flatMap { try? Certificate(der: Array($0)) }
  }

  static let root =
    "MIIBgDCCASWgAwIBAgIURwISuhWaOKqQU1ZBv3b4Hd58IWQwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBUjAgFw0yNjExMjMw"
    + "NDI5MjBaGA8yMTI2MTAzMDA0MjkyMFowDDEKMAgGA1UEAwwBUjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIkt+1UvcSZJ"
    + "rmC9DQr0NjCS2/ocal1/VV+1zGTmxhyvCzXjxcKKmFVs7kMfPDE/FP6clIM54x+5mCtO4MkjpzGjYzBhMB0GA1UdDgQWBBTx"
    + "lg/GoP5ULOp2pLavRUPc+xthwDAfBgNVHSMEGDAWgBTxlg/GoP5ULOp2pLavRUPc+xthwDAPBgNVHRMBAf8EBTADAQH/MA4G"
    + "A1UdDwEB/wQEAwIBBjAKBggqhkjOPQQDAgNJADBGAiEA0ktjMIU+5KSD11+4yKC431Ta5g6ZO8xIHrPxR9ZzJBICIQCQS7wG"
    + "l3u/OZ11Ebbv6xFACQedQyJN3+KeH6RJfv5VgA=="
  private static let leaf =
    "MIIBVjCB/aADAgECAgISZzAKBggqhkjOPQQDAjAMMQowCAYDVQQDDAFSMCAXDTI2MTEyMzA0MjkyMVoYDzIxMjYxMDMwMDQy"
    + "OTIxWjAMMQowCAYDVQQDDAFsMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEBDLIWCh7Bf8QH2ufh01+iXBwbU/5DeZcovBl"
    + "st/MseCGRoLGiNNFfeUuqkkgbotZOWA75FH+5aDttHTd7jrAqaNNMEswCQYDVR0TBAIwADAdBgNVHQ4EFgQUzLxMoGFvOpql"
    + "FDOhNEKJ9qTmB3MwHwYDVR0jBBgwFoAU8ZYPxqD+VCzqdqS2r0VD3PsbYcAwCgYIKoZIzj0EAwIDSAAwRQIgLHQO1FzseUW2"
    + "GyvdgklmJR3XqWM8Ul96MO2nvJpFyKUCIQCxPRfCSWtL5XqR9KgWF7yGgYeghAsN1NW5jp0MMR1EZQ=="
}
