#if !Foundation
  import BluebonnetFoundation

  /// What the main bundle says about the program: without Foundation there is none.
  struct BundleFacts {
    var executable: String?
    var version: String?
    var identifier: String?
    var build: String?

    static let main = BundleFacts()
  }
#endif
