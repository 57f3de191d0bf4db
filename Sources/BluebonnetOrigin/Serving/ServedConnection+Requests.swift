// SPDX-License-Identifier: MIT
import BluebonnetEventLoop
import BluebonnetHTTP1
import BluebonnetLibc

extension ServedConnection {
  /// Takes the next event out of the input. False if it takes more input.
  func parse() -> Bool {
    do throws(HTTP1Error) {
      var consumed = input.consumed
      let event = try parser.next(in: input.bytes.span, consumed: &consumed)
      input.consumed = consumed
      switch event {
      case .needsMore: return false
      case .head: receivedHead()
      case .body(let range): receivedBody(input.bytes[range])
      case .end: receivedEnd()
      }
    } catch {
      exchange = nil
      answer(.refusal(400, "\(error)").adding("Connection", "close"), Reply.ReplyContext())
    }
    return true
  }

  /// A reply is through. If it came before the end of its request, the rest of that is still to be read.
  func replyIsSent() {
    guard exchange?.isAnswered != true else { return }
    exchange = nil
    parser.reset()
  }

  private func receivedHead() {
    requestCount += 1
    let head = parser.head
    let record = RecordedRequest(
      method: head.method, target: head.target, minorVersion: head.minorVersion,
      fields: head.fields.map { RecordedRequest.Field(name: $0.name, value: $0.value) },
      connection: number, ordinal: requestCount, isResumed: isResumed, clientName: clientName,
      arrival: MonotonicTime.now().nanoseconds)
    let script = server.log.takeScript(for: record)
    let isCounted = script == nil && record.path == "/upload" && server.isCatalogue(for: record)
    exchange = Exchange(
      record: record, number: server.log.record(record), keepsBody: !isCounted, script: script)
    if let script, script.moment == .head {
      exchange?.isAnswered = true
      perform(script.steps)
    } else if parser.expects100Continue {
      write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...])
    }
  }

  private func receivedBody(_ bytes: ArraySlice<UInt8>) {
    exchange?.record.bodyLength += bytes.count
    guard exchange?.keepsBody == true else { return }
    exchange?.record.body += bytes
    guard server.responder == nil, let exchange, exchange.record.body.count > Exchange.bodyLimit,
      !exchange.isAnswered
    else { return }
    server.log.amend(exchange.number, with: exchange.record)
    self.exchange = nil
    let refusal = Reply.refusal(413, "at most \(Exchange.bodyLimit) bytes; /upload takes more")
    answer(refusal.adding("Connection", "close"), Reply.ReplyContext())
  }

  private func receivedEnd() {
    guard var exchange else { return }
    exchange.record.isComplete = true
    // Another source of answers keeps its own log.
    if server.responder == nil { server.log.amend(exchange.number, with: exchange.record) }
    if exchange.isAnswered {
      self.exchange = nil
      parser.reset()
    } else if let responder = server.responder {
      waitForAnswer { responder(exchange.record, self.base, $0) }
    } else if let script = exchange.script {
      perform(script.steps)
    } else if let handler = server.log.handler(for: exchange.record) {
      let script = handler(exchange.record)
      if script.isEndpoint { answerFromCatalogue(exchange.record) } else { perform(script.steps) }
    } else {
      answerFromCatalogue(exchange.record)
    }
  }

  func answerFromCatalogue(_ record: RecordedRequest) {
    let context = Reply.ReplyContext(
      isHead: record.method == "HEAD", minorVersion: record.minorVersion,
      keepsConnection: parser.keepsConnection)
    guard let body = RequestBody.decoded(record) else {
      return answer(.refusal(415, "the body is not in its content coding"), context)
    }
    let request = IncomingRequest(record, body: body, base: base, origin: peer)
    if let opened = ServedWebSocket.Opening(request) {
      switch opened {
      case .refused(let reply): answer(reply, context)
      case .accepted(let head, let socket):
        write(head[...])
        speak(as: socket)
        socket.begin { [weak self] delay, action in
          _ = self?.timer(.milliseconds(delay)) { connection in
            action()
            connection.pump()
          }
        }
      }
      return
    }
    answer(server.catalogue.reply(to: request, now: time(nil)), context)
  }

  private func answer(_ reply: Reply, _ context: Reply.ReplyContext) {
    do throws(HTTP1Error) {
      perform(try reply.steps(context))
    } catch {
      // Fields out of the query, in `/response-headers`, may be none.
      let refusal = Reply.refusal(400, "\(error)")
      perform((try? refusal.steps(context)) ?? [.close])
    }
  }
}
