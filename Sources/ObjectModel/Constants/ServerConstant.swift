extension AttributeType {
  /// Returns whether a text inside an array is a constant of the elements' type.
  func hasElement(_ text: String) -> Bool {
    switch kind {
    case .integer: Int64(text).map { AttributeValue.integer($0).isConstant(of: self) } ?? false
    case .objectID: Int64(text) != nil
    case .boolean, .decimal, .floating, .uuid, .text(.upTo): AttributeValue(text, of: self) != nil
    case .constant: traits.reads(text)
    case .text(.all), .text(.listed), .instant, .bytes, .array, .none: true
    }
  }
}
