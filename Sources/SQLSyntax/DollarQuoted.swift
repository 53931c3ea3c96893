extension SQLFragment {
  /// Returns the fragment as a dollar-quoted string, with a tag that does not occur in it.
  public var dollarQuoted: SQLFragment {
    let body = text
    var tag = "remodel"
    while body.contains("$\(tag)$") { tag += "_" }
    var quoted = SQLFragment()
    quoted.segments = [.syntax("$\(tag)$")] + segments + [.syntax("$\(tag)$")]
    return quoted
  }
}
