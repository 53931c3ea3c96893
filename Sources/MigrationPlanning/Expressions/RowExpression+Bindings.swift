internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// A row that expressions can speak of.
struct BoundRow {
  var entity: EntityDescription
  /// What stands before its columns: nothing, `NEW.`, an alias or the table.
  var prefix: SQLFragment
  /// The variable of the row that the way to it begins at; none if no such row leads to it.
  var root: String?
  /// The way to it.
  var hops: [RelationshipPath.Hop]
}

/// What a variable stands for.
enum Binding {
  case row(BoundRow)
  /// One of several values.
  case value(TypedValue)
}

/// What an expression reads of a row and of what the row leads to.
struct RowReads: Hashable, Sendable {
  /// The columns of the row itself.
  var columns: [SQLIdentifier] = []
  /// The ways over relationships.
  var paths: [RelationshipPath] = []
}

extension RowExpression {
  /// Lets a variable stand for another row.
  ///
  /// - Parameters:
  ///   - variable: The name, without the dollar sign.
  ///   - entity: The entity of the row.
  ///   - row: What stands before the columns of the row.
  mutating func bind(_ variable: String, _ entity: EntityDescription, row: SQLFragment) {
    bindings[variable] = .row(BoundRow(entity: entity, prefix: row, root: variable, hops: []))
  }

  func binding(of variable: String) throws(ExpressionFault) -> Binding {
    guard let binding = bindings[variable] else {
      let known = bindings.keys.filter { !Self.isHidden($0) }.sorted()
      if known.isEmpty { throw .notAboutOneRow("$\(variable)") }
      throw .unboundVariable(variable, known: known)
    }
    return binding
  }

  mutating func value(ofVariable name: String) throws(ExpressionFault) -> TypedValue {
    switch try binding(of: name) {
    case .value(let value): return value
    case .row(let row): return key(of: row)
    }
  }

  /// A row as a whole is what to-one relationships that lead to it have.
  mutating func key(of row: BoundRow) -> TypedValue {
    let key = projection.key(of: row.entity)
    note(key, of: row)
    return TypedValue(sql: "\(row.prefix)\(key)", type: .reference)
  }

  // MARK: - What is read

  mutating func note(_ column: SQLIdentifier, of row: BoundRow) {
    guard let root = row.root else { return }
    if row.hops.isEmpty {
      reads[root, default: RowReads()].columns.append(column)
    } else {
      reads[root, default: RowReads()].paths.append(RelationshipPath(hops: row.hops, value: column))
    }
  }

  mutating func note(_ way: RelationshipPath, of row: BoundRow) {
    guard let root = row.root else { return }
    var whole = way
    whole.hops = row.hops + way.hops
    reads[root, default: RowReads()].paths.append(whole)
    guard row.hops.isEmpty, case .forward(let column, _, _) = way.hops.first else { return }
    reads[root, default: RowReads()].columns.append(column)
  }

  // MARK: - Hidden variables

  /// Returns a variable that no text can name.
  mutating func hiddenVariable() -> String {
    var number = 1
    while bindings["#\(number)"] != nil { number += 1 }
    return "#\(number)"
  }

  private static func isHidden(_ variable: String) -> Bool { variable.hasPrefix("#") }
}
