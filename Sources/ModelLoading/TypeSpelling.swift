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
    if let other = sqlNames[text.lowercased()] { return "Did you mean \"\(other)\"?" }
    return "The types are \(AttributeType.spellings.joined(separator: ", "))."
  }

  /// Returns the type that Xcode shows under a name, letter case aside.
  private static func xcodeType(_ text: String) -> AttributeType? {
    let word = text.lowercased()
    return XcodeModelReader.attributeTypes.first { $0.word.lowercased() == word }?.value
  }

  private static let sqlNames = [
    "int": "integer32", "integer": "integer32", "smallint": "integer16", "bigint": "integer64",
    "int2": "integer16", "int4": "integer32", "int8": "integer64", "text": "string",
    "real": "float", "bool": "boolean", "timestamptz": "timestamp", "datetime": "timestamp",
    "bytea": "binary", "blob": "binary", "data": "binary", "jsonb": "json", "url": "uri",
  ]
}
