public import SQLSyntax

/// SQL in a test, in which interpolated values become quoted constants.
///
/// ```swift
/// try await database.execute("INSERT INTO author (name) VALUES (\(name)), ('Jane Austen')")
/// ```
public struct TestStatement: Sendable {
  let fragment: SQLFragment

  /// Creates a statement, or several, of text that was written as SQL: the content of a file.
  public init(sql text: String) {
    fragment = SQLFragment(written: text)
  }
}

extension TestStatement: ExpressibleByStringInterpolation {
  /// Creates a statement of SQL in the test itself.
  public init(stringLiteral text: StaticString) {
    fragment = SQLFragment(stringLiteral: text)
  }

  /// Creates a statement of SQL in the test itself with values in it.
  public init(stringInterpolation: Interpolation) {
    fragment = stringInterpolation.fragment
  }

  /// The values that can be interpolated into a statement.
  public struct Interpolation: StringInterpolationProtocol {
    var fragment = SQLFragment()

    /// Creates an empty statement.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends SQL in the test itself.
    public mutating func appendLiteral(_ text: StaticString) {
      fragment.append(SQLFragment(stringLiteral: text))
    }

    /// Appends a value; `nil` is NULL.
    public mutating func appendInterpolation(_ value: (some TestValue)?) {
      let literal = value?.literal ?? .null
      fragment.append("\(literal)")
    }
  }
}

/// A value that a statement in a test may have interpolated.
///
/// Of other types than these, text that PostgreSQL reads will do: `\(id.uuidString)`.
public protocol TestValue {
  /// The value as a constant.
  var literal: SQLLiteral { get }
}

extension String: TestValue {
  /// The text as a constant, which PostgreSQL reads as the type that its place asks for.
  public var literal: SQLLiteral { .text(self) }
}

extension Bool: TestValue {
  /// The value as a constant.
  public var literal: SQLLiteral { .boolean(self) }
}

extension Int: TestValue {
  /// The value as a constant.
  public var literal: SQLLiteral { .integer(Int64(self)) }
}

extension Double: TestValue {
  /// The value as a constant.
  public var literal: SQLLiteral { .typed("\(self)", "numeric") }
}
