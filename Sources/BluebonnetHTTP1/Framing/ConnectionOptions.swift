/// The options of Connection that matter to a client or server (RFC 9110 §7.6.1), taken as the fields come.
struct ConnectionOptions: Sendable {
  var closes = false
  var keepsAlive = false

  /// Takes one field value. Nearly always it is a single option.
  @inline(__always)
  mutating func take(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) {
    let whole = ListElement(start: base + range.lowerBound, count: range.count)
    if range.count == 10, whole.equals("keep-alive") {
      keepsAlive = true
    } else if range.count == 5, whole.equals("close") {
      closes = true
    } else {
      takeList(base, range)
    }
  }

  @inline(never)
  private mutating func takeList(_ base: UnsafePointer<UInt8>, _ range: Range<Int>) {
    ListElement.forEach(base, range) { option in
      if option.equals("close") { closes = true }
      if option.equals("keep-alive") { keepsAlive = true }
    }
  }
}
