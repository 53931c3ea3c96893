package import ObjectModel

/// The keys `base` and `baseLayout` in the text of a file, which keeps its comments and its form.
package enum YAMLBases {
  /// Returns the text of a version that is a copy of another one and made from it.
  ///
  /// - Parameters:
  ///   - text: The text of the other version.
  ///   - bases: The versions that the copy is made from, which replace those of the text.
  /// - Returns: The text; `nil` if it has no line of its own for each key of the model.
  package static func text(_ text: String, madeFrom bases: [VersionBase]) -> String? {
    guard let before = loaded(text) else { return nil }
    // By code points: a carriage return and a line feed are one character.
    let all = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    var lines = kept(all.map { Substring($0) })
    let format = lines.firstIndex { $0.hasPrefix("remodel:") }
    guard let format else { return nil }
    let added = YAMLModelWriter.text(of: bases).split(separator: "\n")
    lines.insert(contentsOf: added, at: format + 1)
    let result = lines.joined(separator: "\n")
    guard let after = loaded(result), after.model == before.model, after.bases == bases else {
      return nil
    }
    return result
  }

  /// Returns the lines without those of the two keys, which may go on in lines below.
  private static func kept(_ lines: [Substring]) -> [Substring] {
    var isOfBases = false
    return lines.filter { line in
      let goesOn = line.hasPrefix(" ") || line.hasPrefix("-")
      isOfBases =
        line.hasPrefix("base:") || line.hasPrefix("baseLayout:") || isOfBases && goesOn
      return !isOfBases
    }
  }

  private static func loaded(_ text: String) -> LoadedModel? {
    try? ModelLoader.load(yaml: Array(text.utf8), path: "version")
  }
}
