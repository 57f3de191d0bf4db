// SPDX-License-Identifier: MIT

/// Ciphertext on both sides of an engine: received and not taken yet, made and not sent yet.
///
/// OpenSSL reaches it through `WireBIO`.
final class WireBuffers {
  /// The bytes lent by `feed` that OpenSSL has not taken.
  private var window = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The bytes that had to be copied; they come before the window.
  private var kept: [UInt8] = []
  private var keptStart = 0
  /// The number of both: asked for several times for each response, and nearly always 0.
  private(set) var unreadCount = 0
  /// The transport has ended: nothing will be added.
  private(set) var hasEnded = false

  private var outputBase: UnsafeMutableRawPointer?
  private var outputCapacity = 0
  private var outputStart = 0
  private var outputEnd = 0

  deinit {
    outputBase?.deallocate()
  }

  // MARK: From the network

  func lend(_ bytes: UnsafeRawBufferPointer) {
    keepWindow()
    window = bytes
    unreadCount += bytes.count
    releaseIdleOutput()
  }

  /// Ends the loan: copies what OpenSSL has not taken.
  func keepWindow() {
    guard !window.isEmpty else { return }
    if keptStart > 0 {
      kept.removeFirst(keptStart)
      keptStart = 0
    }
    kept.append(contentsOf: window)
    window = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  func end() {
    hasEnded = true
  }

  func take(into target: UnsafeMutableRawBufferPointer) -> Int {
    if unreadCount > window.count {
      let count = min(target.count, kept.count - keptStart)
      unreadCount -= count
      kept.withUnsafeBytes { bytes in
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[keptStart..<keptStart + count]))
      }
      keptStart += count
      if keptStart == kept.count {
        kept = []
        keptStart = 0
      }
      return count
    }
    let count = min(target.count, window.count)
    unreadCount -= count
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: window[..<count]))
    window = UnsafeRawBufferPointer(rebasing: window[count...])
    return count
  }

  // MARK: To the network

  var output: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: outputBase.map { $0 + outputStart }, count: outputEnd - outputStart)
  }

  func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
    let base = reserve(bytes.count)
    (base + outputEnd).copyMemory(from: source, byteCount: bytes.count)
    outputEnd += bytes.count
  }

  func dropOutput(_ count: Int) {
    outputStart = min(outputStart + max(count, 0), outputEnd)
    guard outputStart == outputEnd else { return }
    outputStart = 0
    outputEnd = 0
  }

  /// Makes room for `count` more bytes, so that a large write grows the buffer once and not for each record.
  func reserveOutput(_ count: Int) {
    _ = reserve(count)
  }

  /// A buffer that grew serves all writes of a body and goes when the conversation turns: giving it back
  /// after each write would cost page faults each time.
  private func releaseIdleOutput() {
    guard outputEnd == 0, outputCapacity > Self.idleCapacity else { return }
    outputBase?.deallocate()
    outputBase = nil
    outputCapacity = 0
  }

  private func reserve(_ count: Int) -> UnsafeMutableRawPointer {
    if let outputBase, outputCapacity - outputEnd >= count { return outputBase }
    let pending = output
    let needed = pending.count + count
    let capacity = max(needed + needed / 2, Self.idleCapacity)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    if let source = pending.baseAddress { fresh.copyMemory(from: source, byteCount: pending.count) }
    outputBase?.deallocate()
    outputBase = fresh
    outputCapacity = capacity
    outputEnd = pending.count
    outputStart = 0
    return fresh
  }

  /// The bytes that an idle connection may hold on to; a request's head fits.
  private static let idleCapacity = 2048
}
