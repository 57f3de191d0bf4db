import BluebonnetEventLoop

/// Carries a connected descriptor to its next owner, and closes it if there is none. Loop-confined.
package final class ConnectedSocket {
  private var descriptor: FileDescriptor?

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = consume descriptor
  }

  /// The descriptor, non-blocking and registered nowhere; nil if somebody has taken it before.
  package func take() -> FileDescriptor? {
    descriptor.take()
  }
}
