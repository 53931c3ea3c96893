import RemodelKit

/// How a text for people is written.
enum TextStyle: Sendable {
  case coloured
  case plain
  /// Nothing is escaped, for what escapes by itself.
  case verbatim

  /// Returns a part of a line as it leaves: nothing in it begins another line, or hides, moves or turns
  /// text.
  func text(_ text: String, _ emphasis: Block.Emphasis = .none) -> String {
    guard self != .verbatim else { return text }
    let shown = text.shown.replacing("\n", with: Unicode.Scalar("\n").shown)
    let code: String
    switch emphasis {
    case .none: return shown
    case .strong: code = "1"
    case .weak: code = "2"
    case .error: code = "1;31"
    case .warning: code = "1;33"
    }
    return self == .coloured ? "\u{1B}[\(code)m\(shown)\u{1B}[0m" : shown
  }
}

extension [Block] {
  /// Returns the text, without a line break at its end.
  func text(_ style: TextStyle) -> String { lines(style).joined(separator: "\n") }

  /// Returns the lines of the text.
  func lines(_ style: TextStyle, indentation: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indentation)
    var widths: [Int] = []
    return enumerated().flatMap { index, block -> [String] in
      switch block {
      case .line(let text, let emphasis, let rest):
        widths = []
        return [margin + style.text(text, emphasis) + style.text(rest)]
      case .text(let text, let emphasis):
        widths = []
        return text.lines.map { margin + style.text($0, emphasis) }
      case .cells(let cells, let emphasis):
        if widths.isEmpty { widths = self[index...].columnWidths }
        return [style.text(margin + Self.line(of: cells, widths), emphasis)]
      case .nested(let width, let blocks):
        return blocks.lines(style, indentation: indentation + width)
      }
    }
  }

  private static func line(of cells: [String], _ widths: [Int]) -> String {
    var line = ""
    for (cell, width) in zip(cells.inLines, widths) {
      line += cell + String(repeating: " ", count: width - cell.count + 2)
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension ArraySlice<Block> {
  /// How wide each column of the table is that begins here.
  fileprivate var columnWidths: [Int] {
    var widths: [Int] = []
    for block in self {
      switch block {
      case .line, .text: return widths
      case .nested: break
      case .cells(let cells, _):
        for (index, cell) in cells.inLines.enumerated() {
          if index == widths.count { widths.append(0) }
          widths[index] = Swift.max(widths[index], cell.count)
        }
      }
    }
    return widths
  }
}

extension [String] {
  /// The cells of a table, each in one line.
  fileprivate var inLines: [String] {
    map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
  }
}
