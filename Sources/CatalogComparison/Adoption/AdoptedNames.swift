internal import MigrationPlanning
internal import ObjectModel
internal import SQLSyntax

/// Names of a model derived from those of the tables; names that the rules would not give again are
/// written explicitly.
struct AdoptedNames {
  private var taken: Set<String> = []

  /// Returns a name that nothing else has yet; where it is taken, a number follows it.
  mutating func unique(_ name: String) -> String {
    var candidate = name
    var number = 1
    while !taken.insert(candidate).inserted {
      number += 1
      candidate = "\(name)\(number)"
    }
    return candidate
  }

  /// Returns `AuthorName` for `author_name`.
  static func upperCamelCase(_ name: String) -> String {
    let joined = words(of: name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return startingWithLetter(joined, "Entity")
  }

  /// Returns `authorName` for `author_name`.
  static func lowerCamelCase(_ name: String) -> String {
    let words = words(of: name)
    let first = words.first.map { word in
      word == word.uppercased() ? word.lowercased() : word.prefix(1).lowercased() + word.dropFirst()
    }
    let rest = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
    return startingWithLetter((first ?? "") + rest.joined(), "property")
  }

  /// Returns the name of a relationship for the column of its foreign key.
  static func relationship(_ column: String) -> String {
    for suffix in ["_id", "_ID", "Id", "ID"] where column.hasSuffix(suffix) {
      let stem = String(column.dropLast(suffix.count))
      if !words(of: stem).isEmpty { return lowerCamelCase(stem) }
    }
    return lowerCamelCase(column)
  }

  private static func words(of name: String) -> [String] {
    name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  private static func startingWithLetter(_ name: String, _ prefix: String) -> String {
    name.first?.isLetter == true ? name : prefix + name
  }
}

extension EntityDescription {
  /// The entity with the name of its table where our rules would not give it.
  func inTable(_ name: String) -> EntityDescription {
    var entity = self
    entity.tableName = nil
    if StorageNames.table(of: entity).name != name { entity.tableName = name }
    return entity
  }
}

/// Returns the column to write for a property, if the rules would give it another one.
func explicitColumn(_ column: String, of property: String) -> String? {
  let entity = EntityDescription(name: "")
  return StorageNames.column(property, explicit: nil, of: entity).name == column ? nil : column
}
