import Diagnostics
import ObjectModel

/// Words about types that are not spelled as ours.
enum TypeSpelling {
  static func message(about text: String) -> String {
    "unrecognized attribute type \"\(text)\""
  }

  static func hint(for text: String) -> String? {
    if let type = xcodeType(text) { return "Write \"\(type)\"." }
    let names = AttributeType.spellings.filter { AttributeType($0) != nil }
    if let ours = suggestion(for: text, among: names) { return "Did you mean \"\(ours)\"?" }
    for form in AttributeType.spellings where text.hasPrefix(form.prefix { $0 != "(" } + "(") {
      return "Write it as \(form)."
    }
    let word = text.lowercased()
    if let other = otherNames[word] { return "Did you mean \"\(other)\"?" }
    let type = AttributeType.sql(word).canonical.description
    if !type.contains("sql(") { return "Did you mean \"\(type)\"?" }
    return "The types are \(AttributeType.spellings.joined(separator: ", "))."
  }

  /// Returns the type that Xcode shows under a name, letter case aside.
  private static func xcodeType(_ text: String) -> AttributeType? {
    let word = text.lowercased()
    return AttributeType.xcodeTypes.first { $0.word.lowercased() == word }?.value
  }

  private static let otherNames = [
    "datetime": "timestamp", "blob": "binary", "data": "binary", "url": "uri",
  ]
}
