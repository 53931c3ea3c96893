import Diagnostics
import ObjectModel

/// Reads a model from YAML.
///
/// It reports a fault and continues, so that one run shows them all.
struct YAMLModelReader: YAMLReader {
  let source: SourceText
  var diagnostics: [Diagnostic] = []
  var offsets: [ModelElement: Int] = [:]
  var bases: [VersionBase] = []
  /// The attributes without anything but a type, of which the entities of a large model have few.
  var plainAttributes: [PlainAttribute: AttributeDescription] = [:]

  /// The version of the format that this reads.
  static let formatVersion = "1"

  static func read(_ root: YAMLNode, of source: SourceText) -> ModelDraft {
    var reader = YAMLModelReader(source: source)
    // About as many as there are short lines.
    reader.offsets.reserveCapacity(source.bytes.count / 32)
    let model = reader.model(root)
    return ModelDraft(
      model: model,
      bases: reader.bases,
      offsets: reader.offsets,
      diagnostics: reader.diagnostics
    )
  }

  private mutating func model(_ root: YAMLNode) -> ManagedObjectModel {
    offsets[.model] = root.offset
    guard let version = formatVersion(of: root) else { return ManagedObjectModel(entities: []) }
    guard version == Self.formatVersion else {
      error(
        "unsupported format version \"\(version)\"",
        detail: "This release reads version \(Self.formatVersion).",
        at: root.offset
      )
      return ManagedObjectModel(entities: [])
    }
    let fields = fields(of: root, keys: YAMLKeys.model, in: "the model")
    if fields["entities"] == nil {
      error("model has no key \"entities\"", at: root.offset)
    }
    bases = bases(fields)
    var entities: [EntityDescription] = []
    for entry in entries(of: fields["entities"], what: "entities") {
      entities.append(entity(entry, at: entities.count))
    }
    var composites: [CompositeDescription] = []
    for entry in entries(of: fields["composites"], what: "composites") {
      composites.append(composite(entry, at: composites.count))
    }
    addForeign(fields["xcodeComposites"], to: &composites)
    var configurations: [ModelConfiguration] = []
    for entry in entries(of: fields["configurations"], what: "configurations") {
      offsets[.configuration(configurations.count)] = entry.keyOffset
      let names = texts(entry.value, what: "configuration \"\(entry.key)\"")
      configurations.append(ModelConfiguration(name: entry.key, entityNames: names))
    }
    var requests: [FetchRequestTemplate] = []
    for entry in entries(of: fields["fetchRequests"], what: "fetch requests") {
      offsets[.fetchRequest(requests.count)] = entry.keyOffset
      requests += fetchRequest(entry).map { [$0] } ?? []
    }
    return ManagedObjectModel(
      entities: entities,
      composites: composites,
      configurations: configurations,
      fetchRequests: requests,
      versionIdentifier: text(fields["identifier"], what: "identifier"),
      foreign: foreign(fields),
      layout: layout(fields["layout"])
    )
  }

  /// Returns the format version, which also identifies Remodel's files, or reports a fault.
  private mutating func formatVersion(of root: YAMLNode) -> String? {
    guard case .mapping(let entries) = root.content,
      let node = entries.first(where: { $0.key == "remodel" })?.value
    else {
      error(
        "file is not a model: it has no key \"remodel\"",
        hint: "Start the file with \"remodel: \(Self.formatVersion)\".",
        at: root.offset
      )
      return nil
    }
    return text(node, what: "remodel")
  }

  private mutating func composite(_ entry: YAMLEntry, at index: Int) -> CompositeDescription {
    offsets[.composite(index)] = entry.keyOffset
    var elements: [AttributeDescription] = []
    for element in entries(of: entry.value, what: "composite \"\(entry.key)\"") {
      offsets[.compositeElement(composite: index, elements.count)] = element.keyOffset
      elements.append(attribute(element))
    }
    return CompositeDescription(name: entry.key, elements: elements)
  }
}

/// Contents that only Xcode uses.
extension YAMLModelReader {
  /// Returns the contents of `xcode` and `xcodeElements`.
  mutating func foreign(_ fields: YAMLKeyedNodes) -> ForeignContent {
    ForeignContent(
      attributes: userInfo(fields["xcode"]),
      elements: items(of: fields["xcodeElements"], what: "xcodeElements").map { foreignElement($0) }
    )
  }

  private mutating func foreignElement(_ node: YAMLNode) -> ForeignElement {
    let place = "an element of xcodeElements"
    let fields = fields(of: node, keys: YAMLKeys.foreignElement, in: place)
    if fields["name"] == nil { error("\(place) has no key \"name\"", at: node.offset) }
    return ForeignElement(
      name: text(fields["name"], what: "name") ?? "",
      attributes: userInfo(fields["attributes"]),
      elements: items(of: fields["elements"], what: "elements").map { foreignElement($0) }
    )
  }

  /// Adds Xcode's contents to composites, whose own keys are their elements.
  mutating func addForeign(_ node: YAMLNode?, to composites: inout [CompositeDescription]) {
    for entry in entries(of: node, what: "xcodeComposites") {
      let place = "xcodeComposites \"\(entry.key)\""
      let fields = fields(of: entry.value, keys: YAMLKeys.foreign, in: place)
      guard let index = composites.firstIndex(where: { $0.name == entry.key }) else {
        error("there is no composite \"\(entry.key)\"", at: entry.keyOffset)
        continue
      }
      composites[index].foreign = foreign(fields)
    }
  }
}
