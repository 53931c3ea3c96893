package import Diagnostics
package import ObjectModel

/// The locations of a model's parts in its file.
package struct ModelLocations: Sendable {
  private let path: String
  private let lines: LineTable
  private let offsets: [ModelElement: Int]

  init(of source: SourceText, offsets: [ModelElement: Int]) {
    path = source.path
    lines = source.lines
    self.offsets = offsets
  }

  /// Creates the locations of a model that no file holds.
  init(at path: String) {
    self.init(of: SourceText(path: path, bytes: []), offsets: [:])
  }

  /// Returns the location of a part, or of the part that contains it if its own is unknown.
  package func location(of element: ModelElement) -> SourceLocation {
    var candidate: ModelElement? = element
    while let current = candidate {
      if let offset = offsets[current] { return lines.location(of: offset, in: path) }
      candidate = current.enclosing
    }
    return SourceLocation(path: path)
  }
}
