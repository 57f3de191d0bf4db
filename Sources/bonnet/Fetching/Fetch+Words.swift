import Bluebonnet

extension Fetch {
  /// Method and address of the request that is under way, without secrets.
  static func line(of task: URLSessionTask) -> String {
    let request = task.currentRequest ?? task.originalRequest
    let address = request?.url.map { ShownAddress($0.absoluteString).short } ?? ""
    return "\(request?.httpMethod ?? "GET") \(address)"
  }

  /// A status that is an error, and how the server wants to be answered if that is the matter.
  static func answer(_ response: HTTPURLResponse) -> String {
    let status = response.statusCode
    let answer = "the server answered \(status) (\(HTTPURLResponse.localizedString(forStatusCode: status)))"
    guard status == 401 else { return answer }
    let schemes = response.demandedAuthenticationSchemes.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    guard !schemes.isEmpty, !schemes.contains("Basic") else { return answer }
    return answer + "; it wants \(schemes.joined(separator: " or ")) authentication, and -u gives Basic"
  }
}
