import RemodelKit
import SQLSyntax

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
  ///   - status: The exit code; that of such errors if none is given.
  ///   - showsValues: Whether values of rows are told.
  init(_ error: any Error, status: ExitStatus? = nil, showsValues: Bool = false) {
    self.status = status ?? ExitStatus(error)
    let known = (error as? any DiagnosticError)?.diagnostics ?? []
    let all = known.isEmpty ? [Diagnostic("\(error)")] : known
    // A URL may have come where none belongs, in a path or an argument.
    diagnostics = all.map { (showsValues ? $0.whole : $0).completed.withoutPasswords }
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
  var blocks: [Block] { diagnostics.flatMap(\.blocks) }
}

extension Diagnostic {
  /// The diagnostic with its severity set off.
  var blocks: [Block] {
    let label = "\(severity.rawValue.uppercased()):"
    var lines = completed.description.lines
    guard location == nil else { return lines.map { .line($0) } }
    let message = String(lines.removeFirst().dropFirst(label.count))
    return [.line(label, severity == .error ? .error : .warning, rest: message)]
      + lines.map { .line($0) }
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
    guard text.hasScalars("@") else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scheme = rest.firstRange(of: "://".unicodeScalars) {
      result += Substring(rest[..<scheme.upperBound])
      rest = rest[scheme.upperBound...]
      let authority = rest.prefix { !$0.properties.isWhitespace && $0 != "\"" && $0 != "'" }
      // Where it has no password, no later part of it has one.
      if let at = authority.lastIndex(of: "@"), let colon = authority[..<at].firstIndex(of: ":") {
        result += "\(Substring(rest[...colon]))***\(Substring(authority[at...]))"
      } else {
        result += Substring(authority)
      }
      rest = rest[authority.endIndex...]
    }
    return result + Substring(rest)
  }
}
