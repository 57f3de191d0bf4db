/// The options for the head of a request.
struct RequestOptions: Equatable, Sendable {
  /// The condition of `-z`.
  struct TimeCondition: Equatable, Sendable {
    /// Seconds since 1970.
    let time: Int
    /// The resource is wanted if it has not changed since.
    let wantsOlder: Bool
  }

  /// The place where `-C` goes on.
  enum Resumption: Equatable, Sendable {
    case at(Int)
    /// `-C -`: behind what there is.
    case automatic
  }

  var method: String?
  /// `--request-target`.
  var target: String?
  var asksForHead = false
  var usesHTTP10 = false
  /// The lines of `-H`, those of files among them.
  var fields: [String] = []
  var agent: String?
  var referrer: String?
  /// `-e ";auto"`: a redirect is told where it came from.
  var refersAutomatically = false
  var range: String?
  var resumption: Resumption?
  var timeCondition: TimeCondition?
  /// The file with the entity tag to compare.
  var entityTagSource: String?
  /// The file for the entity tag of the response.
  var entityTagPlace: String?
  var asksForCompression = false
  /// `--tr-encoding`: the transfer may be compressed.
  var asksForTransferCoding = false
  /// `--raw`: bodies as they came.
  var isRaw = false
  /// Dots in paths are sent as they are.
  var keepsDots = false
  var refusesUsers = false
  /// The schemes that may be asked for; all that are known by default.
  var schemes = SchemeSet.all
  /// The scheme of a URL without one.
  var usualScheme: String?
  /// Seconds to wait for a 100.
  var continuePatience: Double?
}
