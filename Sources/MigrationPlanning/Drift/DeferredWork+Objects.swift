internal import SQLSyntax

extension DeferredWork {
  /// What is not in the catalog as it will be before the work is done.
  public var objects: [CatalogObject] {
    let table = table.name
    let name = object.name
    switch self {
    case .validateConstraint: return [CatalogObject(.constraint, table: table, name: name)]
    case .buildIndex, .dropIndex: return [CatalogObject(.index, table: table, name: name)]
    case .addUniqueConstraint:
      // Its index is there first.
      return [.constraint, .index].map { CatalogObject($0, table: table, name: name) }
    case .setNotNull(let requirement):
      let column = CatalogObject(.column, table: table, name: name)
      return switch requirement.form {
      case .check(let proof): [column, CatalogObject(.constraint, table: table, name: proof.name)]
      case .notNull: [column]
      }
    }
  }
}
