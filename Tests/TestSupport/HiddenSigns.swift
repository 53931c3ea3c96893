/// Texts with a sign that those overlook who read characters: a mark makes one character of itself and
/// the sign before it, and a carriage return makes one of itself and the line feed.
package enum HiddenSigns {
  /// What becomes one character with the sign before it.
  package static let marks: [Unicode.Scalar] = ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{20E3}"]

  /// Returns texts with each sign before each mark.
  package static func texts(_ signs: String...) -> [String] {
    let marked = signs.flatMap { sign in
      marks.flatMap { mark in
        ["\(sign)\(mark)", "a\(sign)\(mark)b", "\(sign)\(sign)\(mark)\(sign)", "\(mark)\(sign)"]
      }
    }
    return marked + ["\r\n", "a\r\nb", "\n\r\n"]
  }
}
