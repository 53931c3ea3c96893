package import Diagnostics
package import MigrationPlanning
internal import ModelLoading

/// The lines of the model files that a plan follows from.
package struct PlanPlaces: Sendable {
  /// The contents of each version's files, by the version's name.
  fileprivate var files: [String: [LoadedModel]] = [:]

  /// Creates the places of a plan without files.
  init() {}

  /// Returns the line of an element, or of what contained it if the destination has it no longer.
  package func location(
    of cause: StepCauses.Cause?,
    in step: MigrationStep
  ) -> SourceLocation? {
    if let after = cause?.after, let found = location(of: after, in: step.destination) {
      return found
    }
    return location(of: step.destination)
  }

  /// Returns the line of an element in the file of the version before, if there is one.
  package func formerLocation(
    of cause: StepCauses.Cause,
    in step: MigrationStep
  ) -> SourceLocation? {
    guard let before = cause.before, let source = step.source else { return nil }
    return location(of: before, in: source)
  }

  /// Returns the beginning of a version's file.
  package func location(of version: PlannedVersion) -> SourceLocation? {
    files[version.name]?.first?.beginning
  }

  private func location(
    of subject: StepChanges.Subject,
    in version: PlannedVersion
  ) -> SourceLocation? {
    files[version.name]?.lazy
      .compactMap { $0.location(of: subject.propertyName, inEntity: subject.entityName) }.first
  }
}

extension VersionCatalog {
  /// Returns the places of the steps of a plan, in the files that still have the planned models.
  func places(of steps: [MigrationStep]) -> PlanPlaces {
    var places = PlanPlaces()
    for version in steps.flatMap({ [$0.source, $0.destination] }).compactMap(\.self)
    where places.files[version.name] == nil {
      guard let file = bundle.version(named: version.name), let loaded = try? load(file),
        loaded.hashes.checksum == version.hashes.checksum
      else { continue }
      places.files[version.name] = modelFiles(of: file)
    }
    return places
  }

  /// Returns the contents of the files that a version is made of: one of each bundle.
  private func modelFiles(of version: ModelVersion) -> [LoadedModel] {
    guard bundle.isCombination else { return [try? loadedModel(of: version)].compactMap(\.self) }
    return bundle.bundlesOfVersions.compactMap { part in
      bundle.version(of: part, inCombination: version.name).flatMap(part.version(named:))
        .flatMap { try? part.load($0) }
    }
  }
}
