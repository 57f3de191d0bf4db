// SPDX-License-Identifier: MIT
import BluebonnetFoundation

/// A store for a cache's responses: the disk, or one of your own, such as one that a fleet shares.
///
/// A store knows nothing of freshness, validation or partitions: the cache decides that, and asks the store to find, keep,
/// update and remove. In front of any store stands the cache's memory, which answers without asking the store.
///
/// What a store owes the cache:
/// - **Whole or not at all.** A response can be found when ``StoredResponseWriter/commit()`` has returned, and no byte of one that
///   was not committed is ever found. Head and body that are found together belong together.
/// - **Nothing damaged.** A damaged response is not found, or reading it throws.
/// - **Removed is removed.** When a removal has returned, nothing is found that was committed before it. Readers that were
///   handed out earlier may go on.
/// - **It may forget.** A store may drop any response at any time.
///
/// What it may cost: the methods are called from tasks, never in the event loop's context, and a load waits for ``responses(for:)`` and
/// for the pieces of a body. A load waiting for another one (`URLSessionConfiguration.collapsesRequests`) waits for
/// ``StoredResponseWriter/commit()`` or ``update(_:)``, too, and nothing else does for the rest. Commits, updates and removals of one
/// cache, and all of the writing of bodies of up to 256 KiB, come one after the other, so one that does not return keeps the later ones back, and
/// with them the callers of methods of `URLCache` that change it: a store calls none of these itself. Everything else may be
/// called from several tasks at a time. Of the responses that loads bring, 256 wait at most, with 8 MiB, and 8 larger bodies are written at
/// a time: the others are not stored. An error is a miss where something is looked up; an error of a write means that the response is
/// not kept. The load goes on in both cases.
public protocol ResponseStore: Sendable {
  /// Finds all variants that are kept under a key, in any order.
  ///
  /// The cache picks one by its head, and reads the bodies of the others not at all.
  func responses(for key: StoredResponse.Key) async throws -> [any StoredResponseReader]

  /// Begins to keep a response. Once committed, it takes the place of the one with the same key and
  /// ``StoredResponse/variant``.
  ///
  /// - Throws: If the response cannot be kept, for want of room for one. Not keeping it is no fault.
  func write(_ response: StoredResponse) async throws -> any StoredResponseWriter

  /// Gives a kept response another head, as a 304 asks for (RFC 9111 §4.3.4). Its body stays.
  ///
  /// - Returns: Whether there was one. There is none if the response with that key and variant has another
  ///   ``StoredResponse/id`` by now: then another one has taken its place, and stays as it is.
  func update(_ response: StoredResponse) async throws -> Bool

  /// Removes all variants that are kept under a key.
  func remove(_ key: StoredResponse.Key) async throws

  /// Removes all responses.
  func removeAll() async throws

  /// Removes the responses with a ``StoredResponse/responseTime`` later than a date. By default, removes all.
  func removeAll(since date: Date) async throws
}

extension ResponseStore {
  /// Removes all: what came in before the date is lost, too, which a cache can bear.
  public func removeAll(since date: Date) async throws { try await removeAll() }
}

/// A kept response: its head, and its body in pieces.
///
/// Where it was found it can be read to its end, whatever is written or removed meanwhile. It is given up by letting go of it.
public protocol StoredResponseReader: Sendable {
  /// The head. Its ``StoredResponse/bodyLength`` is known.
  var response: StoredResponse { get }

  /// Reads a piece of the body.
  ///
  /// - Parameter offset: The place where it begins, counted from the stored body's beginning; from 0 to the body's length.
  /// - Returns: At least one byte, and as many as suits the store; nothing at the body's end only.
  /// - Throws: If the bytes are not there as they were written. The load fails then, if it has delivered some of the body already.
  func read(at offset: Int64) async throws -> Data
}

/// Takes the body of a response that is being kept.
///
/// The calls come one after the other. A writer that is let go of without a commit is given up, as by ``abandon()``.
public protocol StoredResponseWriter: Sendable {
  /// Takes the next bytes of the body.
  ///
  /// - Throws: If they cannot be kept. The cache gives the writer up then.
  func append(_ piece: Data) async throws

  /// The body is complete: makes the response one that can be found.
  ///
  /// - Throws: If it could not be kept after all, also if the body is not as long as the head says. Nothing is found of it then.
  func commit() async throws

  /// Removes the bytes written. An earlier response stays.
  func abandon() async
}
