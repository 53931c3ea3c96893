extension [String] {
  /// Returns the value that an option has in a call that may be faulty.
  func value(of option: String) -> String? {
    let options = prefix { $0 != "--" }
    for (argument, next) in zip(options, Array(options.dropFirst()) + [""]) {
      if argument == option { return next }
      if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
    }
    return nil
  }
}
