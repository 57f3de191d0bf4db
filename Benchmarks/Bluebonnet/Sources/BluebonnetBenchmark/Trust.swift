import Bluebonnet

/// Trusts the authority in a PEM file, or, without one, whom the system trusts.
func trust(in file: String?) throws -> ServerTrustManager? {
  guard let file else { return nil }
  let pem = try String(contentsOf: URL(fileURLWithPath: file), encoding: .utf8)
  let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
  guard let der = Data(base64Encoded: lines.joined()),
    let certificate = SecCertificateCreateWithData(nil, der)
  else { throw CocoaError(.fileReadCorruptFile) }
  let evaluator = PinnedCertificatesTrustEvaluator(
    certificates: [certificate], acceptSelfSignedCertificates: true)
  return ServerTrustManager(evaluators: ["localhost": evaluator])
}
