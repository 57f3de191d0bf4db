// The transport's earlier names, until its files speak of the others.
extension LoadingPhase {
  package static var lookup: Self { .resolving }
  package static var connect: Self { .connecting }
  package static var handshake: Self { .securing }
  package static var judgement: Self { .evaluatingTrust }
  package static var firstByte: Self { .waiting }
}
