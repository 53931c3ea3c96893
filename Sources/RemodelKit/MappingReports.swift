public import Diagnostics
internal import ModelLoading
public import ModelMapping
internal import ObjectModel

/// A mapping model as the text of a file.
public struct MappingFileReport: Hashable, Sendable {
  /// The version before.
  public let source: String
  /// The version after.
  public let destination: String
  /// The text, in our YAML.
  public let text: String
  /// The holes to fill before it can be used.
  public let holes: [Diagnostic]
  /// The warnings.
  public let warnings: [Diagnostic]
}

/// Mapping models that do not fit their versions, or have holes: every complaint.
public struct InvalidMappingError: DiagnosticError, Hashable {
  /// The complaints, in the order of the files.
  public let diagnostics: [Diagnostic]
}

extension MappingFileReport {
  /// Drafts the mapping model between two versions, with all properties of some entities.
  init(
    draftOf catalog: VersionCatalog,
    from source: String,
    to version: String?,
    writingOut entityNames: [String]
  ) throws {
    let before = try catalog.version(source)
    let after = try catalog.version(version)
    let (draft, unrecognized) = DraftMapping.writingOut(
      entityNames,
      from: before.model,
      to: after.model
    )
    guard unrecognized.isEmpty else {
      let known = (before.model.entities + after.model.entities).map(\.name)
      throw RemodelError(.noSuchEntities(unrecognized, known: known))
    }
    let comment =
      "# Every property of these entities, as inference has it; each \"hole\" is something that nobody "
      + "but you knows.\n"
    self.init(
      source: before.name,
      destination: after.name,
      text: comment
        + MappingForm.yaml(
          of: draft.mappingModel,
          from: MappedVersion(name: before.name),
          to: MappedVersion(name: after.name),
          holes: draft.holes
        ),
      holes: draft.holes.map { $0.diagnostic(in: draft.mappingModel) },
      warnings: []
    )
  }

  /// Drafts the mapping model between two versions.
  init(draftOf catalog: VersionCatalog, from source: String, to version: String?) throws {
    let before = try catalog.version(source)
    let after = try catalog.version(version)
    let earlier = catalog.models().prefix { $0.name != after.name }.map(\.model)
    var obstacles: [InferenceObstacle] = []
    do {
      _ = try CompleteMapping(
        from: before.model,
        to: after.model,
        hashes: (before.hashes, after.hashes),
        earlierVersions: earlier
      )
    } catch {
      obstacles = error.obstacles
    }
    let draft = DraftMapping(from: before.model, to: after.model, obstacles: obstacles)
    let text = MappingForm.yaml(
      of: draft.mappingModel,
      from: MappedVersion(name: before.name),
      to: MappedVersion(name: after.name),
      holes: draft.holes
    )
    let comment =
      draft.holes.isEmpty
      ? "# Whatever is not said here is inferred, and all of it can be.\n"
      : "# Whatever is not said here is inferred; each \"hole\" is something that cannot be.\n"
    self.init(
      source: before.name,
      destination: after.name,
      text: comment + text,
      holes: draft.holes.map { $0.diagnostic(in: draft.mappingModel) },
      warnings: []
    )
  }

  /// Converts a mapping model of Xcode's.
  init(converting path: String, _ configuration: RemodelConfiguration) throws {
    guard let file = MappingFile(path: path) else { throw RemodelError(.notAMappingModel(path)) }
    let mapping = try MappingLoader.load(file).keepingCalls(ofMethodsOf: configuration.policies)
    // Without a bundle, the names in Xcode's paths have to do.
    let catalog = try? VersionCatalog(configuration)
    let entry = catalog.map { catalog in
      var models = LoadedModels(catalog)
      return MappingCatalog.entry(file, catalog, &models)
    }
    guard let source = entry?.source?.name ?? mapping.source.name,
      let destination = entry?.destination?.name ?? mapping.destination.name
    else { throw RemodelError(.unmatchedMapping(mapping.locations.location(of: .mappingModel))) }
    let text = mapping.yaml(
      source: MappedVersion(name: source, checksum: mapping.source.checksum),
      destination: MappedVersion(name: destination, checksum: mapping.destination.checksum)
    )
    self.init(
      source: source,
      destination: destination,
      text: text,
      holes: mapping.openHoles(registeredPolicies: Set(configuration.policies.keys)).map { hole in
        hole.diagnostic(
          in: mapping.mappingModel,
          at: mapping.locations.location(of: hole.element)
        )
      },
      warnings: mapping.warnings
    )
  }
}

/// A complete mapping model between two versions.
public struct CompleteMappingReport: Hashable, Sendable {
  /// The version before.
  public let source: VersionReference
  /// The version after.
  public let target: VersionReference
  /// The mapping model.
  public let mappingModel: MappingModel
  /// The entity mappings as files have them.
  public let authored: [EntityMapping]
  /// The warnings.
  public let warnings: [Diagnostic]

  /// Returns the entity mapping as a file has it; none if it is inferred.
  public func authored(_ mapping: EntityMapping) -> EntityMapping? {
    authored.first { $0.name == mapping.name }
  }

  /// The mapping model as the text of a file, in our YAML.
  public var yaml: String {
    MappingForm.yaml(
      of: mappingModel,
      from: MappedVersion(name: source.name),
      to: MappedVersion(name: target.name)
    )
  }
}

extension CompleteMappingReport {
  /// Completes the mapping model between two versions.
  init(_ catalog: VersionCatalog, from source: String, to version: String?) throws {
    let before = try catalog.version(source)
    let after = try catalog.version(version)
    let authored = try MappingCatalog(catalog).mappingModel(from: before.name, to: after.name)
    let complete = try CompleteMapping(
      completing: authored ?? MappingModel(entityMappings: []),
      from: before.model,
      to: after.model,
      hashes: (before.hashes, after.hashes),
      earlierVersions: catalog.models().prefix { $0.name != after.name }.map(\.model)
    )
    self.init(
      source: before.reference,
      target: after.reference,
      mappingModel: complete.mappingModel,
      authored: authored?.entityMappings ?? [],
      warnings: complete.warnings
    )
  }
}
