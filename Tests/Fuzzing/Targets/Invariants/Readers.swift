// SPDX-License-Identifier: MIT
import BluebonnetHTTP1

extension ResponseParser: Reader {
  mutating func step(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Step {
    switch try next(in: input, consumed: &consumed) {
    case .needsMore: .needsMore
    case .interim(let status): .section(section(["interim \(status)"]))
    case .head: .section(section(["head", "\(contentLength ?? -1)", "\(isUpgraded)"]))
    case .body(let range): .body(range)
    case .end: .end(ending)
    }
  }

  mutating func close() throws(HTTP1Error) -> Account.Section {
    _ = try finish()
    return ending
  }

  private func section(_ facts: [String]) -> Account.Section {
    let head = head
    return Account.Section(
      line: facts + ["\(head.minorVersion) \(head.status) \(head.reason)"],
      fields: Account.fields(of: head.fields))
  }

  private var ending: Account.Section {
    Account.Section(
      line: ["end", "\(keepsConnection)", "\(isUpgraded)", "\(repairs)"],
      fields: Account.fields(of: trailers))
  }
}

extension RequestParser: Reader {
  mutating func step(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Step {
    switch try next(in: input, consumed: &consumed) {
    case .needsMore: return .needsMore
    case .head:
      let head = head
      return .section(
        Account.Section(
          line: [
            "head", head.method, head.target, "\(head.minorVersion)", "\(contentLength ?? -1)",
            "\(expects100Continue)", "\(keepsConnection)",
          ],
          fields: Account.fields(of: head.fields)))
    case .body(let range): return .body(range)
    case .end: return .end(ending)
    }
  }

  mutating func close() throws(HTTP1Error) -> Account.Section {
    _ = try finish()
    return ending
  }

  private var ending: Account.Section {
    Account.Section(line: ["end", "\(keepsConnection)"], fields: Account.fields(of: trailers))
  }
}

extension ChunkedDecoder: Reader {
  mutating func step(in input: Span<UInt8>, consumed: inout Int) throws(HTTP1Error) -> Step {
    switch try next(in: input, consumed: &consumed) {
    case .needsMore: .needsMore
    case .body(let range): .body(range)
    case .end: .end(ending)
    }
  }

  mutating func close() throws(HTTP1Error) -> Account.Section {
    try finish()
    return ending
  }

  private var ending: Account.Section { Account.Section(fields: Account.fields(of: trailers)) }
}
