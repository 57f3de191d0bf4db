// SPDX-License-Identifier: MIT
import BluebonnetFoundation

// On Linux every use of `DispatchQueue.main` makes an object of its own, so `===` does not recognise the main queue.
extension DispatchQueue {
  private static let mainMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this is the main queue, not one that merely targets it.
  var isMain: Bool { getSpecific(key: Self.mainMark) == true }

  /// Whether both are one queue.
  func isSame(as other: DispatchQueue) -> Bool {
    self === other || (isMain && other.isMain)
  }
}
