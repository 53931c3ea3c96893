internal import MigrationPlanning
internal import SQLSyntax

/// The statement that locks tables, of which a script has the same.
enum LockStatement {
  static func sql(_ tables: [MigrationStep.LockedTable], _ mode: LockMode) -> SQLFragment {
    let names = tables.map { "\($0.name)" as SQLFragment }.joined(separator: ", ")
    let modeName: SQLFragment =
      switch mode {
      case .accessShare: "ACCESS SHARE"
      case .rowShare: "ROW SHARE"
      case .rowExclusive: "ROW EXCLUSIVE"
      case .shareUpdateExclusive: "SHARE UPDATE EXCLUSIVE"
      case .share: "SHARE"
      case .shareRowExclusive: "SHARE ROW EXCLUSIVE"
      case .exclusive: "EXCLUSIVE"
      case .accessExclusive: "ACCESS EXCLUSIVE"
      }
    return "LOCK TABLE \(names) IN \(modeName) MODE"
  }
}
