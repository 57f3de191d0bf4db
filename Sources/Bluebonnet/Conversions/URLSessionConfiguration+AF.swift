// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

extension URLSessionConfiguration: AlamofireExtended {}

extension AlamofireExtension where ExtendedType: URLSessionConfiguration {
  /// A new copy of `URLSessionConfiguration.default` with the `headers` ``HTTPHeaders/default``.
  public static var `default`: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.default
    configuration.headers = .default
    return configuration
  }

  /// A new copy of `URLSessionConfiguration.ephemeral` with the `headers` ``HTTPHeaders/default``.
  public static var ephemeral: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.headers = .default
    return configuration
  }
}
