internal import SQLSyntax

/// A piece of HTML or SVG that escapes by construction, in the syntax that XML has as well.
///
/// Markup is written as a string literal; interpolated text is escaped, and interpolated markup is
/// not:
///
/// ```swift
/// let heading: Markup = "<h2 title=\"\(entity.name)\">\(entity.name)</h2>"
/// ```
///
/// Attributes are in double quotes.
package struct Markup: Hashable, Sendable {
  /// The markup as it is written into a file.
  package private(set) var text: String

  /// Creates nothing.
  package init() {
    text = ""
  }

  /// A Boolean value that indicates whether there is nothing in it.
  package var isEmpty: Bool { text.isEmpty }

  /// Appends other markup.
  package static func += (markup: inout Markup, other: Markup) {
    markup.text += other.text
  }

  /// Returns one piece of markup after the other.
  package static func + (first: Markup, second: Markup) -> Markup {
    var sum = first
    sum += second
    return sum
  }
}

extension Markup: ExpressibleByStringInterpolation {
  /// Creates markup of our own source.
  package init(stringLiteral value: StaticString) {
    text = value.description
  }

  /// Creates markup of our own source with values in it.
  package init(stringInterpolation: Interpolation) {
    text = stringInterpolation.text
  }

  /// The values that can be interpolated into markup.
  package struct Interpolation: StringInterpolationProtocol {
    var text = ""

    /// Creates empty markup.
    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    /// Appends markup of our own source.
    package mutating func appendLiteral(_ literal: StaticString) {
      text += literal.description
    }

    /// Appends a text, escaped.
    package mutating func appendInterpolation(_ text: String) {
      self.text += Markup.escaped(text)
    }

    /// Appends a number.
    package mutating func appendInterpolation(_ number: Int) {
      text += String(number)
    }

    /// Appends other markup as it is.
    package mutating func appendInterpolation(_ markup: Markup) {
      text += markup.text
    }

    /// Appends pieces of markup, one after the other.
    package mutating func appendInterpolation(_ pieces: [Markup]) {
      for piece in pieces { text += piece.text }
    }
  }
}

extension Sequence<Markup> {
  /// Returns the pieces one after the other with a separator between them.
  package func joined(separator: Markup = "") -> Markup {
    var result = Markup()
    for (index, piece) in enumerated() {
      if index > 0 { result += separator }
      result += piece
    }
    return result
  }
}

extension Markup {
  /// Escapes a text for use between tags and in quotes.
  ///
  /// Characters that XML forbids, and those that change the direction of the following text, so
  /// that readers would mistake it, become the numbers of their code points.
  private static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default:
        // Scalars are no closed set of ours.
        if isHidden(scalar) {
          result += scalar.shown
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\t", "\n": false
    case "\u{FFFE}", "\u{FFFF}": true
    case _: scalar.isHiding
    }
  }
}
