/// What `bonnet` does without arguments.
enum Tour {
  static func take() async -> ExitStatus { .success }
}
