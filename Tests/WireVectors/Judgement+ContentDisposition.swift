// SPDX-License-Identifier: MIT
import BluebonnetSemantics

extension Vector {
  func judgeContentDisposition() -> Judgement {
    let parsed = ContentDisposition(header ?? "")
    let parameters = Dictionary(
      (parsed?.parameters ?? []).map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let isInvalid = !(parsed?.isWellFormed ?? false)
    if parsed?.type == expect.type, parameters == expect.params ?? [:], parsed?.filename == expect.filename,
      isInvalid == expect.invalid ?? isInvalid
    {
      return .passed
    }
    return .failed(
      expected:
        "\(expect.type ?? "-") \(expect.params ?? [:]) \(expect.filename ?? "-") \(expect.invalid ?? false)",
      reached: "\(parsed?.type ?? "-") \(parameters) \(parsed?.filename ?? "-") \(isInvalid)")
  }
}
