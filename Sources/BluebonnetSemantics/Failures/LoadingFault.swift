// SPDX-License-Identifier: MIT

/// The party at fault for a failed load: the one that could mend it.
///
/// Without certainty it is the likelier one: a server that falls silent may have been cut off.
public enum LoadingFault: String, Sendable, Hashable, CaseIterable {
  /// The program: its request cannot be loaded, its own code refused or failed, or it cancelled.
  case caller
  /// The server: it does not listen, breaks a rule of its protocol, is not trusted, falls silent, or leads nowhere.
  case server
  /// The proxy on the way: it does not listen, breaks a rule of its protocol, is not trusted, or does not let the request
  /// through.
  case proxy
  /// The way to the server: names cannot be looked up, nothing leads there, or the connection broke.
  case network
  /// This machine, or this package: descriptors, connections or the disk are used up, or something is not supported or failed
  /// that must not.
  case local
}
