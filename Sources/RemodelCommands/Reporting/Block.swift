/// A part of a report for people, before a form of output sets it off.
indirect enum Block: Hashable, Sendable {
  /// How a text is set off.
  enum Emphasis: Hashable, Sendable {
    case none, strong, weak, warning, error
  }

  /// A line that begins with emphasis; a line break in it is part of a name.
  case line(String, Emphasis = .none, rest: String = "")
  /// A text whose line breaks are layout, such as SQL.
  case text(String, Emphasis = .none)
  /// The cells of a table's row; rows are aligned with one another, whatever is indented between them.
  case cells([String], Emphasis = .none)
  case nested(Int, [Block])

  static func title(_ text: String, _ rest: String = "") -> Block {
    .line(text, .strong, rest: rest)
  }

  static func row(_ cells: String...) -> Block { .cells(cells) }

  static func header(_ cells: String...) -> Block { .cells(cells, .strong) }

  static func sql(_ text: String) -> Block { .text(text, .weak) }

  static func indented(_ width: Int = 2, @BlockBuilder _ blocks: () -> [Block]) -> Block {
    .nested(width, blocks())
  }
}

/// Puts the parts of a report one below the other; a string is a line.
@resultBuilder
enum BlockBuilder {
  static func buildExpression(_ line: String) -> [Block] { [.line(line)] }
  static func buildExpression(_ lines: [String]) -> [Block] { lines.map { .line($0) } }
  static func buildExpression(_ block: Block) -> [Block] { [block] }
  static func buildExpression(_ blocks: [Block]) -> [Block] { blocks }
  static func buildBlock(_ parts: [Block]...) -> [Block] { parts.flatMap(\.self) }
  static func buildArray(_ parts: [[Block]]) -> [Block] { parts.flatMap(\.self) }
  static func buildOptional(_ part: [Block]?) -> [Block] { part ?? [] }
  static func buildEither(first part: [Block]) -> [Block] { part }
  static func buildEither(second part: [Block]) -> [Block] { part }
}
