/// The options between two `--next`: some URLs, and the way they are fetched.
struct Operation: Equatable, Sendable {
  /// The destination of a body.
  enum Output: Equatable, Sendable {
    case file(String)
    /// `-O`: a file named as in the URL.
    case remoteName
  }

  /// In order; the first output belongs to the first URL, and so does the first upload.
  var urls: [String] = []
  var outputs: [Output] = []
  var uploads: [String] = []
  /// `--remote-name-all`: for URLs without an output of their own.
  var namesAllRemotely = false
  /// Braces and brackets in URLs mean what they say.
  var takesURLsLiterally = false
  /// `#1` in the name of an output stands for what a pattern gave.
  var request = RequestOptions()
  var content = ContentOptions()
  var redirects = RedirectOptions()
  var authentication = AuthenticationOptions()
  var cookies = CookieOptions()
  var connection = ConnectionOptions()
  var proxy = ProxyOptions()
  var security = SecurityOptions()
  var output = OutputOptions()
  var retry = RetryOptions()

  /// Whether anything was asked for.
  var isEmpty: Bool { self == Operation() }
}
