/// The fields of a response, whatever they were made from; the dictionary is built when asked for.
struct ResponseFields: Sendable {
  private let fields: HeaderFields

  init(_ dictionary: [String: String]) { fields = HeaderFields(dictionary) }

  var dictionary: [String: String] { fields.dictionary }

  func joinedValue(of name: String) -> String? { fields[name] }
}
