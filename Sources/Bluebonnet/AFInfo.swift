// SPDX-License-Identifier: MIT

/// The release of Alamofire's API that this module matches.
public enum AFInfo {
  /// The version of the matched API, also sent as a token of the `User-Agent`.
  public static let version = "5.12.0"
}

/// The name and the version of this package.
public enum BluebonnetInfo {
  /// The version of this package, sent in the `User-Agent`.
  public static let version = "0.1.0"
}
