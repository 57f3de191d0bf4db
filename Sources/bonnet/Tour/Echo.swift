/// The origin's report of a request.
struct Echo: Decodable, Sendable {
  struct Field: Decodable, Sendable {
    let name: String
    let value: String
  }

  let url: String
  let headers: [Field]
  let args: [String: String]
  let form: [String: String]?
}
