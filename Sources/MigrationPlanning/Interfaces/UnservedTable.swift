internal import ObjectModel
public import SQLSyntax

/// A table that a version is not served with any more after a step.
public struct UnservedTable: Hashable, Sendable {
  /// The name that the version has for the table.
  public let name: SQLIdentifier
  /// The name of the version.
  public let versionName: String
  /// The entities whose rows are in it.
  public let entityNames: [String]
  /// What the release on the version would notice, each in a line.
  public let reasons: [String]

  init(
    _ view: InterfaceView,
    of interface: VersionInterface,
    _ reasons: [String],
    in source: PlannedVersion?
  ) {
    name = view.name
    versionName = interface.versionName
    self.reasons = reasons
    let projection = source?.projection
    switch view.table.flatMap({ projection?.tableOrigins[$0] }) {
    case .root(let entity):
      let model = projection?.model
      entityNames =
        model?.entity(named: entity).map { model?.family(of: $0).map(\.name) ?? [] } ?? [entity]
    case .join(let entity, _): entityNames = [entity]
    // A table that an earlier step has retained.
    case nil: entityNames = [name.name]
    }
  }

  func isAllowed(_ names: Set<String>) -> Bool { !names.isDisjoint(with: entityNames) }

  /// The table with the reasons, in lines.
  var summary: String {
    "entity \"\(entityNames.first ?? name.name)\": \(reasons.joined(separator: "; "))"
  }
}
