internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DatabaseView {
  /// Whether the version before stays served.
  var keepsPrevious: Bool {
    catalog.configuration.keepsPrevious(serving: !interfaces.isEmpty)
  }

  private var interfacePlanning: InterfacePlanning {
    let settings = catalog.configuration.planSettings
    return InterfacePlanning(
      interfaces,
      prefix: settings.interfacePrefix ?? "\(settings.schema.name)_v",
      keepsPrevious: keepsPrevious,
      unservedEntities: settings.unservedEntities
    )
  }

  /// Returns steps with the changes of the versions that are served.
  ///
  /// - Parameter steps: The steps to a target, or back.
  /// - Returns: The steps.
  /// - Throws: That the version before cannot stay served.
  func serving(_ steps: [MigrationStep]) throws -> [MigrationStep] {
    guard keepsPrevious || !interfaces.isEmpty, !steps.isEmpty else { return steps }
    if kinds.hasCitus { throw RemodelError(.interfacesOfCitus) }
    var planning = interfacePlanning
    var served: [MigrationStep] = []
    for (index, step) in steps.enumerated() {
      served.append(try planning.serve(step, isLast: index == steps.count - 1))
    }
    return served
  }

  /// Returns the step that serves a version no longer.
  ///
  /// - Parameter name: The name of the version.
  /// - Returns: The step.
  /// - Throws: That the version is not served.
  func step(retiring name: String) throws -> MigrationStep {
    guard let interface = interfaces.first(where: { $0.versionName == name }),
      let version = try recordedVersion()
    else { throw RemodelError(.versionNotServed(name, known: interfaces.map(\.versionName))) }
    return interfacePlanning.step(retiring: interface, at: version)
  }

  /// Returns the step that serves the version that the database is at, if it is to be served and is not.
  func servingSteps(at version: PlannedVersion) throws -> [MigrationStep] {
    guard keepsPrevious,
      !interfaces.contains(where: { $0.versionName == version.name })
    else { return [] }
    if kinds.hasCitus { throw RemodelError(.interfacesOfCitus) }
    return [interfacePlanning.step(serving: version)]
  }
}
