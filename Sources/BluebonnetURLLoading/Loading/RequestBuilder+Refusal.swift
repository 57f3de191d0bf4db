// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetHTTP1
import BluebonnetTransport

extension RequestBuilder {
  /// Why a request cannot be put on the wire, with the name of the field that is to blame.
  func refusal(of request: URLRequest, _ error: HTTP1Error) -> URLError {
    let failure = TransportFailure(TransportError(.invalidRequest(error), during: .sending))
    let reason = culprit(in: request).map { name in
      // The value may be a secret, and may itself be at fault.
      "the field \"\(name)\" must not be sent: \(error.rule) (\(error.rule.section))"
    }
    return .loading(
      failure.code, url: request.url, method: request.httpMethod, phase: .preparing,
      reason: reason ?? failure.description, fault: failure.fault, cause: failure)
  }

  private func culprit(in request: URLRequest) -> String? {
    (request.headerFields.fields + common.fields).first { field in
      (try? EncodedFields([(field.name, field.value)])) == nil
    }
    .map { String(decoding: $0.name.utf8.map { $0 < 0x20 || $0 == 0x7F ? 0x3F : $0 }, as: UTF8.self) }
  }
}
