internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// The row that a mapping creates, whose attributes other properties of it can read.
struct DestinationRow {
  /// The mapping.
  let mapping: EntityMapping
  /// The attributes of the row.
  let attributes: [AttributeDescription]
  /// Returns the value that a policy sets in code; none if it does not set the attribute.
  let madeValue: (PropertyPath) -> SQLFragment?

  static let variable = "destination"

  func propertyMapping(of name: String) -> PropertyMapping? {
    mapping.attributeMappings.first { $0.name == name }
  }
}

/// `$destination.attribute`: the value that the mapping gives an attribute of the new row.
///
/// Core Data evaluates the values one by one, so an expression can read what is set already. Here the
/// order does not matter, as long as no value reads itself.
extension RowExpression {
  /// Returns the value at a key path from the new row, or nothing if the variable means another row.
  mutating func value(ofDestination path: KeyPathExpression) throws(ExpressionFault) -> TypedValue?
  {
    guard path.base == .variable(DestinationRow.variable), bindings[DestinationRow.variable] == nil,
      let destination
    else { return nil }
    guard path.names.count == 1, path.aggregate == nil, let name = path.names.first else {
      throw .unsupported(
        "\"\(path)\" leads away from the new row",
        hint: "Read an attribute of the new row, or follow the relationships of $source."
      )
    }
    guard let attribute = destination.attributes.first(where: { $0.name == name }),
      !attribute.isTransient, !attribute.isComputed, let type = attribute.type.columnType
    else {
      throw .unsupported(
        "\"\(path)\" is no attribute of the new row that is set",
        hint: "Read an attribute that is stored and not derived."
      )
    }
    guard !beingSet.contains(name) else { throw .circular(beingSet + [name]) }
    beingSet.append(name)
    defer { beingSet.removeLast() }
    let wasVolatile = isVolatile
    isVolatile = false
    let sql = try set(attribute, type, of: destination)
    guard !isVolatile else {
      throw .unsupported(
        "\"\(path)\" has another value each time it is computed",
        hint: "Read what does not depend on uuid() or random()."
      )
    }
    isVolatile = wasVolatile
    return TypedValue("(\(sql))", ValueType(attribute.type), type)
  }

  /// Returns the value that the mapping gives an attribute.
  private mutating func set(
    _ attribute: AttributeDescription,
    _ type: SQLTypeName,
    of destination: DestinationRow
  ) throws(ExpressionFault) -> SQLFragment {
    if let made = destination.madeValue(PropertyPath(attribute.name)) { return made }
    let mapping = destination.propertyMapping(of: attribute.name)
    let fallback = mapping?.fallback.map { "\($0.literal(of: type))" as SQLFragment }
    switch mapping?.valueExpression {
    case .expression(let expression): return try assignment(expression, to: attribute)
    case .sourceAttribute(let name):
      let read = try value(
        .keyPath(KeyPathExpression([name], base: .variable(Self.sourceVariable)))
      )
      let value: SQLFragment
      if let own = read.columnType {
        value = ChangeColumnType.conversion(of: read.sql, from: own, to: type)
      } else {
        value = "\(read.sql)::\(type)"
      }
      return mapping?.fallback.map { "coalesce(\(value), \($0.assigned(to: type)))" } ?? value
    case .destinationInstances, nil:
      guard attribute.defaultExpression == nil, attribute.numbering == nil else {
        throw .unsupported(
          "\"$destination.\(attribute.name)\" has a default that the server computes",
          hint: "Give the attribute a value in the mapping."
        )
      }
      return fallback ?? "NULL::\(type)"
    }
  }
}
