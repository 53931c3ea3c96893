package import Diagnostics
package import ModelMapping

/// The locations of a mapping model's parts in its file.
package struct MappingLocations: Sendable {
  private let path: String
  private let lines: LineTable
  private let offsets: [MappingElement: Int]
  private let texts: [MappingElement: ScalarOffsets]

  init(
    of source: SourceText,
    offsets: [MappingElement: Int],
    texts: [MappingElement: ScalarOffsets] = [:]
  ) {
    path = source.path
    lines = source.lines
    self.offsets = offsets
    self.texts = texts
  }

  /// Returns the location of a part, or of the part that contains it if its own is unknown.
  package func location(of element: MappingElement) -> SourceLocation {
    var candidate: MappingElement? = element
    while let current = candidate {
      if let offset = offsets[current] { return lines.location(of: offset, in: path) }
      candidate = current.enclosing
    }
    return SourceLocation(path: path)
  }

  /// Returns the location of a piece of a part's expression or SQL.
  ///
  /// - Parameters:
  ///   - textPart: The piece of the text; `nil` for all of it.
  ///   - element: The part whose text it is.
  /// - Returns: The location in the file; that of the part if the file spells the text differently.
  package func location(
    of textPart: MappingTextPart?,
    in element: MappingElement
  ) -> SourceLocation {
    guard let textPart, let places = texts[element],
      let column = textPart.column(in: places.text),
      let offset = places.offset(ofByte: column - 1)
    else {
      return location(of: element)
    }
    return lines.location(of: offset, in: path)
  }
}
