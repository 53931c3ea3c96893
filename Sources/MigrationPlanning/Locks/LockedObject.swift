internal import SQLSyntax

/// Something that a transaction holds locks on, as the server's table of locks counts it: an entry for
/// each object, however many locks the transaction has on it.
enum LockedObject: Hashable, Sendable {
  /// A table, an index or a sequence.
  case relation(SQLIdentifier)
  /// The table that holds the large values of a table, with its index.
  case toast(of: SQLIdentifier)
  /// What a table is written anew into: itself, its row types, the table of its large values.
  case rewrite(of: SQLIdentifier)
  /// An index that is built anew.
  case rebuiltIndex(SQLIdentifier)
  /// The row types of a table that is dropped, or made: that locks one from version 18 on. A column
  /// that gives the rows values, or another type, locks them from 15.20 on.
  case rowTypes(of: SQLIdentifier)
  /// A constraint that is dropped, or made: that locks it from version 18 on.
  case constraint(SQLIdentifier, of: SQLIdentifier)
  /// The constraint of a required column that goes: there is one from version 18 on.
  case notNull(SQLIdentifier, of: SQLIdentifier)
  /// The default of a column, or the expression that makes its values, which goes, if only for another.
  case columnDefault(SQLIdentifier, of: SQLIdentifier)
  /// The triggers that keep a foreign key, which is dropped.
  case keyTriggers(SQLIdentifier, of: SQLIdentifier)
  /// A trigger that is dropped, with its function.
  case trigger(SQLIdentifier)
  /// The function of a trigger that is made: that locks it from version 18 on.
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
  /// What there is of a table of retained rows that is made.
  static func madeForRetained(_ table: SQLIdentifier) -> Set<LockedObject> {
    [.relation(table), .toast(of: table), .rowTypes(of: table)]
  }
}

extension Table {
  /// The names of its indexes, those of constraints included.
  var indexNames: [SQLIdentifier] {
    indexes.map(\.name) + constraints.filter(\.hasIndex).map(\.name)
  }

  /// The table and everything that comes and goes with it.
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
