/// A piece of SQL made of segments: syntax that the program wrote, identifiers and constants.
///
/// A fragment is written as a string literal; each interpolated identifier, constant or fragment is
/// quoted. Interpolating a plain `String` does not compile:
///
/// ```swift
/// let fragment: SQLFragment = "ALTER TABLE \(table) ADD COLUMN \(column) \(type)"
/// ```
public struct SQLFragment: Hashable, Sendable {
  enum Segment: Hashable, Sendable {
    case syntax(String)
    case identifier(SQLIdentifier)
    case literal(SQLLiteral)
  }

  var segments: [Segment]

  /// Creates an empty fragment.
  public init() {
    segments = []
  }

  /// The fragment as the text that the server gets.
  public var text: String {
    var text = ""
    for segment in segments {
      switch segment {
      case .syntax(let syntax): text += syntax
      case .identifier(let identifier): text += identifier.quoted
      case .literal(let literal): text += literal.quoted
      }
    }
    return text
  }

  /// A Boolean value that indicates whether there is nothing in the fragment.
  public var isEmpty: Bool { segments.isEmpty }

  /// A Boolean value that indicates whether it is nothing but a text in quotes.
  package var isText: Bool {
    if segments.count == 1, case .literal(.text) = segments[0] { true } else { false }
  }

  /// The identifiers in the fragment, each once, in the order of the text.
  package var identifiers: [SQLIdentifier] {
    var seen: Set<SQLIdentifier> = []
    return segments.compactMap { segment in
      guard case .identifier(let identifier) = segment, seen.insert(identifier).inserted else {
        return nil
      }
      return identifier
    }
  }

  /// Returns the names that the fragment qualifies with a schema.
  package func relations(in schema: SQLIdentifier) -> Set<SQLIdentifier> {
    var names: Set<SQLIdentifier> = []
    for (index, segment) in segments.enumerated().dropLast(2) where segment == .identifier(schema) {
      guard case .syntax(".") = segments[index + 1],
        case .identifier(let name) = segments[index + 2]
      else { continue }
      names.insert(name)
    }
    return names
  }

  /// Returns what stands between the first segment of a frame and its other ones; `nil` if the fragment is not
  /// in that frame.
  package func part(in frame: SQLFragment) -> SQLFragment? {
    guard segments.count >= frame.segments.count, segments.first == frame.segments.first,
      Array(segments.suffix(frame.segments.count - 1)) == Array(frame.segments.dropFirst())
    else { return nil }
    var part = SQLFragment()
    part.segments = Array(segments.dropFirst().dropLast(frame.segments.count - 1))
    return part
  }

  /// Appends another fragment.
  public mutating func append(_ other: SQLFragment) {
    segments += other.segments
  }
}

extension SQLFragment: CustomStringConvertible {
  /// The text that is sent to the server.
  public var description: String { text }
}

extension SQLFragment: ExpressibleByStringInterpolation {
  /// Creates a fragment of SQL in our own source.
  public init(stringLiteral value: StaticString) {
    segments = [.syntax(value.description)]
  }

  /// Creates a fragment of SQL in our own source with values in it.
  public init(stringInterpolation: Interpolation) {
    segments = stringInterpolation.segments
  }

  /// The values that can be interpolated into a fragment.
  public struct Interpolation: StringInterpolationProtocol {
    var segments: [Segment] = []

    /// Creates an empty fragment with room for its segments.
    public init(literalCapacity: Int, interpolationCount: Int) {
      segments.reserveCapacity(interpolationCount * 2 + 1)
    }

    /// Appends SQL in our own source.
    public mutating func appendLiteral(_ literal: StaticString) {
      if literal.utf8CodeUnitCount > 0 { segments.append(.syntax(literal.description)) }
    }

    /// Appends an identifier, quoted.
    public mutating func appendInterpolation(_ identifier: SQLIdentifier) {
      segments.append(.identifier(identifier))
    }

    /// Appends a name with its schema, both quoted.
    public mutating func appendInterpolation(_ name: QualifiedName) {
      segments += [.identifier(name.schema), .syntax("."), .identifier(name.name)]
    }

    /// Appends a literal, quoted.
    public mutating func appendInterpolation(_ literal: SQLLiteral) {
      segments.append(.literal(literal))
    }

    /// Appends a number.
    public mutating func appendInterpolation(_ number: some BinaryInteger) {
      segments.append(.literal(.integer(Int64(number))))
    }

    /// Appends text as a constant; none is NULL.
    public mutating func appendInterpolation(text: String?) {
      segments.append(.literal(text.map(SQLLiteral.text) ?? .null))
    }

    /// Appends the name of a type.
    public mutating func appendInterpolation(_ type: SQLTypeName) {
      segments.append(.syntax(type.text))
    }

    /// Appends another fragment.
    public mutating func appendInterpolation(_ fragment: SQLFragment) {
      segments += fragment.segments
    }

    /// Interpolates a list of identifiers with commas between them.
    public mutating func appendInterpolation(_ identifiers: [SQLIdentifier]) {
      appendInterpolation(identifiers.map { "\($0)" as SQLFragment }.joined(separator: ", "))
    }
  }
}

extension Sequence<SQLFragment> {
  /// Returns the fragments one after the other with a separator between them.
  package func joined(separator: SQLFragment) -> SQLFragment {
    var result = SQLFragment()
    for (index, fragment) in enumerated() {
      if index > 0 { result.append(separator) }
      result.append(fragment)
    }
    return result
  }
}

extension SQLFragment {
  /// Returns the fragment with other identifiers in place of some, constants and syntax untouched.
  package func renamingIdentifiers(_ names: [SQLIdentifier: SQLIdentifier]) -> SQLFragment {
    var renamed = self
    for (index, segment) in segments.enumerated() {
      guard case .identifier(let identifier) = segment, let name = names[identifier] else {
        continue
      }
      renamed.segments[index] = .identifier(name)
    }
    return renamed
  }
}

extension SQLFragment {
  /// The search path of sessions and functions that must not resolve names in the schemas of users:
  /// without `pg_temp` at its end, temporary tables would hide those of `pg_catalog`.
  package static var catalogPath: SQLFragment { "pg_catalog, pg_temp" }
}

extension SQLFragment {
  /// Creates a fragment of text that the server deparsed and quoted: the definition of a view, an
  /// expression, the name of a type.
  ///
  /// Use it for nothing else; text that people write is an identifier, a literal or, if they
  /// declare it as SQL, ``init(written:)``.
  ///
  /// - Parameter text: The result of a function such as `pg_get_viewdef`.
  package init(deparsed text: String) {
    segments = [.syntax(text)]
  }
  /// Creates a fragment of SQL that people wrote, such as the policy of a mapping or an expression,
  /// which runs with all rights of the session.
  ///
  /// - Parameter text: The SQL.
  package init(written text: String) {
    segments = [.syntax(text)]
  }
}

extension SQLFragment {
  /// Returns the fragment as a dollar-quoted string, with a tag that does not occur in it.
  package var dollarQuoted: SQLFragment {
    let body = text
    var tag = "remodel"
    while body.hasScalars("$\(tag)$") { tag += "_" }
    var quoted = SQLFragment()
    quoted.segments = [.syntax("$\(tag)$")] + segments + [.syntax("$\(tag)$")]
    return quoted
  }
}
