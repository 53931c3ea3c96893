package import MigrationPlanning
internal import SQLSyntax

extension CatalogSnapshot.Exclusions {
  /// Creates exclusions of retained objects.
  package init(_ retained: [RetainedObject]) {
    self.init()
    for object in retained {
      if let column = object.column {
        columns[object.table.name, default: []].insert(column.name)
      } else {
        tables.insert(object.table.name)
      }
      relations.formUnion(object.relationNames.map(\.name))
    }
  }
}
