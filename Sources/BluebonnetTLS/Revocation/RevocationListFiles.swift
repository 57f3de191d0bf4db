/// Files with revocation lists, in PEM, as many as there are in each, or one in DER.
package struct RevocationListFiles: Sendable, Hashable {
  package var paths: [String]
  /// Whether every certificate below the anchor has to be covered by one of the lists that are known.
  package var mustCoverChain: Bool

  package init(paths: [String] = [], mustCoverChain: Bool = false) {
    self.paths = paths
    self.mustCoverChain = mustCoverChain
  }

  var isEmpty: Bool { paths.isEmpty && !mustCoverChain }
}
