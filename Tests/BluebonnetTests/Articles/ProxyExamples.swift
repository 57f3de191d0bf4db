// SPDX-License-Identifier: MIT

// The code of the article *Proxies*, word for word; `ProxyExamplesTests` runs what needs no proxy out there.

import BluebonnetFoundation
import Bluebonnet

enum ProxyExamples {
  static func one() -> Session {
    let configuration = URLSessionConfiguration.af.default
    var proxy = URLSessionConfiguration.Proxy(.http, host: "proxy.example.com", port: 3128)
    (proxy.user, proxy.password) = ("me", "secret")
    configuration.proxySelection = .proxy(proxy, except: "localhost,.example.com,10.0.0.0/8")
    let session = Session(configuration: configuration)
    return session
  }

  static func text() throws -> URLSessionConfiguration.Proxy {
    let proxy = try URLSessionConfiguration.Proxy("socks5h://me:secret@127.0.0.1:9050")
    return proxy
  }

  static func environment(_ configuration: URLSessionConfiguration) {
    configuration.proxySelection = .environment
  }

  static func function(_ configuration: URLSessionConfiguration, _ onion: URLSessionConfiguration.Proxy) {
    configuration.proxySelection = .select { url in
      url.host()?.hasSuffix(".onion") == true ? onion : nil
    }
  }

  static func dictionary(_ configuration: URLSessionConfiguration) {
    configuration.connectionProxyDictionary = [
      kCFNetworkProxiesHTTPSEnable: true,
      kCFNetworkProxiesHTTPSProxy: "proxy.example.com",
      kCFNetworkProxiesHTTPSPort: 3128,
      kCFNetworkProxiesExceptionsList: ["*.example.com", "169.254/16"],
    ]
  }

  static func errors(_ url: String, on queue: DispatchQueue) {
    AF.request(url)
      .onProxyResponse(on: queue) { answer in print(answer.statusCode) }
      .response(queue: queue) { response in
        guard let failure = (response.error?.underlyingError as? URLError)?.transportFailure else { return }
        if failure.isOfProxy { print("the proxy: \(failure.description)", failure.proxyStatus ?? 0) }
      }
  }
}
