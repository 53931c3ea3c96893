internal import Diagnostics
internal import MigrationPlanning
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel

/// Checks mapping models against their versions and collects faults.
struct MappingValidation {
  private let catalog: VersionCatalog
  /// The mapping models between each pair of versions, in their order.
  private var pairs: [Pair] = []
  private var names: [String] = []
  private(set) var complaints: [Diagnostic] = []
  private var warnings: [Diagnostic] = []

  private struct Pair {
    let source: ModelVersion
    let destination: ModelVersion
    var mappings: [LoadedMapping]
  }

  init(_ catalog: VersionCatalog) {
    self.catalog = catalog
  }

  /// Checks mapping models: every one, those between two versions, or one at a path.
  static func run(
    _ catalog: VersionCatalog,
    _ source: String?,
    to version: String?
  ) throws -> (names: [String], warnings: [Diagnostic]) {
    let mappings = try MappingCatalog(catalog)
    var validation = MappingValidation(catalog)
    if let source, version == nil, let file = MappingFile(path: source) {
      var models = LoadedModels(catalog)
      validation.check(MappingCatalog.entry(file, catalog, &models), isNeeded: true)
    } else if let source {
      let before = try catalog.version(source).name
      let after = try catalog.version(version).name
      let entries = mappings.entries.filter { $0.concerns(before, after) }
      guard !entries.isEmpty else { throw RemodelError(.noMappingModel(before, after)) }
      for entry in entries { validation.check(entry, isNeeded: true) }
    } else {
      for entry in mappings.entries { validation.check(entry, isNeeded: false) }
    }
    try validation.checkPlans()
    guard validation.complaints.isEmpty else {
      throw InvalidMappingError(diagnostics: validation.complaints)
    }
    return (validation.names, validation.warnings)
  }

  /// Checks whether the mapping models that have been checked one by one can be carried out, all that
  /// are between the same versions together.
  private mutating func checkPlans() throws {
    guard complaints.isEmpty else { return }
    for pair in pairs {
      let shared = pair.mappings.sharedNames
      guard shared.isEmpty else {
        complaints += shared
        continue
      }
      let source = try catalog.load(pair.source)
      let destination = try catalog.load(pair.destination)
      do {
        let mapping = try CompleteMapping(
          completing: MappingModel(pair.mappings),
          from: source.model,
          to: destination.model,
          hashes: (source.hashes, destination.hashes),
          earlierVersions: catalog.models().prefix { $0.name != destination.name }.map(\.model)
        )
        _ = try MigrationPlanner().step(
          from: catalog.planned(source),
          to: catalog.planned(destination),
          by: mapping
        )
      } catch let error as InferenceError {
        complaints += error.diagnostics.map {
          $0.at(pair.mappings[0].locations.location(of: .mappingModel))
        }
      } catch let error as PlanningError {
        guard case .unmappable(let faults) = error.fact else { continue }
        complaints += faults.map { $0.diagnostic.at(pair.mappings.location(of: $0)) }
      }
    }
  }

  /// Checks a mapping model.
  ///
  /// - Parameters:
  ///   - entry: The mapping model.
  ///   - isNeeded: Whether it is an error if its versions are not there; else it is a warning.
  mutating func check(_ entry: MappingCatalog.Entry, isNeeded: Bool) {
    names.append(entry.name)
    do {
      let mapping = try entry.outcome.get()
      guard let source = entry.found.source, let destination = entry.found.destination else {
        for var stranger in mapping.strangers(entry, among: catalog.bundle) {
          if isNeeded { stranger.severity = .error }
          note(stranger)
        }
        // Others may use it, but a check of this file alone reports everything.
        if isNeeded { complaints += holes(of: mapping) }
        return
      }
      warnings += mapping.warnings
      note(mapping, source, destination)
      try mapping.checkChecksums(entry, catalog)
      let models = (
        source: try catalog.load(source).model, destination: try catalog.load(destination).model
      )
      let found = mapping.mappingModel.complaints(from: models.source, to: models.destination)
        .filter { !$0.isCall(amongHoles: mapping.holes) }
      let all =
        found.map {
          $0.diagnostic(
            in: mapping.mappingModel,
            at: mapping.locations.location(of: $0.textPart, in: $0.element)
          )
        } + holes(of: mapping)
      for diagnostic in all.sorted(by: { $0.isBefore($1) }) { note(diagnostic) }
    } catch {
      complaints += (error as? any DiagnosticError)?.diagnostics ?? [Diagnostic("\(error)")]
    }
  }

  private mutating func note(
    _ mapping: LoadedMapping,
    _ source: ModelVersion,
    _ destination: ModelVersion
  ) {
    let position = pairs.firstIndex {
      $0.source.name == source.name && $0.destination.name == destination.name
    }
    if let position {
      pairs[position].mappings.append(mapping)
    } else {
      pairs.append(Pair(source: source, destination: destination, mappings: [mapping]))
    }
  }

  private func holes(of mapping: LoadedMapping) -> [Diagnostic] {
    mapping.openHoles(registeredPolicies: Set(catalog.configuration.policies.keys)).map {
      $0.diagnostic(in: mapping.mappingModel, at: mapping.locations.location(of: $0.element))
    }
  }

  private mutating func note(_ diagnostic: Diagnostic) {
    switch diagnostic.severity {
    case .error: complaints.append(diagnostic)
    case .warning: warnings.append(diagnostic)
    }
  }
}

extension MappingComplaint {
  /// Returns whether it is about the call of a method that a hole is about as well.
  fileprivate func isCall(amongHoles holes: [MappingHole]) -> Bool {
    guard case .policyCall = fact else { return false }
    return holes.contains { $0.element == element }
  }
}

extension [LoadedMapping] {
  /// A complaint for each name that entity mappings of several files have: a lookup could mean either.
  var sharedNames: [Diagnostic] {
    var owners: [String: String] = [:]
    var complaints: [Diagnostic] = []
    for mapping in self {
      for (index, entity) in mapping.mappingModel.entityMappings.enumerated() {
        guard let owner = owners[entity.name], owner != mapping.path else {
          owners[entity.name] = mapping.path
          continue
        }
        complaints.append(
          Diagnostic(
            "entity mapping \"\(entity.name)\" has the name of one in \"\(owner)\"",
            detail: "Mapping models between the same versions are carried out as one.",
            hint: "Give one of them another name.",
            location: mapping.locations.location(of: .entityMapping(index))
          )
        )
      }
    }
    return complaints
  }
}

extension MappingModel {
  /// Creates one of all mapping models between the same versions.
  init(_ mappings: [LoadedMapping]) {
    self.init(
      entityMappings: mappings.flatMap(\.mappingModel.entityMappings),
      before: mappings.flatMap(\.mappingModel.before),
      after: mappings.flatMap(\.mappingModel.after)
    )
  }
}

extension Diagnostic {
  fileprivate func at(_ location: SourceLocation) -> Diagnostic {
    var diagnostic = self
    diagnostic.location = diagnostic.location ?? location
    return diagnostic
  }

  fileprivate func isBefore(_ other: Diagnostic) -> Bool {
    (location?.line ?? 0, location?.column ?? 0)
      < (other.location?.line ?? 0, other.location?.column ?? 0)
  }
}
