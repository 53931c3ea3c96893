internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

extension CatalogColumn {
  /// The type of an attribute for the column; `nil` if there is none.
  var attributeType: AttributeType? {
    let type = AttributeType.sql(type).canonical
    // The type must project to the same type of column.
    guard let columnType = type.columnType else { return nil }
    if case .sql(let name) = type { return SQLTypeName(name) == nil ? nil : .sql(self.type) }
    if case .array = type, columnType.text != self.type { return .sql(self.type) }
    return type
  }

  /// The default as a constant of the attribute's type, if the server's text is exactly that of the
  /// constant.
  func constant(of type: AttributeType) -> AttributeValue? {
    guard let text = defaultExpression else { return nil }
    let value: AttributeValue? =
      switch type.kind {
      case .integer: Self.integer(text).map { .integer($0) }
      case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
      case .text:
        DeparsedExpression.constants(in: text[...], castTo: "::text")
          .flatMap { $0.count == 1 ? .string($0[0]) : nil }
      case .decimal, .floating, .instant, .uuid, .bytes, .objectID, .constant, .array, .none: nil
      }
    return value.flatMap { $0.isConstant(of: type) ? $0 : nil }
  }

  private static func integer(_ text: String) -> Int64? {
    if let value = Int64(text), value >= 0 { return value }
    let cast = "'::integer"
    guard text.hasPrefix("'-"), text.hasSuffix(cast) else { return nil }
    return Int64(text.dropFirst().dropLast(cast.count))
  }

  /// The source of the values of keys, if the column has one.
  func generation(of type: KeyDescription.KeyType) -> KeyDescription.Generation? {
    let generation: KeyDescription.Generation =
      switch (identity, isSerial, defaultExpression) {
      case ("a", _, _): .identityAlways
      case (_?, _, _): .identity
      case (nil, true, _): .serial
      case (nil, false, let text?): .sql(text)
      case (nil, false, nil): .application
      }
    return KeyDescription(type).effectiveGeneration == generation ? nil : generation
  }

  /// The kind of sequence that numbers the rows, if one does.
  var numbering: AttributeDescription.Numbering? {
    switch (identity, isSerial) {
    case ("a", _): .identityAlways
    case (_?, _): .identity
    case (nil, true): .serial
    case (nil, false): nil
    }
  }
}
