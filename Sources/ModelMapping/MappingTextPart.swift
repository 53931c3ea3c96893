/// Something that stands inside the text of a part of a mapping model.
package enum MappingTextPart: Hashable, Sendable {
  /// A value in an expression or a condition.
  case expression(Expression)
  /// A placeholder in SQL.
  case placeholder(SQLTemplate.Placeholder)
  /// A name in SQL, as it is spelled there.
  case name(String)

  /// Returns the position of the first occurrence of the part in a text, in bytes counted from 1,
  /// or `nil` if there is none.
  package func column(in text: String) -> Int? {
    switch self {
    case .expression(let expression): ExpressionParser.columns(of: text)[expression]
    case .placeholder(let placeholder):
      text.firstRange(of: "${\(placeholder)}").map {
        text.utf8.distance(from: text.startIndex, to: $0.lowerBound) + 1
      }
    case .name(let spelling):
      text.firstRange(of: spelling).map {
        text.utf8.distance(from: text.startIndex, to: $0.lowerBound) + 1
      }
    }
  }
}
