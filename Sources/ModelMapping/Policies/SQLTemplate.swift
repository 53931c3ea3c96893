/// SQL of a mapping file, with placeholders for the relations and columns that it names.
public struct SQLTemplate: Hashable, Sendable {
  /// The text between the placeholders, and the placeholders, in their order.
  public var segments: [Segment]

  /// A piece of the text.
  public enum Segment: Hashable, Sendable {
    case text(String)
    case placeholder(Placeholder)
  }

  /// The text with a name in place of each placeholder.
  package var textWithoutPlaceholders: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .placeholder: "x"
      }
    }.joined()
  }

  /// The kinds of placeholders.
  public enum Placeholder: Hashable, Sendable {
    /// `${source.Book}`: the table of an entity of the source.
    case sourceEntity(String)
    /// `${source.Book.authorName}`: the column of a property of the source.
    case sourceProperty(entity: String, String)
    /// `${destination.Author}`: the table of an entity of the destination.
    case destinationEntity(String)
    /// `${destination.Author.name}`: the column of a property of the destination.
    case destinationProperty(entity: String, String)
    /// `${map.BookToPage}`: the table of the keys that rows of an entity mapping had and have.
    case map(String)
    /// `${chunk}`: the condition that a row of the source is among those that are worked on.
    case chunk
  }

  /// A text whose placeholders cannot be read.
  public struct Fault: Error, Hashable, Sendable {
    /// The placeholder as the text spells it.
    public let placeholder: String
    /// The place, in bytes of the text, counted from 1.
    public let column: Int
  }

  /// Creates a template from its text.
  ///
  /// - Parameter text: SQL with placeholders.
  /// - Throws: The first placeholder that stands for nothing.
  public init(parsing text: String) throws(Fault) {
    segments = []
    var rest = text.unicodeScalars[...]
    while let start = rest.firstRange(of: "${".unicodeScalars) {
      if start.lowerBound > rest.startIndex {
        segments.append(.text(String(rest[..<start.lowerBound])))
      }
      let column = text.utf8.distance(from: text.startIndex, to: start.lowerBound) + 1
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        throw Fault(placeholder: String(rest[start.lowerBound...].prefix(40)), column: column)
      }
      let name = Substring(rest[start.upperBound..<end])
      guard let placeholder = Placeholder(name) else {
        throw Fault(placeholder: String(rest[start.lowerBound...end]), column: column)
      }
      segments.append(.placeholder(placeholder))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { segments.append(.text(String(rest))) }
  }

  /// The placeholders, in their order.
  package var placeholders: [Placeholder] {
    segments.compactMap { segment in
      guard case .placeholder(let placeholder) = segment else { return nil }
      return placeholder
    }
  }
}

extension SQLTemplate {
  /// The variables of expressions in the SQL, each once: `$source` has no meaning there.
  ///
  /// It ignores strings, quoted names, dollar quotes and line comments.
  var variables: [String] {
    var found: [String] = []
    var quote: Unicode.Scalar?
    for case .text(let text) in segments {
      var rest = text.unicodeScalars[...]
      while let scalar = rest.first {
        if let current = quote {
          if scalar == current { quote = nil }
        } else if scalar == "'" || scalar == "\"" {
          quote = scalar
        } else if rest.starts(with: "--".unicodeScalars) {
          rest = rest.drop { $0 != "\n" && $0 != "\r" }
          continue
        } else if scalar == "$" {
          let word = rest.dropFirst().prefix {
            !$0.isASCII || $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
          }
          let name = Substring(word)
          rest = rest[name.endIndex...]
          if Self.variableNames.contains(String(name)), rest.first != "$" {
            if !found.contains("$\(name)") { found.append("$\(name)") }
          }
          continue
        }
        rest = rest.dropFirst()
      }
    }
    return found
  }

  private static let variableNames: Set<String> = [
    "source", "destination", "manager", "entityMapping", "propertyMapping", "entityPolicy", "each",
  ]
}

extension SQLTemplate.Placeholder {
  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    switch (parts.first, parts.count) {
    case ("chunk", 1): self = .chunk
    case ("source", 2): self = .sourceEntity(parts[1])
    case ("source", 3): self = .sourceProperty(entity: parts[1], parts[2])
    case ("map", 2): self = .map(parts[1])
    case ("destination", 2): self = .destinationEntity(parts[1])
    case ("destination", 3): self = .destinationProperty(entity: parts[1], parts[2])
    default: return nil  // Texts are no closed set.
    }
  }
}

extension SQLTemplate: CustomStringConvertible {
  /// The text as written in a mapping file.
  public var description: String {
    segments.map { segment in
      switch segment {
      case .text(let text): text
      case .placeholder(let placeholder): "${\(placeholder)}"
      }
    }.joined()
  }
}

extension SQLTemplate.Placeholder: CustomStringConvertible {
  /// The text between the braces.
  public var description: String {
    switch self {
    case .sourceEntity(let entity): "source.\(entity)"
    case .sourceProperty(let entity, let property): "source.\(entity).\(property)"
    case .destinationEntity(let entity): "destination.\(entity)"
    case .destinationProperty(let entity, let property): "destination.\(entity).\(property)"
    case .map(let mapping): "map.\(mapping)"
    case .chunk: "chunk"
    }
  }
}
