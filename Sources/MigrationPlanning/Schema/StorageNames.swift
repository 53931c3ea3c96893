package import ObjectModel
package import SQLSyntax

/// The names of database objects for the elements of a model.
package enum StorageNames {
  /// The version of the rules by which a model becomes tables.
  static let layoutRules = 1

  /// The column of keys, where an entity does not name its own.
  package static let key: SQLIdentifier = "_id"
  static let discriminator: SQLIdentifier = "_entity"

  /// The names that no column has unless the rules or the model say so: those of the rules, and those of the
  /// columns that the server adds to each table.
  static let reservedColumns: Set<SQLIdentifier> = [
    key, discriminator, "tableoid", "cmax", "xmax", "cmin", "xmin", "ctid",
  ]

  /// Returns the name that a table, an index or a sequence has until its rows are there, where it is in the schema of
  /// the one that it takes the place of.
  static func staged(_ name: SQLIdentifier) -> SQLIdentifier {
    fitted("remodel_staged_" + name.name)
  }

  /// Returns a name in lower case with underscores between its words.
  ///
  /// `HTTPCookie` becomes `http_cookie`. Other characters than letters are unchanged.
  package static func snakeCase(_ name: String) -> String {
    // Most names have nothing to change, and letters of any script are slow to tell apart.
    if name.utf8.allSatisfy({ $0 < 0x80 }) {
      return name.utf8.contains(where: isCapital) ? snakeCase(ascii: Array(name.utf8)) : name
    }
    let characters = Array(name)
    var result = ""
    for (index, character) in characters.enumerated() {
      if character.isUppercase, index > 0 {
        let previous = characters[index - 1]
        let next = index + 1 < characters.count ? characters[index + 1] : nil
        let startsWord = previous.isLowercase || previous.isNumber
        let endsAcronym = previous.isUppercase && (next?.isLowercase ?? false)
        if startsWord || endsAcronym { result += "_" }
      }
      result += character.lowercased()
    }
    return result
  }

  private static func snakeCase(ascii bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    for (index, byte) in bytes.enumerated() {
      guard isCapital(byte) else {
        result.append(byte)
        continue
      }
      if index > 0 {
        let previous = bytes[index - 1]
        let startsWord = isSmall(previous) || (0x30...0x39).contains(previous)
        let endsAcronym =
          isCapital(previous) && index + 1 < bytes.count && isSmall(bytes[index + 1])
        if startsWord || endsAcronym { result.append(UInt8(ascii: "_")) }
      }
      result.append(byte | 0x20)
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isCapital(_ byte: UInt8) -> Bool { (0x41...0x5a).contains(byte) }

  private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) }

  /// Returns a name cut to PostgreSQL's maximum length, with a hash of the whole in place of the
  /// rest.
  static func fitted(_ name: String) -> SQLIdentifier {
    guard name.utf8.count > SQLIdentifier.maximumLength else { return SQLIdentifier(name) }
    let hash = hexadecimalSHA256(of: name.utf8).prefix(8)
    return SQLIdentifier(clipped(name, to: SQLIdentifier.maximumLength - 9) + "_" + hash)
  }

  /// Returns the name that something has on its way from one name to another.
  static func temporary(_ name: SQLIdentifier) -> SQLIdentifier {
    fitted(temporaryPrefix + name.name)
  }

  /// How such names begin.
  static let temporaryPrefix = "remodel_temporary_"

  /// Returns the table of a root entity.
  package static func table(of root: EntityDescription) -> SQLIdentifier {
    root.tableName.map { SQLIdentifier($0) } ?? fitted(snakeCase(root.name))
  }

  /// Returns the column of a property.
  package static func column(
    _ name: String,
    explicit: String?,
    of entity: EntityDescription
  )
    -> SQLIdentifier
  {
    if let explicit { return SQLIdentifier(explicit) }
    return fitted(local(name, of: entity))
  }

  /// Returns the column of an element of a composite that has a column by itself.
  static func element(_ name: String, of composite: SQLIdentifier) -> SQLIdentifier {
    fitted(composite.name + "_" + snakeCase(name))
  }

  static func position(
    of relationship: RelationshipDescription,
    declaredBy entity: EntityDescription
  ) -> SQLIdentifier {
    fitted("_" + local(relationship.name, of: entity) + "_position")
  }

  /// A name for an element of a subentity, which contains the subentity's name to be unique in the
  /// hierarchy.
  private static func local(_ name: String, of entity: EntityDescription) -> String {
    let isRoot = entity.superentityName == nil
    return (isRoot ? "" : snakeCase(entity.name) + "_") + snakeCase(name)
  }

  /// Returns the table of a relationship's links where another thing wants the usual name: the name of
  /// the other end follows it.
  static func joinTable(
    of entity: EntityDescription,
    _ relationship: RelationshipDescription,
    otherEnd name: String
  ) -> SQLIdentifier {
    fitted([entity.name, relationship.name, name].map(snakeCase).joined(separator: "_"))
  }

  /// Returns the position that stands beside a foreign key.
  static func position(beside column: SQLIdentifier) -> SQLIdentifier {
    fitted("_" + column.name + "_position")
  }

  /// Returns a name for something that cannot have the one that it wants.
  static func distinct(_ name: SQLIdentifier, of path: String) -> SQLIdentifier {
    let hash = hexadecimalSHA256(of: path.utf8).prefix(8)
    return SQLIdentifier(clipped(name.name, to: SQLIdentifier.maximumLength - 9) + "_" + hash)
  }

  /// Returns the table of a relationship's links.
  package static func joinTable(
    of entity: EntityDescription,
    _ relationship: RelationshipDescription
  ) -> SQLIdentifier {
    relationship.joinTableName.map { SQLIdentifier($0) }
      ?? fitted(snakeCase(entity.name) + "_" + snakeCase(relationship.name))
  }

  /// Returns the name that PostgreSQL would choose for a constraint, index or sequence: both parts
  /// and the label, the longer part cut until all fit.
  static func object(
    _ table: SQLIdentifier,
    _ columns: [SQLIdentifier],
    label: String
  ) -> SQLIdentifier {
    let second = columns.map(\.name).joined(separator: "_")
    let overhead = label.utf8.count + 1 + (second.isEmpty ? 0 : 1)
    let available = SQLIdentifier.maximumLength - overhead
    var firstLength = table.name.utf8.count
    var secondLength = second.utf8.count
    let excess = firstLength + secondLength - available
    if excess > 0 {
      // Cutting the longer one byte by byte, as the server does, ends here.
      let difference = firstLength - secondLength
      let fromFirst = min(max(0, difference), excess)
      let fromSecond = min(max(0, -difference), excess)
      let rest = excess - fromFirst - fromSecond
      // Of two equal parts the server cuts the second first.
      firstLength -= fromFirst + rest / 2
      secondLength -= fromSecond + (rest + 1) / 2
    }
    var name = clipped(table.name, to: firstLength)
    for part in [clipped(second, to: secondLength), label] where !part.isEmpty {
      name += name.isEmpty ? part : "_" + part
    }
    return SQLIdentifier(name)
  }

  /// Returns the longest beginning of a text that fits into so many bytes and ends between
  /// characters.
  static func clipped(_ text: String, to length: Int) -> String {
    guard text.utf8.count > length else { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      count += UTF8.width(scalar)
      guard count <= length else { break }
      result.append(scalar)
    }
    return String(result)
  }
}
