import ArgumentParser

/// Two versions to compare.
struct VersionPair: ParsableArguments {
  @Argument(help: "The version before.")
  var source: String?

  @Argument(help: "The version after. (default: the current one)")
  var target: String?

  @Option(name: .long, help: ArgumentHelp("The version before.", valueName: "version"))
  var from: String?

  @Option(name: .long, help: ArgumentHelp("The version after.", valueName: "version"))
  var to: String?

  /// Returns the versions that are meant.
  func versions() throws(UsageError) -> (source: String, target: String?) {
    if source != nil, from != nil { throw UsageError(.conflict("--from", "a version before")) }
    if target != nil, to != nil { throw UsageError(.conflict("--to", "a version after")) }
    guard let source = source ?? from else {
      throw UsageError(.missing("the version before", hint: "Name it: --from VERSION."))
    }
    return (source, target ?? to)
  }
}
