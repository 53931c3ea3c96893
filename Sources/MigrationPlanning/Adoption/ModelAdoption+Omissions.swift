internal import Diagnostics
internal import ObjectModel
internal import SQLSyntax

extension ModelAdoption {
  /// Returns the tables that the model cannot have as it says, each with what is wrong.
  public func faults() -> [String: String] {
    var faults: [String: String] = [:]
    func add(_ element: ModelElement, _ message: String) {
      var element = element
      while true {
        if case .entity(let index) = element, model.entities.indices.contains(index) {
          let table = StorageNames.table(of: model.entities[index]).name
          if faults[table] == nil { faults[table] = message }
          return
        }
        guard let enclosing = element.enclosing else { return }
        element = enclosing
      }
    }
    for complaint in model.complaints() where complaint.severity == .error {
      add(complaint.element, complaint.diagnostic(in: model).message)
    }
    guard faults.isEmpty else { return faults }
    do {
      _ = try ModelProjection(model, schema: schema)
    } catch {
      for fault in error.faults { add(fault.element, fault.diagnostic.message) }
    }
    return faults
  }
}

extension ModelAdoption.Omissions {
  /// Leaves something out that the model does not make as it is; the whole table, where it is not about
  /// something that can be left out by itself.
  public mutating func leaveOut(_ drift: Drift, of tables: [CatalogTable]) {
    let object = drift.object
    let reason = UnexpressedObject.Reason.differs(expected: drift.expected, actual: drift.actual)
    let isThere = tables.contains { table in
      table.name == object.table
        && (object.kind == .constraint && table.constraints.contains { $0.name == object.name }
          || object.kind == .index && table.indexes.contains { $0.name == object.name })
    }
    let isKey = tables.contains { $0.name == object.table && $0.primaryKey?.name == object.name }
    if object.kind == .column, drift.change == .changed, !verbatimDefaults.contains(object) {
      verbatimDefaults.insert(object)
    } else if isThere, !isKey, parts[object] == nil {
      parts[object] = reason
    } else if !object.table.isEmpty {
      if self.tables[object.table] == nil { self.tables[object.table] = reason }
    }
  }
}
