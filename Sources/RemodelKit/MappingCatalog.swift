internal import Diagnostics
internal import MigrationPlanning
internal import ModelLoading
internal import ModelMapping
internal import ObjectModel

/// The mapping models of a bundle, read, with the versions that they are between.
struct MappingCatalog {
  /// A mapping model that was found.
  struct Entry {
    let name: String
    /// The mapping model, or the faults of its file.
    let outcome: Result<LoadedMapping, MappingLoadingError>
    /// The version before, if it is one of the bundle's.
    let source: ModelVersion?
    /// The version after, if it is one of the bundle's.
    let destination: ModelVersion?
    /// The versions that its file names, which are those of one of several bundles if the bundle is
    /// merged from them.
    let written: (source: ModelVersion?, destination: ModelVersion?)
    /// Returns the version of that bundle in a version of the whole, if each of them is at one of its own.
    var component: (@Sendable (String) -> String?)?

    /// The versions that the model has, of the whole or of the bundle that the file is of.
    var found: (source: ModelVersion?, destination: ModelVersion?) {
      component == nil ? (source, destination) : written
    }

    /// Returns whether a faulty file could be about a pair of versions, since it may not name them.
    func concerns(_ source: String, _ destination: String) -> Bool {
      guard case .failure(let error) = outcome, error.source != nil else {
        return outcome.isFailure || isBetween(source, destination)
      }
      return (isMeant(self.source, written.source, by: source) ?? true)
        && (isMeant(self.destination, written.destination, by: destination) ?? true)
    }

    func isBetween(_ source: String, _ destination: String) -> Bool {
      isMeant(self.source, written.source, by: source) == true
        && isMeant(self.destination, written.destination, by: destination) == true
    }

    /// Returns whether a version is the one at an end of the mapping model, if that is known.
    private func isMeant(
      _ own: ModelVersion?,
      _ written: ModelVersion?,
      by name: String
    ) -> Bool? {
      if let own { return own.name == name }
      guard let component, let written else { return nil }
      return component(name) == written.name
    }
  }

  /// Every mapping model, in the order in which several between the same versions run.
  let entries: [Entry]

  private let catalog: VersionCatalog

  init(_ catalog: VersionCatalog) throws {
    self.catalog = catalog
    var models = LoadedModels(catalog)
    var entries: [Entry] = []
    for (file, part) in try catalog.files.mappingFiles.value(
      for: catalog.configuration.mappingsPath ?? "",
      { try Self.files(of: catalog) }
    ) {
      entries.append(Self.entry(file, catalog, &models, of: part))
    }
    entries += Self.entries(of: catalog.bundle.mappings, catalog, &models)
    for part in catalog.bundle.parts {
      entries += Self.entries(of: part.mappings, catalog, &models, of: part)
    }
    self.entries = entries
  }

  /// Returns all files, those of one part of the bundle with that part.
  private static func files(of catalog: VersionCatalog) throws -> LoadedFiles.MappingFiles {
    let path = catalog.configuration.mappingsPath
    let files = try MappingFile.files(of: catalog.bundle, at: path)
    return try files.map { (file: $0, part: nil) }
      + (path == nil ? filesOfParts(catalog.bundle) : [])
  }

  /// Returns the files of each part of a bundle; those of none alone are beside several of them.
  private static func filesOfParts(
    _ bundle: ModelBundle
  ) throws -> LoadedFiles.MappingFiles {
    let found = try bundle.parts.flatMap { part in
      try MappingFile.files(of: part).map { (file: $0, part: part) }
    }
    let owners = Dictionary(grouping: found, by: \.file)
    var seen: Set<MappingFile> = []
    return found.compactMap { file, part in
      guard seen.insert(file).inserted else { return nil }
      return (file, owners[file]?.count == 1 ? part : nil)
    }
  }

  static func entry(
    _ file: MappingFile,
    _ catalog: VersionCatalog,
    _ models: inout LoadedModels,
    of part: ModelBundle? = nil
  ) -> Entry {
    let outcome = Result { () throws(MappingLoadingError) in
      try catalog.files.mappings.value(for: file) { () throws(MappingLoadingError) in
        try MappingLoader.load(file).registering(
          catalog.configuration.policies,
          userInfo: catalog.configuration.userInfo
        )
      }
    }
    return entry(file.name, outcome, catalog, &models, of: part)
  }

  private static func entries(
    of mappings: [LoadedMapping],
    _ catalog: VersionCatalog,
    _ models: inout LoadedModels,
    of part: ModelBundle? = nil
  ) -> [Entry] {
    var entries: [Entry] = []
    for mapping in mappings {
      let outcome = Result { () throws(MappingLoadingError) in
        try mapping.registering(
          catalog.configuration.policies,
          userInfo: catalog.configuration.userInfo
        )
      }
      entries.append(entry(mapping.name, outcome, catalog, &models, of: part))
    }
    return entries
  }

  private static func entry(
    _ name: String,
    _ outcome: Result<LoadedMapping, MappingLoadingError>,
    _ catalog: VersionCatalog,
    _ models: inout LoadedModels,
    of part: ModelBundle?
  ) -> Entry {
    let versions = part?.versions ?? catalog.knownVersions
    let ends: (source: MappedVersion?, destination: MappedVersion?) =
      switch outcome {
      case .success(let mapping): (mapping.source, mapping.destination)
      case .failure(let error): (error.source, error.destination)
      }
    let written = (
      source: ends.source?.version(among: versions) { models.model(of: $0) },
      destination: ends.destination?.version(among: versions) { models.model(of: $0) }
    )
    guard let part else {
      return Entry(
        name: name,
        outcome: outcome,
        source: written.source,
        destination: written.destination,
        written: written
      )
    }
    // A version that the part does not have may be one of the whole.
    let bundle = catalog.bundle
    var component: (@Sendable (String) -> String?)?
    if bundle.isCombination {
      component = { bundle.version(of: part, inCombination: $0) }
    }
    let whole = bundle.versions(of: part, from: written.source, to: written.destination)
    return Entry(
      name: name,
      outcome: outcome,
      source: whole.source ?? catalog.bundle.version(named: ends.source?.name ?? ""),
      destination: whole.destination ?? catalog.bundle.version(named: ends.destination?.name ?? ""),
      written: written,
      component: component
    )
  }

  /// Returns the mapping models between two versions, in the order in which they run.
  ///
  /// - Throws: The faults and holes of a file that is or may be about these versions.
  func mappings(from source: String, to destination: String) throws -> [LoadedMapping] {
    let concerned = entries.filter { $0.concerns(source, destination) }
    var validation = MappingValidation(catalog)
    for entry in concerned { validation.check(entry, isNeeded: true) }
    guard validation.complaints.isEmpty else {
      throw InvalidMappingError(diagnostics: validation.complaints)
    }
    return try concerned.map { try $0.outcome.get() }
  }

  /// Returns whether there is a mapping model between two versions, or a file that may be one.
  func hasMappings(from source: String, to destination: String) -> Bool {
    entries.contains { $0.isBetween(source, destination) }
  }

  /// Returns the mapping model between two versions, merged from all of them; `nil` if there are
  /// none.
  ///
  /// - Throws: The faults of a file that is about these versions.
  func mappingModel(from source: String, to destination: String) throws -> MappingModel? {
    let all = try mappings(from: source, to: destination)
    guard !all.isEmpty else { return nil }
    let complaints = all.sharedNames
    guard complaints.isEmpty else { throw InvalidMappingError(diagnostics: complaints) }
    return MappingModel(all)
  }

  /// The warnings about the mapping models.
  var warnings: [Diagnostic] {
    entries.flatMap { entry -> [Diagnostic] in
      guard case .success(let mapping) = entry.outcome else { return [] }
      return mapping.warnings + mapping.strangers(entry, among: catalog.bundle)
    }
  }
}

extension LoadedMapping {
  /// Returns a warning if the mapping model names versions that are not in the bundle, where it has
  /// no effect.
  func strangers(_ entry: MappingCatalog.Entry, among bundle: ModelBundle) -> [Diagnostic] {
    let ends = [(source, entry.found.source), (destination, entry.found.destination)]
      .filter { $0.1 == nil }.map(\.0)
    guard !ends.isEmpty else { return [] }
    let names = ends.compactMap(\.name).map { "\"\($0)\"" }
    let similar = ends.compactMap(\.name).first
      .flatMap { suggestion(for: $0, among: bundle.versions.map(\.name)) }
    return [
      Diagnostic(
        .warning,
        "mapping model \"\(name)\" is of versions that the model does not have",
        detail: names.isEmpty
          ? "Its file does not name them, and no version has all that it maps."
          : "There is no version \(names.joined(separator: " and no version ")).",
        hint: similar.map { "Did you mean \"\($0)\"?" },
        location: locations.location(of: .mappingModel)
      )
    ]
  }

  /// A file can name the checksums of its versions.
  func checkChecksums(_ entry: MappingCatalog.Entry, _ catalog: VersionCatalog) throws {
    let written = entry.written
    for (end, version) in [(source, written.source), (destination, written.destination)] {
      guard let checksum = end.checksum, let version else { continue }
      let actual = try catalog.load(version).hashes.checksum
      guard !actual.matches(prefix: checksum) else { continue }
      throw RemodelError(
        .editedMappedVersion(
          version.name,
          mapping: locations.location(of: .mappingModel),
          expected: checksum,
          actual: actual.text
        )
      )
    }
  }
}

/// The models of versions, each loaded once, when it is needed.
struct LoadedModels {
  private let catalog: VersionCatalog
  private var models: [String: ManagedObjectModel?] = [:]

  init(_ catalog: VersionCatalog) {
    self.catalog = catalog
  }

  mutating func model(of version: ModelVersion) -> ManagedObjectModel? {
    if let known = models[version.path] { return known }
    let model = try? catalog.wholeModel(of: version)
    models[version.path] = .some(model)
    return model
  }
}

extension Result {
  fileprivate var isFailure: Bool {
    if case .failure = self { true } else { false }
  }
}

extension MappingCatalog {
  /// Returns an error of planning with the places in the mapping models between two versions that it is
  /// about.
  func located(
    _ error: PlanningError,
    from source: String,
    to destination: String
  ) -> PlanningError {
    guard case .unmappable(var faults) = error.fact,
      let mappings = try? mappings(from: source, to: destination), !mappings.isEmpty
    else { return error }
    for index in faults.indices { faults[index].location = mappings.location(of: faults[index]) }
    return PlanningError(fact: .unmappable(faults))
  }
}

extension [LoadedMapping] {
  func location(of fault: MappingFault) -> SourceLocation {
    for mapping in self {
      let model = mapping.mappingModel
      guard let index = model.entityMappings.firstIndex(where: { $0.name == fault.mappingName })
      else { continue }
      return mapping.locations.location(
        of: fault.part.map { .expression($0) },
        in: model.entityMappings[index].element(of: fault, at: index)
      )
    }
    for mapping in self {
      guard let place = mapping.mappingModel.place(of: fault) else { continue }
      return mapping.locations.location(of: .placeholder(place.placeholder), in: place.element)
    }
    return SourceLocation(path: self[0].path)
  }
}

extension MappingModel {
  /// Returns where a placeholder stands that is of no entity mapping.
  fileprivate func place(
    of fault: MappingFault
  ) -> (element: MappingElement, placeholder: SQLTemplate.Placeholder)? {
    let name: String
    switch fault.fact {
    case .unrecognizedPlaceholder(let text), .untimelyPlaceholder(let text, _): name = text
    default: return nil
    }
    let templates =
      before.enumerated().map { (element: MappingElement.before($0), template: $1) }
      + after.enumerated().map { (element: MappingElement.after($0), template: $1) }
    for (element, template) in templates {
      if let placeholder = template.placeholders.first(where: { $0.description == name }) {
        return (element, placeholder)
      }
    }
    return nil
  }
}

extension EntityMapping {
  /// Returns the part that a fault is about, of the entity mapping at a place of its mapping model.
  fileprivate func element(of fault: MappingFault, at index: Int) -> MappingElement {
    if let name = fault.propertyName {
      if let position = attributeMappings.firstIndex(where: { $0.name == name }) {
        return .attributeMapping(entityMapping: index, position)
      }
      if let position = relationshipMappings.firstIndex(where: { $0.name == name }) {
        return .relationshipMapping(entityMapping: index, position)
      }
    }
    guard let part = fault.part else { return .entityMapping(index) }
    if condition?.parts.contains(part) ?? false { return .condition(entityMapping: index) }
    if let position = distinct?.keys.firstIndex(where: { $0.parts.contains(part) }) {
      return .distinctKey(entityMapping: index, position)
    }
    if let position = distinct?.order.firstIndex(where: { $0.expression.parts.contains(part) }) {
      return .distinctOrder(entityMapping: index, position)
    }
    return .entityMapping(index)
  }
}
