// SPDX-License-Identifier: MIT
extension ServerTrust {
  /// Returns the answer of the lists that came with the anchors or from files.
  ///
  /// - Parameters:
  ///   - certificate: The certificate in question.
  ///   - issuer: The one that has signed it.
  ///   - now: In seconds since 1970.
  package func keptAnswer(
    about certificate: Certificate, issuer: Certificate, at now: Int64
  ) throws(RevocationFault) -> RevocationAnswer {
    var good: RevocationAnswer?
    var fault = RevocationFault.missing
    for list in store.lists(about: certificate) {
      do throws(RevocationFault) {
        let answer = try list.answer(about: certificate, issuer: issuer, at: now)
        if case .revoked = answer.status { return answer }
        good = answer
      } catch {
        fault = error
      }
    }
    guard let good else { throw fault }
    return good
  }
}
