/// The width of a text in a picture, in any font.
///
/// Pictures use monospaced fonts, the widest of which have letters of 0.62 em.
enum DiagramText {
  /// The widths of a unit in tenths, at the sizes that rows and names have.
  static let rowUnit = 75
  static let nameUnit = 81

  /// Returns how many letters wide a text is at most.
  static func units(_ text: String) -> Int {
    text.unicodeScalars.reduce(0) { $0 + units($1) }
  }

  static func width(_ text: String, unit: Int) -> Int { (units(text) * unit + 9) / 10 }

  /// Returns as much of a text as a number of units holds.
  static func cut(_ text: String, to limit: Int) -> String {
    guard units(text) > limit else { return text }
    var result = ""
    var room = limit - 1
    for character in text {
      room -= units(String(character))
      if room < 0 { break }
      result.append(character)
    }
    return result + "…"
  }

  /// East Asian letters and emoji are two units wide; hidden characters are shown as numbers.
  private static func units(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0x10FF: 1
    case 0x0...0x1F, 0x7F...0x9F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: 8
    case 0x2010...0x22FF: 1
    default: 2
    }
  }
}
