// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetURLLoading

// The older way to evaluate, with an error that the caller makes of the result.
extension AlamofireExtension where ExtendedType == SecTrust {
  /// Replaces the policies by one and evaluates the trust; throws what the closure makes of the answer, if that is no.
  @available(*, deprecated, renamed: "evaluate(afterApplying:)")
  public func validate(
    policy: SecPolicy, errorProducer: (_ status: OSStatus, _ result: SecTrustResultType) -> any Error
  ) throws {
    try apply(policy: policy).af.validate(errorProducer: errorProducer)
  }

  /// Evaluates the trust by the policies that are applied; throws what the closure makes of the answer, if that is no.
  @available(*, deprecated, renamed: "evaluate()")
  public func validate(
    errorProducer: (_ status: OSStatus, _ result: SecTrustResultType) -> any Error
  ) throws {
    var error: (any Error)?
    let result: SecTrustResultType =
      SecTrustEvaluateWithError(type, &error) ? .unspecified : .recoverableTrustFailure
    guard result.af.isSuccess else {
      throw errorProducer((error as? SecTrustError)?.status ?? errSecSuccess, result)
    }
  }
}

extension SecTrustResultType: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == SecTrustResultType {
  /// True for `.unspecified` and `.proceed`: the certificates are trusted.
  public var isSuccess: Bool { type == .unspecified || type == .proceed }
}

extension OSStatus: AlamofireExtended {}

extension AlamofireExtension where ExtendedType == OSStatus {
  /// True for `errSecSuccess`.
  public var isSuccess: Bool { type == errSecSuccess }
}
