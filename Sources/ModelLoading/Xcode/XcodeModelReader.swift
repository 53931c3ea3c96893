import Diagnostics
import ObjectModel

/// Reads a model from Xcode's XML.
///
/// It reports a fault and continues, so that one run shows them all.
struct XcodeModelReader: FileReader {
  let source: SourceText
  var diagnostics: [Diagnostic] = []
  var offsets: [ModelElement: Int] = [:]
  /// The foreign rest of elements whose values cannot store it; the model stores it.
  var leftovers: [ForeignElement] = []
  /// How all tables are laid out, as far as entities said it.
  var layout = LayoutDescription()
  /// The places of the attributes of the element that was complained about last.
  var attributeOffsets: AttributeOffsets?

  static func read(_ root: XMLElement, of source: SourceText) -> ModelDraft {
    var reader = XcodeModelReader(source: source)
    let model = reader.model(root)
    return ModelDraft(model: model, offsets: reader.offsets, diagnostics: reader.diagnostics)
  }

  private mutating func model(_ root: XMLElement) -> ManagedObjectModel {
    offsets[.model] = root.offset
    guard root.name == "model" else {
      error("file is not a model: its root element is \"\(root.name)\", not \"model\"", at: root)
      return ManagedObjectModel(entities: [])
    }
    var element = XcodeElement(root)
    let identifier = element.takeText("userDefinedModelVersionIdentifier")
    for (name, value) in Self.format {
      if let other = element.take(name), other != value { element.putBack(name, other) }
    }
    var entities: [EntityDescription] = []
    var composites: [CompositeDescription] = []
    var configurations: [ModelConfiguration] = []
    var requests: [FetchRequestTemplate] = []
    var others: [XMLElement] = []
    for child in root.children {
      switch child.name {
      case "entity": entities += entity(child, at: entities.count)
      case "composite": composites += composite(child, at: composites.count)
      case "configuration": configurations += configuration(child, at: configurations.count)
      case "fetchRequest":
        if let request = fetchRequest(child) {
          offsets[.fetchRequest(requests.count)] = child.offset
          requests.append(request)
        }
      case "fetchIndex", "fetchedProperty":
        warning("\(child.name) outside of an entity is left out", at: child)
      default: others.append(child)
      }
    }
    var foreign = foreign(element, others: others, known: Self.modelForeign, elements: ["elements"])
    // Elements of entities first, wherever the others stand, so that each finds its own again.
    foreign.elements += leftovers.filter { $0.name != "configuration" }
    foreign.elements += leftovers.filter { $0.name == "configuration" }
    return ManagedObjectModel(
      entities: entities,
      composites: composites,
      configurations: configurations,
      fetchRequests: requests,
      versionIdentifier: identifier,
      foreign: foreign,
      layout: layout
    )
  }

  /// The attributes of every model's root element that describe the file itself.
  static let format = [
    ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"),
  ]

  private static let modelForeign: Set = [
    "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
    "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData", "name", "macOSVersion", "iOSVersion",
  ]
}
