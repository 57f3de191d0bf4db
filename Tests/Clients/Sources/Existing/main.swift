// SPDX-License-Identifier: MIT
import Alamofire
import Foundation

// Alamofire's names, qualified and not, on this package's module: a type, a protocol, a function's result and an error.
struct Page: Decodable, Sendable {
  let url: String
}

final class Counter: Alamofire.EventMonitor {}

func status(_ response: Alamofire.DataResponse<String, Alamofire.AFError>) -> Int {
  response.response?.statusCode ?? 0
}

let session: Alamofire.Session = Alamofire.Session(eventMonitors: [Counter()])
let address = CommandLine.arguments.dropFirst().first ?? "https://example.org/"
let headers: Alamofire.HTTPHeaders = [.accept("text/html")]
let response = await session.request(address, method: Alamofire.HTTPMethod.get, headers: headers)
  .serializingString().response
print(status(response))
do {
  _ = try await AF.request(address).serializingDecodable(Page.self).value
} catch let error as Alamofire.AFError {
  print(error.isResponseSerializationError)
}
