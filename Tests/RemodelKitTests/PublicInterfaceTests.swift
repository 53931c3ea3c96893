import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What users of the products can name, so that a change of it shows as a change of a file.
@Suite
struct PublicInterfaceTests {
  @Test
  func `the public interface is the recorded one`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources")
    var declarations: [String: [String]] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    where path.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: path), encoding: .utf8)
      let target = path.prefix { $0 != "/" }
      declarations[String(target), default: []] += Self.publicDeclarations(in: text)
    }

    let text = declarations.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
      .map { target, lines in "# \(target)\n\(lines.sorted().joined(separator: "\n"))\n" }
      .joined(separator: "\n")

    expectGolden(text, named: "public-interface.txt")
  }

  /// Returns the first lines of all public declarations, each after the type that it stands in.
  private static func publicDeclarations(in text: String) -> [String] {
    var types: [(indentation: Int, name: Substring)] = []
    var declarations: [String] = []
    for line in text.split(separator: "\n") where line.contains(" ") {
      let code = line.drop { $0 == " " }
      let indentation = line.count - code.count
      guard !code.hasPrefix("//"), !code.hasPrefix("}") else { continue }
      types.removeAll { $0.indentation >= indentation }
      let words = code.split(separator: " ")
      let isPublic = words.contains("public") && !words.contains("import")
      if isPublic {
        let path = types.map(\.name).joined(separator: ".")
        let declaration = code.prefix { $0 != "{" }.drop { $0 == " " }
        declarations.append(path.isEmpty ? "\(declaration)" : "\(path): \(declaration)")
      }
      let kinds: Set<Substring> = ["struct", "enum", "class", "actor", "protocol", "extension"]
      if code.hasSuffix("{"), let kind = words.firstIndex(where: kinds.contains),
        words.indices.contains(kind + 1), !words[..<kind].contains("case")
      {
        types.append((indentation, words[kind + 1].prefix { $0 != ":" && $0 != "<" }))
      }
    }
    return declarations
  }
}
