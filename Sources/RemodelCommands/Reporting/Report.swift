import RemodelKit

/// A result in all forms.
protocol Report: Sendable {
  /// The keys of its JSON, `formatVersion` aside.
  var json: JSONObject { get throws }

  /// The text of its JSON.
  var jsonText: String { get throws }

  /// Returns the result for people, line by line: a line break in one of them is part of a name.
  func lines(_ style: TextStyle) -> [String]
}

extension Report {
  var jsonText: String {
    get throws { try json.merging(["formatVersion": 1]).jsonValue.text }
  }

  /// Returns the result as it leaves for people.
  func text(_ style: TextStyle) -> String {
    lines(style).map { style.shownInLine($0) }.joined(separator: "\n")
  }
}

/// The styles of a text for people.
struct TextStyle: Hashable, Sendable {
  /// A Boolean value that indicates whether there are colours.
  var isColoured: Bool

  static let plain = TextStyle(isColoured: false)

  func bold(_ text: String) -> String { wrapped(text, "1") }
  func dim(_ text: String) -> String { wrapped(text, "2") }
  func red(_ text: String) -> String { wrapped(text, "1;31") }
  func yellow(_ text: String) -> String { wrapped(text, "1;33") }

  /// Returns a line for people: nothing in it begins another line, and nothing hides, moves or
  /// reorders text except the colors added here.
  func shownInLine(_ line: String) -> String {
    shown(line).replacing("\n", with: Unicode.Scalar("\n").shown)
  }

  /// Returns a text for people: nothing in it hides, moves or reorders text except the colors added
  /// here.
  func shown(_ text: String) -> String {
    guard isColoured else { return text.shown }
    let codes = ["[1m", "[2m", "[1;31m", "[1;33m", "[0m"]
    let parts = text.split(separator: "\u{1B}", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      guard index > 0 else { return String(part).shown }
      let isOurs = codes.contains { part.hasPrefix($0) }
      return (isOurs ? "\u{1B}" : Unicode.Scalar(0x1B).shown) + String(part).shown
    }.joined()
  }

  private func wrapped(_ text: String, _ code: String) -> String {
    isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}

/// Lines of columns, each as wide as its widest cell.
struct TextTable {
  private var rows: [[String]] = []

  mutating func add(_ cells: String...) {
    rows.append(cells.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") })
  }

  func lines(indentation: Int = 0) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (index, cell) in row.enumerated() {
        if index == widths.count { widths.append(0) }
        widths[index] = max(widths[index], cell.count)
      }
    }
    return rows.map { row in
      var line = String(repeating: " ", count: indentation)
      for (index, cell) in row.enumerated() {
        line += cell
        if index < row.count - 1 {
          line += String(repeating: " ", count: widths[index] - cell.count + 2)
        }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

extension String {
  /// The lines of a text that is ours, in which line breaks are layout.
  var lines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Returns a number with its noun, in the plural where it has to be.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// Returns a number of bytes in a unit that fits it.
func byteCount(_ bytes: Int) -> String {
  var value = Double(bytes)
  var unit = "B"
  for next in ["kB", "MB", "GB", "TB"] where value >= 1_000 {
    value /= 1_024
    unit = next
  }
  let rounded = (value * 10).rounded() / 10
  let digits = unit == "B" || rounded >= 100 ? String(Int(rounded)) : String(rounded)
  return "\(digits) \(unit)"
}

/// Returns the name of a version in a text: `version "2"`, or `an empty schema`.
func versionName(_ name: String?) -> String {
  name.map { "version \"\($0)\"" } ?? "an empty schema"
}
