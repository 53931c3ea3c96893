import Diagnostics

/// Goes over a model once and notes its faults; topics are in extensions.
struct ModelValidator {
  let model: ManagedObjectModel
  var complaints: [ModelComplaint] = []
  let entityNames: Set<String>
  let compositeNames: Set<String>
  /// Looking for a similar name compares it with all of them, so only the first faults get one.
  private var comparisonsLeft = 50_000

  init(_ model: ManagedObjectModel) {
    self.model = model
    entityNames = Set(model.entities.map(\.name))
    compositeNames = Set(model.composites.map(\.name))
  }

  mutating func validate() {
    checkEntityNames()
    checkHierarchies()
    checkPartitioning()
    checkDistribution()
    checkComposites()
    checkConfigurations()
    checkFetchRequests()
  }

  mutating func add(
    _ fact: ModelComplaint.Fact,
    to element: ModelElement,
    _ severity: Diagnostic.Severity = .error
  ) {
    complaints.append(ModelComplaint(element: element, fact: fact, severity: severity))
  }

  mutating func add(_ complaint: ModelComplaint?) {
    if let complaint { complaints.append(complaint) }
  }

  mutating func similar(to name: String, among candidates: some Collection<String>) -> String? {
    guard comparisonsLeft > 0 else { return nil }
    comparisonsLeft -= candidates.count
    return suggestion(for: name, among: candidates)
  }

  /// Checks the rules for all names.
  mutating func checkName(_ name: String, of element: ModelElement) {
    if name.isEmpty { add(.emptyName, to: element) }
    if name.utf8.contains(0) { add(.nulInName, to: element) }
  }

  mutating func checkStorageName(
    _ name: String?,
    _ kind: ModelComplaint.StorageName,
    of element: ModelElement
  ) {
    guard let name else { return }
    if name.isEmpty { add(.emptyStorageName(kind), to: element) }
    if name.utf8.count > 63 { add(.longStorageName(kind, name), to: element) }
    if name.utf8.contains(0) { add(.nulInName, to: element) }
  }

  // MARK: - Whole model

  private mutating func checkEntityNames() {
    var names: Set<String> = []
    var canonicalNames = CanonicalNames()
    for (index, entity) in model.entities.enumerated() {
      checkName(entity.name, of: .entity(index))
      guard names.insert(entity.name).inserted else {
        add(.duplicateName, to: .entity(index))
        continue
      }
      add(canonicalNames.insert(entity.name, entity.canonicalName, .entity(index)).complaint)
    }
  }

  private mutating func checkConfigurations() {
    var names: Set<String> = []
    for (index, configuration) in model.configurations.enumerated() {
      let element = ModelElement.configuration(index)
      checkName(configuration.name, of: element)
      if !names.insert(configuration.name).inserted { add(.duplicateName, to: element) }
      if configuration.entityNames.isEmpty { add(.emptyList, to: element, .warning) }
      for name in configuration.entityNames { checkEntity(name, of: element) }
    }
  }

  private mutating func checkFetchRequests() {
    var names: Set<String> = []
    for (index, request) in model.fetchRequests.enumerated() {
      let element = ModelElement.fetchRequest(index)
      checkName(request.name, of: element)
      if !names.insert(request.name).inserted { add(.duplicateName, to: element) }
      checkEntity(request.entityName, of: element, .warning)
    }
  }

  mutating func checkEntity(
    _ name: String,
    of element: ModelElement,
    _ severity: Diagnostic.Severity = .error
  ) {
    guard !entityNames.contains(name) else { return }
    let suggestion = similar(to: name, among: entityNames)
    add(.unrecognizedEntity(name, suggestion: suggestion), to: element, severity)
  }
}
