import RemodelKit

/// An error in all forms.
struct ErrorReport {
  /// The exit code.
  let status: ExitStatus
  /// Every complaint; never empty.
  let diagnostics: [Diagnostic]

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - status: The exit code.
  ///   - showsValues: Whether to show values of rows.
  init(_ error: any Error, status: ExitStatus, showsValues: Bool = false) {
    self.status = status
    let known = (error as? any DiagnosticError)?.diagnostics ?? []
    let all = known.isEmpty ? [Diagnostic("\(error)")] : known
    // A URL may have come where none belongs, in a path or an argument.
    diagnostics = all.map { (showsValues ? $0.whole : $0).withoutPasswords }
  }

  /// The error as a JSON document: the first complaint that is an error, and all when there are
  /// several.
  var document: JSONObject {
    keys.merging(["formatVersion": 1])
  }

  /// The keys of that document, without its format.
  var keys: JSONObject {
    let first = diagnostics.first { $0.severity == .error } ?? diagnostics[0]
    var keys = first.json
    keys["severity"] = nil
    keys["code"] = Int(status.rawValue)
    keys["complaints"] = diagnostics
    return keys
  }

  /// The error for people.
  func text(_ style: TextStyle) -> String {
    diagnostics.map { $0.text(style) }.joined(separator: "\n")
  }
}

extension Diagnostic {
  /// The diagnostic with its severity set off.
  func text(_ style: TextStyle) -> String {
    let text = description
    guard style.isColoured, location == nil else { return text }
    let label = "\(severity.rawValue.uppercased()):"
    guard text.hasPrefix(label) else { return text }
    let coloured =
      switch severity {
      case .error: style.red(label)
      case .warning: style.yellow(label)
      }
    return coloured + text.dropFirst(label.count)
  }
}

extension Diagnostic {
  /// The diagnostic with the values of rows that its message had.
  fileprivate var whole: Diagnostic {
    var copy = self
    copy.message = wholeMessage ?? message
    return copy
  }

  /// The diagnostic with the passwords of URLs blotted out.
  var withoutPasswords: Diagnostic {
    var copy = self
    copy.message = Self.blotting(message)
    copy.wholeMessage = nil
    copy.detail = detail.map(Self.blotting)
    copy.hint = hint.map(Self.blotting)
    copy.context = context.map(Self.blotting)
    copy.location?.path = Self.blotting(location?.path ?? "")
    return copy
  }

  static func blotting(_ text: String) -> String {
    guard text.contains("://"), text.contains("@") else { return text }
    var result = ""
    var rest = text[...]
    while let scheme = rest.firstRange(of: "://") {
      result += rest[..<scheme.upperBound]
      rest = rest[scheme.upperBound...]
      let authority = rest.prefix { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
      guard let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":")
      else { continue }
      result += rest[...colon] + "***"
      rest = rest[at...]
    }
    return result + rest
  }
}
