internal import SQLSyntax

/// Something that a transaction holds locks on, as the server's table of locks counts it: an entry for
/// each object, however many locks the transaction has on it.
enum LockedObject: Hashable, Sendable {
  /// A table, an index or a sequence.
  case relation(SQLIdentifier)
  /// The table that holds the large values of a table, with its index.
  case toast(of: SQLIdentifier)
  /// The objects of a rewritten table: itself, its row types, its TOAST table.
  case rewrite(of: SQLIdentifier)
  /// A rebuilt index.
  case rebuiltIndex(SQLIdentifier)
  /// The row types of a table, which are locked from version 18 on when it is created or dropped,
  /// and from 15.20 on when a column sets the values of rows or changes its type.
  case rowTypes(of: SQLIdentifier)
  /// A constraint, which is locked from version 18 on when it is created or dropped.
  case constraint(SQLIdentifier, of: SQLIdentifier)
  /// The dropped NOT NULL constraint of a column, which is an object from PostgreSQL 18 on.
  case notNull(SQLIdentifier, of: SQLIdentifier)
  /// The dropped default or generation expression of a column, even if another one replaces it.
  case columnDefault(SQLIdentifier, of: SQLIdentifier)
  /// The triggers that keep a foreign key, which is dropped.
  case keyTriggers(SQLIdentifier, of: SQLIdentifier)
  /// A trigger that is dropped, with its function.
  case trigger(SQLIdentifier)
  /// The function of a new trigger, which is locked from version 18 on.
  case triggerFunction(of: SQLIdentifier)
  /// A dependent object with its parts.
  case dependent(String)

  /// The entries, as measured on the served versions.
  var entries: Int {
    switch self {
    case .relation, .rebuiltIndex, .constraint, .notNull, .columnDefault, .triggerFunction: 1
    case .toast, .rowTypes, .trigger: 2
    case .keyTriggers: 4
    case .rewrite: 5
    case .dependent: 6
    }
  }
}

extension LockedObject {
  /// The objects of a new table of retained rows.
  static func madeForRetained(_ table: SQLIdentifier) -> Set<LockedObject> {
    [.relation(table), .toast(of: table), .rowTypes(of: table)]
  }
}

extension Table {
  /// The names of its indexes, those of constraints included.
  var indexNames: [SQLIdentifier] {
    indexes.map(\.name) + constraints.filter(\.hasIndex).map(\.name)
  }

  /// The table and all objects that are created and dropped with it.
  var lockedWhole: Set<LockedObject> {
    var objects = lockedParts
    objects.insert(.rowTypes(of: name))
    for constraint in constraints { objects.insert(.constraint(constraint.name, of: name)) }
    return objects
  }

  /// The table and everything that has storage of its own.
  var lockedParts: Set<LockedObject> {
    var parts = Set(relationNames.map { LockedObject.relation($0) })
    if columns.contains(where: \.type.mayBeLarge) { parts.insert(.toast(of: name)) }
    return parts
  }
}
