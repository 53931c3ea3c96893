internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// Values that are compared with one another, or as those of another type.
extension PreconditionQueries {
  /// Returns the values of a column as those of another kind of type; null for those that are none.
  func converted(
    _ column: SQLIdentifier,
    of table: SQLIdentifier,
    to type: AttributeType
  ) -> SQLFragment {
    guard
      let before = source.leaf(in: ColumnReference(table: table, column: column))?.1.description
        .type,
      let (type, newType) = before.columnType.flatMap({ old in type.columnType.map { (old, $0) } }),
      newType.family == .text && type.family == .integer
        || newType.family == .integer
          && [.text, .boolean].contains(type.family)
    else { return "\(column)" }
    let value = ChangeColumnType.conversion(of: column, from: type, to: newType)
    guard type.family == .text,
      let misfit = ExactnessCondition.misfit(of: column, before, into: .integer64)
    else { return value }
    return "CASE WHEN \(misfit) THEN NULL ELSE \(column)::numeric END"
  }

  func duplicates(
    _ values: [DataPrecondition.UniqueValue],
    _ rows: Rows
  ) -> SQLFragment? {
    var keys: [SQLFragment] = []
    var isPresent: [SQLFragment] = []
    for value in values {
      var places: [(value: SQLFragment, names: [String], type: SQLTypeName?)] = []
      for place in value.sources {
        guard let key = key(place) else { continue }
        places.append((key.value, place.memberNames, key.type))
        if value.sources.count == 1 {
          isPresent += key.nullable.map { "\($0) IS NOT NULL" as SQLFragment }
        }
      }
      if places.count == 1 {
        // A constant is the same for all.
        if value.sources[0].property != nil { keys.append(places[0].value) }
      } else if !places.isEmpty {
        let families = Set(places.compactMap(\.type?.family))
        let cases = places.map { place -> SQLFragment in
          let names = source.list(place.names)
          return
            "WHEN \(StorageNames.discriminator) IN (\(names)) THEN \(Self.common(place.value, place.type, among: families))"
        }
        let key: SQLFragment = "CASE \(cases.joined(separator: " ")) END"
        keys.append(key)
        isPresent.append("\(key) IS NOT NULL")
      }
    }
    return rows.duplicates(of: keys, where: isPresent)
  }

  /// Returns the compared columns of a value, and those that may be null: several of a composite.
  private func key(
    _ place: DataPrecondition.UniqueValue.Source
  ) -> (value: SQLFragment, nullable: [SQLIdentifier], type: SQLTypeName?)? {
    guard let property = place.property else {
      return place.fill.map { ("\($0.literal(of: $0.comparableType))", [], $0.comparableType) }
    }
    guard
      let entity = place.memberNames.first.flatMap({ source.model.entity(named: $0) })
    else { return nil }
    let columns = source.columns(ofProperty: property, seenFrom: entity)
    guard let column = columns.first else { return nil }
    let type = type(of: property, entity)
    guard let fill = place.fill, let type else {
      return (columns.count == 1 ? "\(column)" : "(\(columns))", columns, type)
    }
    switch (type.family, fill) {
    // The values become those of another kind, in which they are as distinct as they were.
    case (.integer, .string(let text)), (.integer, .text(let text)):
      return ("coalesce(\(column)::text, \(SQLLiteral.text(text)))", [], "text")
    case (.text, .integer(let number)):
      return ("coalesce(\(column)::text, \(SQLLiteral.text(String(number))))", [], "text")
    case (.integer, .boolean(let value)):
      return ("coalesce(\(column), \(SQLLiteral.integer(value ? 1 : 0)))", [], type)
    default: break  // Pairs of types, not one of our enumerations.
    }
    let common = Self.comparable(type)
    let constant = Self.constant(fill, as: common)
    return (
      "coalesce(\(column)\(common.cast), \(constant))", [],
      type.family == .boolean ? "numeric" : common.fillType
    )
  }

  /// Returns a value as the values of other entities are compared with it, whose columns may have types of
  /// other kinds: as texts, or as numbers.
  private static func common(
    _ value: SQLFragment,
    _ type: SQLTypeName?,
    among families: Set<SQLTypeName.Family>
  ) -> SQLFragment {
    guard let type, families.count > 1 else { return value }
    let isText = families.contains(.text)
    if type.family == .boolean {
      return isText ? "(\(value))::integer::text" : "(\(value))::integer"
    }
    return isText && [.integer, .numeric].contains(type.family) ? "(\(value))::text" : value
  }

  /// Returns the type in which values can be compared with a constant of their new type, and the
  /// cast to it: values that do not fit must not make the query fail.
  private static func comparable(
    _ type: SQLTypeName
  ) -> (fillType: SQLTypeName, cast: SQLFragment) {
    switch type.family {
    case .integer, .numeric: ("numeric", "::numeric")
    case .floating: ("double precision", "::double precision")
    case .boolean: ("boolean", "::integer::numeric")
    case .text: ("text", "::text")
    case .bytea, .date, .time, .timestamp, .interval, .uuid, .network, .json, .range, .textSearch,
      .array, .other:
      (type, "")
    }
  }

  /// Returns the constant of a new value as what the values of a column are compared in.
  private static func constant(
    _ fill: AttributeValue,
    as common: (fillType: SQLTypeName, cast: SQLFragment)
  ) -> SQLFragment {
    switch (common.fillType.family, fill) {
    case (.boolean, .boolean(let value)): "\(SQLLiteral.integer(value ? 1 : 0))"
    case (.numeric, .integer), (.numeric, .decimal), (.numeric, .double), (.floating, .integer),
      (.floating, .decimal), (.floating, .double), (.text, .string), (.text, .text), (.text, .uuid):
      "\(fill.assigned(to: common.fillType))"
    // Pairs of types, not one of our enumerations.
    default: "\(fill.literal(of: common.fillType))\(common.cast)"
    }
  }

  private func type(of property: String, _ entity: EntityDescription) -> SQLTypeName? {
    source.model.effectiveAttributes(of: entity)
      .first { $0.name == property }?.type.columnType
  }
}
