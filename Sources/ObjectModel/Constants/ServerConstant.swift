extension AttributeType {
  /// Returns whether the server reads a text as a constant of one of its own types.
  ///
  /// What is accepted is read alike by every server and at any time, so that `today` is no date.
  /// Constants of types that only the server knows are accepted whatever they are.
  func hasConstant(_ text: String) -> Bool {
    switch self {
    case .json: JSONScanner.isDocument(text)
    case .calendarDate: ClockScanner.isDate(text)
    case .time: ClockScanner.isTime(text)
    case .interval: IntervalScanner.isInterval(text)
    case .inet: NetworkScanner.isAddress(text)
    case .array(let element): ArrayScanner.isArray(text, of: element)
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .uri,
      .boolean, .date, .binary, .uuid, .transformable, .objectID, .composite, .numeric, .varchar,
      .enumeration, .sql:
      true
    }
  }

  /// Returns whether a text inside an array is a constant of the elements' type.
  func hasElement(_ text: String) -> Bool {
    switch self {
    case .integer16: Int16(text) != nil
    case .integer32: Int32(text) != nil
    case .integer64, .objectID: Int64(text) != nil
    case .decimal, .numeric, .double, .float, .boolean, .uuid, .varchar:
      AttributeValue(text, of: self) != nil
    case .json, .calendarDate, .time, .interval, .inet: hasConstant(text)
    case .undefined, .string, .uri, .date, .binary, .transformable, .composite, .array,
      .enumeration, .sql:
      true
    }
  }
}
