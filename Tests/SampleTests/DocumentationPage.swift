import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A page of the documentation, whose code blocks from top to bottom are a session.
struct DocumentationPage: CustomTestStringConvertible, Sendable {
  /// The page's path in the repository.
  let path: String
  let lines: [String]

  var testDescription: String { path }

  static let catalogue = "Sources/RemodelKit/Documentation.docc"

  /// Returns the page of a path.
  static func named(_ path: String) throws -> DocumentationPage {
    let lines = try Repository.text(path).split(separator: "\n", omittingEmptySubsequences: false)
    return DocumentationPage(path: path, lines: lines.map(String.init))
  }

  /// Returns the readme and all pages of the catalogue.
  static func all() throws -> [DocumentationPage] {
    let pages = try FileManager.default.contentsOfDirectory(atPath: Repository.path(catalogue))
      .filter { $0.hasSuffix(".md") }.sorted().map { "\(catalogue)/\($0)" }
    return try (["README.md"] + pages).map(named)
  }

  /// A code block.
  struct Block {
    let language: String
    /// The index of the line after the first fence.
    let start: Int
    let lines: [String]
    /// The file that the block shows: the line before it ends in the file's path and a colon.
    let file: String?

    /// The lines as a text.
    var text: String { lines.joined(separator: "\n") + "\n" }
  }

  /// The code blocks in order; preparatory ones are in comments, which are not shown.
  var blocks: [Block] {
    var blocks: [Block] = []
    var open: (language: String, start: Int)?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let block = open {
        blocks.append(
          Block(
            language: block.language,
            start: block.start,
            lines: Array(lines[block.start..<index]),
            file: file(before: block.start - 1)
          )
        )
        open = nil
      } else {
        open = (String(line.dropFirst(3)), index + 1)
      }
    }
    return blocks
  }

  private func file(before fence: Int) -> String? {
    guard let line = lines[..<fence].last(where: { !$0.isEmpty }) else { return nil }
    return line.firstMatch(of: /`([^`\/][^`]*\.(?:ya?ml|sql))`:$/).map { String($0.output.1) }
  }
}
