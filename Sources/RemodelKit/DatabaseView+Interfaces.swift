internal import MigrationExecution
internal import MigrationPlanning
internal import PostgresClient
internal import SQLSyntax

extension DatabaseView {
  /// Whether the version before stays served.
  var keepsPrevious: Bool {
    catalog.configuration.keepsPrevious(serving: !interfaces.isEmpty)
  }

  private func interfacePlanning(
    after steps: [MigrationStep] = []
  ) -> InterfacePlanning {
    InterfacePlanning(
      steps.last?.interfaces ?? interfaces,
      prefix: catalog.configuration.interfaceSchemaPrefix,
      keepsPrevious: keepsPrevious,
      unservedEntities: catalog.configuration.planSettings.unservedEntities
    )
  }

  /// Returns steps with the changes of the versions that are served.
  ///
  /// - Parameters:
  ///   - steps: The steps to a target, or back.
  ///   - retirements: The steps before them that retire versions.
  /// - Returns: The steps.
  /// - Throws: That the version before cannot stay served.
  func serving(
    _ steps: [MigrationStep],
    after retirements: [MigrationStep] = []
  ) throws -> [MigrationStep] {
    guard keepsPrevious || !interfaces.isEmpty, !steps.isEmpty else { return steps }
    if kinds.hasCitus { throw RemodelError(.interfacesOfCitus) }
    var planning = interfacePlanning(after: retirements)
    return try planning.serve(steps)
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
    guard name != version.name else { throw RemodelError(.currentVersion(name)) }
    var planning = interfacePlanning()
    return try step(retiring: interface, at: version, stepPlanning(), &planning)
  }

  /// Returns the steps that retire versions for whose releases constraints are postponed, so that these hold before
  /// anything else changes but the text of the version itself.
  ///
  /// - Parameters:
  ///   - target: The name of the version that the way leads to, which is served again if it is one of them.
  ///   - stepPlanning: The planning of steps.
  /// - Returns: The steps.
  /// - Throws: The reason why there are none.
  func retirements(before target: String, _ stepPlanning: StepPlanning) throws -> [MigrationStep] {
    guard let version = try recordedVersion(), !version.postponed.isEmpty,
      version.name != target
    else { return [] }
    var planning = interfacePlanning()
    return try interfaces.filter { !$0.postponed.isEmpty && $0.versionName != target }.map {
      try step(retiring: $0, at: version, stepPlanning, &planning)
    }
  }

  private func step(
    retiring interface: VersionInterface,
    at version: PlannedVersion,
    _ stepPlanning: StepPlanning,
    _ planning: inout InterfacePlanning
  ) throws -> MigrationStep {
    guard !interface.postponed.isEmpty, let whole = try recordedVersion(isWhole: true) else {
      return planning.step(retiring: interface, at: version)
    }
    return planning.step(
      retiring: interface,
      at: whole,
      completing: try stepPlanning.completion(of: whole, from: version, retained: retained)
    )
  }

  /// Returns the step that serves the version that the database is at, if it is to be served and is not.
  func servingSteps(at version: PlannedVersion) throws -> [MigrationStep] {
    guard keepsPrevious,
      !interfaces.contains(where: { $0.versionName == version.name })
    else { return [] }
    if kinds.hasCitus { throw RemodelError(.interfacesOfCitus) }
    return [interfacePlanning().step(serving: version)]
  }
}
