import BluebonnetEventLoop
import BluebonnetSemantics
import BluebonnetTLS
import BluebonnetWebSocket

extension TransportError {
  /// Who could mend it.
  package var fault: LoadingFault {
    switch cause {
    case .invalidHost, .cancelled, .bodySource, .invalidRequest: .caller
    // Who asks a port for https in plain HTTP has the wrong address.
    case .securePort: .caller
    case .unresolvedHost(let failure): failure.isDescriptorShortage ? .local : .network
    case .unconnected(let error): error.fault
    case .network(let error): error.isDescriptorShortage ? .local : .network
    case .tls(let error): error.fault.ofLoading
    // Nobody named a failure: it was the caller's code that refused.
    case .untrusted(let failure): failure == nil ? .caller : .server
    case .noResponse, .truncated, .malformed, .coding: .server
    case .webSocket(let error): error.fault.ofLoading
    case .timedOut: awaitedBody ? .caller : phase.faultOfSilence
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
