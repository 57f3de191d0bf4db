// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetProxies
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetWebSocket

extension TransportError {
  /// The party that could mend it.
  package var fault: LoadingFault {
    let fault = faultOfPeer
    // The peer is the proxy.
    return isOfProxy && fault == .server ? .proxy : fault
  }

  private var faultOfPeer: LoadingFault {
    switch cause {
    // Only the caller knows its credentials.
    case .proxyRefused(407, _): .caller
    // The proxy has not reached the origin (RFC 9110 §15.6.3, §15.6.5).
    case .proxyRefused(502...504, _): .network
    case .proxyRefused: .proxy
    case .socks(let error): error.fault
    case .authentication: .caller
    case .invalidHost, .cancelled, .bodySource, .invalidRequest: .caller
    // Plain HTTP to a port for https means a wrong address.
    case .securePort: .caller
    case .unresolvedHost(let failure): failure.isDescriptorShortage ? .local : .network
    case .unconnected(let error): error.fault
    case .network(let error): error.isDescriptorShortage ? .local : .network
    case .tls(let error): error.fault.ofLoading
    // Without a failure it was the caller's code that refused.
    case .untrusted(let failure): failure == nil ? .caller : .server
    case .noResponse, .truncated, .malformed, .coding: .server
    case .webSocket(let error): error.fault.ofLoading
    case .timedOut: awaitedBody ? .caller : phase.faultOfSilence
    }
  }
}

extension SOCKSError {
  fileprivate var fault: LoadingFault {
    switch self {
    case .noAcceptableMethod, .wrongCredentials, .unsayable: .caller
    case .refused4, .refused5, .malformed, .closed: isOfTarget ? .network : .proxy
    }
  }
}

extension ConnectError {
  fileprivate var fault: LoadingFault {
    if isDescriptorShortage { return .local }
    return switch self {
    case .invalidTarget, .cancelled: .caller
    case .failed where isRefused: .server
    case .unresolved, .failed, .timedOut: .network
    }
  }
}

extension TLSError.Fault {
  fileprivate var ofLoading: LoadingFault {
    switch self {
    case .peer: .server
    case .network: .network
    case .caller: .caller
    case .own: .local
    }
  }
}

extension WebSocketError.Fault {
  fileprivate var ofLoading: LoadingFault {
    switch self {
    case .peer: .server
    case .caller: .caller
    case .local: .local
    }
  }
}
