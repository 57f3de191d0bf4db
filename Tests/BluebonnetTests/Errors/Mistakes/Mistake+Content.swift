// SPDX-License-Identifier: MIT
import BluebonnetFoundation
import BluebonnetOrigin
import BluebonnetURLLoading
import Testing

@testable import Bluebonnet

extension Mistake {
  struct Shop: Decodable, Sendable {
    struct Flower: Decodable, Sendable {
      let name: String
      let price: Int?
    }
    let flowers: [Flower]
  }

  static let validating: [Mistake] = [
    Mistake("not found", "The response's status 404 (not found) is not acceptable.") { stage in
      await stage.failure(of: stage.session().request(stage.filled("http://ORIGIN/status/404")).validate())
    },
    Mistake(
      "HTML for JSON", "The response's content type is text/html; acceptable were application/json."
    ) { stage in
      stage.origin.script("/x", .response(fields: [("Content-Type", "text/html")], body: "<p>".utf8))
      return await stage.failure(
        of: stage.session().request(stage.filled("http://ORIGIN/x")).validate(contentType: [
          "application/json"
        ]))
    },
    Mistake("no content type", "The response names no content type; acceptable were application/json.") {
      stage in
      stage.origin.script("/x", .response(body: "<p>".utf8))
      return await stage.failure(
        of: stage.session().request(stage.filled("http://ORIGIN/x")).validate(contentType: [
          "application/json"
        ]))
    },
    Mistake(
      "a password for Kerberos",
      """
      GET http://ORIGIN/x failed while waiting for the response: the server wants Negotiate authentication, for which \
      the credential is not one: Negotiate takes the caller's Kerberos ticket, not a password.
      """
    ) { stage in
      stage.origin.script(
        "/x", .response(status: 401, fields: [("WWW-Authenticate", "Negotiate")]))
      let request = stage.session().request(stage.filled("http://ORIGIN/x"))
      return await stage.failure(of: request.authenticate(username: "me", password: "canary"))
    },
  ]

  static let serializing: [Mistake] = [
    Mistake(
      "a number for text",
      "The body could not be decoded: at flowers[1].name: Expected to decode String but found number instead (GET http://ORIGIN/x)."
    ) { stage in
      await stage.failure(decoding: #"{"flowers": [{"name": "a"}, {"name": 1}]}"#, as: Shop.self)
    },
    Mistake(
      "no such key",
      "The body could not be decoded: at flowers[0]: there is no key \"name\" (GET http://ORIGIN/x)."
    ) {
      stage in
      await stage.failure(decoding: #"{"flowers": [{"title": "a"}]}"#, as: Shop.self)
    },
    Mistake(
      "null for text",
      "The body could not be decoded: at flowers[0].name: null where String is needed (GET http://ORIGIN/x)."
    ) {
      stage in
      await stage.failure(decoding: #"{"flowers": [{"name": null}]}"#, as: Shop.self)
    },
    Mistake(
      "no JSON", "The body could not be decoded: The given data was not valid JSON…."
    ) { stage in
      await stage.failure(decoding: "<html>", as: Shop.self)
    },
    Mistake("no body", "The response has no body, but one was needed.") { stage in
      await stage.failure(decoding: "", as: Shop.self)
    },
    Mistake("no UTF-8", "The body is not text in ….") { stage in
      stage.origin.script("/x", .response(body: [0xFF, 0xFE, 0xFD]))
      let request = stage.session().request(stage.filled("http://ORIGIN/x"))
      return await request.serializingString(encoding: .utf8).response.error
    },
  ]

  static let requesting: [Mistake] = [
    Mistake("a body in a GET", "A GET request must have no body, and this one has 3 bytes.") { stage in
      await stage.failure(
        of: stage.session().request(stage.filled("http://ORIGIN/x")) { $0.httpBody = Data("abc".utf8) })
    },
    Mistake(
      "a line break in a field",
      """
      GET http://ORIGIN/x was not sent: the field "X-Note" must not be sent: control byte in a field value (RFC 9110 \
      §5.5).
      """
    ) { stage in
      await stage.failure(
        of: stage.session().request(stage.filled("http://ORIGIN/x"), headers: ["X-Note": "canary\r\nB: c"]))
    },
    Mistake(
      "a space in a field's name",
      "GET http://ORIGIN/x was not sent: the field \"X Note\" must not be sent: malformed field name (RFC 9112 §5.1)."
    ) { stage in
      await stage.failure(
        of: stage.session().request(stage.filled("http://ORIGIN/x"), headers: ["X Note": "b"]))
    },
    Mistake(
      "a method that is none",
      "http://ORIGIN/x was not sent: it cannot be written in HTTP/1.1: malformed method (RFC 9112 §3)."
    ) { stage in
      await stage.failure(
        of: stage.session().request(
          stage.filled("http://ORIGIN/x"), method: HTTPMethod(rawValue: "GET /\r\n")))
    },
    Mistake(
      "infinity in JSON", "The parameters cannot be JSON: at price: Unable to encode Double.inf …."
    ) { stage in
      await stage.failure(
        of: stage.session().request(
          stage.filled("http://ORIGIN/x"), method: .post, parameters: ["price": Double.infinity],
          encoder: .json))
    },
    Mistake(
      "nothing cached",
      "GET http://ORIGIN/x was not sent: nothing is cached for it, and its cache policy forbids loading it."
    ) { stage in
      await stage.failure(
        of: stage.session().request(stage.filled("http://ORIGIN/x")) {
          $0.cachePolicy = .returnCacheDataDontLoad
        })
    },
  ]

  static let files: [Mistake] = [
    Mistake("no file to upload", "POST http://ORIGIN/x was not sent: the file FOLDER/absent cannot be read….")
    {
      stage in
      await stage.failure(
        of: stage.session().upload(
          URL(fileURLWithPath: stage.folder + "/absent"), to: stage.filled("http://ORIGIN/x")))
    },
    Mistake(
      "no file for a form", "The file at FOLDER/absent.txt cannot be reached: No such file or directory."
    ) { stage in
      let form = MultipartFormData()
      form.append(URL(fileURLWithPath: stage.folder + "/absent.txt"), withName: "f")
      do {
        _ = try form.encode()
        return nil
      } catch {
        return error
      }
    },
    Mistake(
      "no folder for a download",
      """
      The download could not be moved to FOLDER/absent/file: No such file or directory; the option createIntermediateDirectories \
      makes its folder.
      """
    ) { stage in
      let destination = URL(fileURLWithPath: stage.folder + "/absent/file")
      return await stage.session()
        .download(stage.filled("http://ORIGIN/get"), to: { _, _ in (destination, []) })
        .serializingDownloadedFileURL().response.error
    },
  ]

  static let sessions: [Mistake] = [
    Mistake("cancelled", "The request was cancelled by its owner.") { stage in
      let request = stage.session().request(stage.filled("http://ORIGIN/get"))
      request.cancel()
      return await stage.failure(of: request)
    },
    Mistake(
      "a task cancelled below", "GET http://ORIGIN/x was cancelled."
    ) { stage in
      stage.origin.script("/x", .silence)
      let request = stage.session().request(stage.filled("http://ORIGIN/x"))
      request.onURLSessionTaskCreation { $0.cancel() }
      return await stage.failure(of: request)
    },
    Mistake(
      "a session released",
      "The session was released while the request was under way; keep a reference to it."
    ) { stage in
      stage.origin.script("/x", .silence)
      var session: Session? = Session(configuration: .ephemeral)
      let request = session?.request(stage.filled("http://ORIGIN/x"))
      let task = request?.serializingData()
      session = nil
      return await task?.response.error
    },
    Mistake("a session invalidated", "The session was invalidated.") { _ in
      AFError.sessionInvalidated(error: nil)
    },
    Mistake("an adapter that throws", "An adapter refused the request: Mishap(number: 1).") { stage in
      let session = stage.session(interceptor: Adapter { _, _, completion in completion(.failure(Mishap())) })
      return await stage.failure(of: session.request(stage.filled("http://ORIGIN/get")))
    },
    Mistake(
      "a retrier that gives up",
      "Retrying failed: Mishap(number: 1). What was to be retried: The response's status 503 (service unavailable) "
        + "is not acceptable."
    ) { stage in
      let session = stage.session(
        interceptor: Retrier { _, _, _, completion in completion(.doNotRetryWithError(Mishap())) })
      return await stage.failure(of: session.request(stage.filled("http://ORIGIN/status/503")).validate())
    },
    Mistake("a validation that throws", "The validation failed: Mishap(number: 2).") { stage in
      let request = stage.session().request(stage.filled("http://ORIGIN/get"))
      return await stage.failure(of: request.validate { _, _, _ in .failure(Mishap(number: 2)) })
    },
  ]
}
