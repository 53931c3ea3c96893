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
    copy.message = message.withoutPasswords
    copy.wholeMessage = nil
    copy.detail = detail?.withoutPasswords
    copy.hint = hint?.withoutPasswords
    copy.context = context?.withoutPasswords
    copy.location?.path = location?.path.withoutPasswords ?? ""
    return copy
  }
}
