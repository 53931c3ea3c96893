internal import ModelMapping
internal import SQLSyntax

/// Texts without differences that comparisons ignore.
enum TextFolding {
  /// The marks of decomposed letters.
  private static let marks =
    "[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]"

  /// Letters without marks, small, and of one form.
  static func canonical(_ text: SQLFragment) -> SQLFragment {
    "lower(\(withoutMarks("normalize(\(text), NFKD)")))"
  }

  static func folded(_ text: SQLFragment, _ options: Predicate.Options) -> SQLFragment {
    switch (options.ignoresCase, options.ignoresDiacritics) {
    case (true, true): canonical(text)
    case (true, false): "lower(\(text))"
    case (false, true): withoutMarks("normalize(\(text), NFD)")
    case (false, false): text
    }
  }

  private static func withoutMarks(_ text: SQLFragment) -> SQLFragment {
    "regexp_replace(\(text), \(SQLLiteral.text(marks)), '', 'g')"
  }
}
