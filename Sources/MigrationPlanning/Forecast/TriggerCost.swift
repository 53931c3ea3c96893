package import SQLSyntax

/// What the triggers that keep tables in step for two versions cost those who write them.
package struct TriggerCost: Hashable, Sendable {
  /// What is written.
  package enum Work: Hashable, Sendable, CaseIterable {
    /// Rows with values that each version has in its own way.
    case insertedRows
    /// Such values of rows.
    case updatedRows
    /// Links that each version has in its own place.
    case changedLinks
  }

  /// The rows or links that a session writes in a second by one statement, where they are many.
  package struct Speed: Hashable, Sendable {
    /// Without the triggers.
    package let before: Double
    /// With them.
    package let after: Double
  }

  /// The version that the triggers are there for.
  package let version: String
  /// The tables with the triggers.
  package let tables: [SQLIdentifier]
  /// How fast they are written.
  package let speeds: [Work: Speed]
}

extension StepForecast {
  /// Returns the costs of the triggers that a step creates.
  static func triggerCosts(of step: MigrationStep, _ rates: WorkRates) -> [TriggerCost] {
    (step.interfaces ?? []).flatMap { interface in
      let rows = interface.bridges.filter(step.bridges.contains).map(\.table)
      let links = interface.links.filter(step.links.contains).flatMap {
        [$0.former.table, $0.current.table]
      }
      let parts: [([SQLIdentifier], [TriggerCost.Work])] = [
        (rows, [.insertedRows, .updatedRows]), (links, [.changedLinks]),
      ]
      return parts.filter { !$0.0.isEmpty }.map { tables, works in
        TriggerCost(
          version: interface.versionName,
          tables: Set(tables).sorted(),
          speeds: Dictionary(uniqueKeysWithValues: works.map { ($0, rates.speed(of: $0)) })
        )
      }
    }
  }
}
