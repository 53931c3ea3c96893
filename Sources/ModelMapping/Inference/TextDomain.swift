internal import ObjectModel

/// Which texts a type of texts can hold.
enum TextDomain: Hashable {
  case all
  /// Those of at most so many characters.
  case upTo(Int)
  /// These alone.
  case listed(Set<String>)

  func holds(_ other: TextDomain) -> Bool {
    switch (self, other) {
    case (.all, _): true
    case (.upTo(let length), .upTo(let otherLength)): otherLength <= length
    case (.upTo(let length), .listed(let values)):
      values.allSatisfy { $0.unicodeScalars.count <= length }
    case (.listed(let values), .listed(let otherValues)): otherValues.isSubset(of: values)
    case (.upTo, .all), (.listed, .all), (.listed, .upTo): false
    }
  }
}

extension AttributeType {
  /// The texts that the type holds, if it is one of texts.
  var textDomain: TextDomain? {
    switch self {
    case .string, .uri: .all
    case .varchar(let length): .upTo(length)
    case .enumeration(let values): .listed(Set(values))
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date,
      .binary, .uuid, .transformable, .objectID, .composite, .json, .calendarDate, .time, .interval,
      .inet, .numeric, .array, .sql:
      nil
    }
  }
}
