// SPDX-License-Identifier: MIT

/// The session for programs that need only one: `AF.request("https://…")`.
public let AF = Session.default
