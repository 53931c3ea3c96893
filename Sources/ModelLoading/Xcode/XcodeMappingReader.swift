import Diagnostics
import ModelMapping

/// Reads a mapping model from Xcode's XML.
///
/// Parts that a server cannot carry out or the language cannot express become holes; a damaged file
/// is an error.
struct XcodeMappingReader: FileReader {
  let source: SourceText
  let objects: XcodeMappingObjects
  var diagnostics: [Diagnostic] = []
  var offsets: [MappingElement: Int] = [:]
  var holes: [MappingHole] = []

  static func read(_ root: XMLElement, of source: SourceText) -> MappingDraft {
    var reader = XcodeMappingReader(source: source, objects: XcodeMappingObjects(root))
    var draft = MappingDraft()
    reader.fill(&draft, from: root)
    draft.offsets = reader.offsets
    draft.holes = reader.holes
    draft.diagnostics = reader.diagnostics
    return draft
  }

  private mutating func fill(_ draft: inout MappingDraft, from root: XMLElement) {
    offsets[.mappingModel] = root.offset
    guard root.name == "database", let model = objects.mappingModels.first,
      objects.mappingModels.count == 1
    else {
      let found =
        root.name == "database"
        ? "it has \(objects.mappingModels.count) mapping models"
        : "its root element is \"\(root.name)\", not \"database\""
      note(.error, "file is not a mapping model: \(found)", at: root.offset)
      return
    }
    draft.source = version(model, "source")
    draft.destination = version(model, "destination")
    for object in entityMappings(of: model) {
      let sourceName = object.text("sourcename")
      let destinationName = object.text("destinationname")
      guard sourceName != nil || destinationName != nil else {
        note(
          .warning,
          "entity mapping \"\(object.text("name") ?? "")\" has no entity and is left out",
          at: object.offset
        )
        continue
      }
      let properties = self.properties(of: object)
      if let sourceName { draft.source.propertyNames[sourceName, default: []] = [] }
      if let destinationName {
        draft.destination.propertyNames[destinationName, default: []]
          .formUnion(properties.compactMap { $0.text("name") })
      }
      let index = draft.mappingModel.entityMappings.count
      draft.mappingModel.entityMappings.append(
        entityMapping(object, properties, from: sourceName, to: destinationName, at: index)
      )
    }
  }

  /// Returns the entity mappings in the order in which they are carried out.
  private func entityMappings(of model: XcodeMappingObject) -> [XcodeMappingObject] {
    objects.objects("entitymappings", of: model, .entityMapping).enumerated()
      .map {
        (number: $0.element.text("mappingnumber").flatMap { Int($0) } ?? 0, $0.offset, $0.element)
      }
      .sorted { ($0.number, $0.1) < ($1.number, $1.1) }
      .map(\.2)
  }

  private func properties(of object: XcodeMappingObject) -> [XcodeMappingObject] {
    objects.objects("attributemappings", of: object, .attributeMapping)
      + objects.objects("relationshipmappings", of: object, .relationshipMapping)
  }

  /// Returns the known parts of a version: its name in a path, and the names in the copy of its
  /// model.
  private mutating func version(_ model: XcodeMappingObject, _ end: String) -> MappedVersion {
    let path = model.text("\(end)modelpath")
    let name = path.map { FilePath.split(FilePath.name(of: $0)) }
    var copiedNames: Set<String> = []
    if let data = model.text("\(end)modeldata"), let bytes = bytes(ofBase64: data),
      let archive = try? KeyedArchive(bytes)
    {
      copiedNames = archive.texts
    }
    return MappedVersion(
      name: name?.suffix == "xcdatamodel" ? name?.stem : nil,
      copiedNames: copiedNames
    )
  }

  mutating func addHole(_ reason: String, to element: MappingElement, at offset: Int) {
    offsets[element] = offset
    holes.append(MappingHole(element, reason: reason))
  }
}
