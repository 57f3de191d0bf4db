import BluebonnetEventLoop
import BluebonnetTransport

/// An origin that is handed its connections instead of listening for them, and asks somebody else for its answers.
package final class ChannelServer: Sendable {
  private let server: Server

  /// - Parameters:
  ///   - loop: The loop of the channels.
  ///   - responder: Called in loop context with each request that is complete, and with what the client puts before a path.
  ///     Answers once, from any thread and at any time.
  package init(
    loop: EventLoop,
    responder:
      @escaping @Sendable (
        _ request: RecordedRequest, _ base: String, _ answer: @escaping @Sendable (ScriptedReply) -> Void
      ) -> Void
  ) {
    server = Server(loop: loop, responder: responder)
  }

  deinit { dropConnections() }

  /// Serves the client at the other end. In loop context.
  package func serve(_ channel: any Channel, base: String) { server.serve(channel, base: base) }

  /// Closes all connections now, in the middle of what they do.
  package func dropConnections(resetting: Bool = false) { server.dropConnections(resetting: resetting) }
}
