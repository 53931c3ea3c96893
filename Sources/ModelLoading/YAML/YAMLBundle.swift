import Diagnostics

/// A `.remodel` folder: a YAML file for each version, and a file `versions` if their order is not
/// that of their names, or the last one is not the current one, which is marked by a star then.
enum YAMLBundle {
  static func list(_ path: String) throws(ModelLoadingError) -> BundleListing {
    var versions = try BundleListing.versions(in: path, where: isVersion)
    var marked: ModelVersion?
    var warnings: [Diagnostic] = []
    let orderPath = orderPath(in: path)
    if ModelFile.kind(of: orderPath) != nil {
      let source = try SourceText(path: orderPath, validating: ModelLoader.bytes(of: orderPath))
      (versions, marked, warnings) = try ordered(versions, by: source)
    }
    guard let last = versions.last else {
      throw ModelLoadingError(
        Diagnostic(
          "model \"\(path)\" has no versions",
          detail: "A version is a file whose name ends in .yaml."
        )
      )
    }
    return BundleListing(
      versions: versions,
      currentVersion: marked ?? last,
      warnings: warnings
    )
  }

  /// Returns where a bundle has its file `versions`.
  static func orderPath(in path: String) -> String {
    FilePath.join(path, "versions")
  }

  /// Returns the text of the file `versions`, which reads back as the same order.
  static func order(
    of versions: [String],
    current: String
  ) throws(ModelConversionError) -> String {
    let text = versions.map { ($0 == current && $0 != versions.last ? "* " : "") + $0 + "\n" }
      .joined()
    guard reads(text, as: versions, current: current) else {
      let names = versions.filter { $0.hasPrefix("*") || !reads($0, as: [$0], current: $0) }
      throw ModelConversionError(.unlistable(versions: names.isEmpty ? versions : names))
    }
    return text
  }

  /// Returns the text of a file `versions` with another version at its end, which is current.
  static func order(adding name: String, to text: String) -> String {
    // By code points: a carriage return and a line feed are one character.
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.first == "*" ? String($0.dropFirst()).trimmingSpaces : String($0) }
    if lines.last == "" { lines.removeLast() }
    return (lines + [name, ""]).joined(separator: "\n")
  }

  /// Returns whether the text of a file `versions` says a certain order.
  static func reads(_ text: String, as versions: [String], current: String) -> Bool {
    let files = versions.map { ModelVersion(name: $0, path: $0) }
    let source = SourceText(path: "versions", bytes: Array(text.utf8))
    guard let order = try? ordered(files, by: source) else { return false }
    return order.versions == files && (order.current ?? order.versions.last)?.name == current
  }

  /// Returns whether a file is a version: mapping models stand beside them as `*.mapping.yaml`.
  private static func isVersion(_ name: String) -> Bool {
    let (stem, suffix) = FilePath.split(name)
    guard suffix == "yaml" || suffix == "yml", !stem.hasPrefix(".") else { return false }
    return FilePath.split(stem).suffix != "mapping"
  }

  private static func ordered(
    _ versions: [ModelVersion],
    by source: SourceText
  ) throws(ModelLoadingError) -> (
    versions: [ModelVersion], current: ModelVersion?, warnings: [Diagnostic]
  ) {
    var current: ModelVersion?
    var rest = Dictionary(versions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var ordered: [ModelVersion] = []
    var diagnostics: [Diagnostic] = []
    var missing: [(diagnostic: Int, position: Int)] = []
    var offset = 0
    for line in source.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      let location = source.location(of: offset)
      offset += line.count + 1
      let text = String(decoding: line.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
      var name = text.trimmingSpaces
      let isMarked = name.hasPrefix("*") && rest[name] == nil
      if isMarked { name = String(name.dropFirst()).trimmingSpaces }
      guard !name.isEmpty else { continue }
      let isStarred = name.hasPrefix("*")
      if let version = rest.removeValue(forKey: name) {
        ordered.append(version)
        guard isMarked else { continue }
        if let current {
          let message =
            "versions \"\(current.name)\" and \"\(name)\" are both marked as the current one"
          diagnostics.append(Diagnostic(message, hint: "Leave one star.", location: location))
        }
        current = version
      } else if ordered.contains(where: { $0.name == name }) {
        diagnostics.append(
          Diagnostic(
            "version \"\(name)\" is listed twice",
            hint: "Remove one of the lines.",
            location: location
          )
        )
      } else {
        if !isStarred { missing.append((diagnostics.count, ordered.count)) }
        diagnostics.append(
          Diagnostic(
            "version \"\(name)\" is listed but has no file",
            hint: suggestion(for: name, among: versions.map(\.name)).map {
              "Did you mean \"\($0)\"?"
            },
            location: location
          )
        )
      }
    }
    // Files of old versions may go: databases keep the models that they have been at.
    for (index, position) in missing where position < ordered.count {
      diagnostics[index].severity = .warning
    }
    for version in versions where rest[version.name] != nil {
      diagnostics.append(
        Diagnostic(
          "version \"\(version.name)\" is not listed",
          hint: "Add a line \"\(version.name)\" where it belongs.",
          location: SourceLocation(path: source.path)
        )
      )
    }
    guard !diagnostics.contains(where: { $0.severity == .error }) else {
      throw ModelLoadingError(.invalid, diagnostics)
    }
    return (ordered, current, diagnostics)
  }
}

extension String {
  /// The text without spaces, tabs and carriage returns at its ends.
  var trimmingSpaces: String {
    func isSpace(_ character: Character) -> Bool {
      character == " " || character == "\t" || character == "\r" || character == "\n"
    }
    var text = self[...]
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text.drop(while: isSpace))
  }
}
