extension CatalogObject: CustomStringConvertible {
  /// The object in the words of the catalog: `column "title" of table "book"`.
  public var description: String {
    switch kind {
    case .schema: "schema \"\(name)\""
    case .metadata: name
    case .table: "table \"\(table)\""
    case .child: "child \(name) of table \"\(table)\""
    case .function: "function \"\(name)\" of table \"\(table)\""
    case .column, .constraint, .index, .sequence, .trigger, .rule, .policy:
      "\(kind.rawValue) \"\(name)\" of table \"\(table)\""
    }
  }
}
