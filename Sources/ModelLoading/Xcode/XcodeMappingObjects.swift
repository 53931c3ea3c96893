/// An object of the store that Xcode keeps a mapping model in.
struct XcodeMappingObject {
  /// A type of object that matters here; the raw value is Xcode's name.
  enum Kind: String {
    case mappingModel = "XDDEVMAPPINGMODEL"
    case entityMapping = "XDDEVENTITYMAPPING"
    case attributeMapping = "XDDEVATTRIBUTEMAPPING"
    case relationshipMapping = "XDDEVRELATIONSHIPMAPPING"
  }

  let kind: Kind
  let id: String
  let offset: Int
  private var values: [String: (text: String, offset: Int)] = [:]
  private var links: [String: [String]] = [:]

  init?(_ element: XMLElement) {
    guard element.name == "object", let type = element["type"], let kind = Kind(rawValue: type)
    else { return nil }
    self.kind = kind
    id = element["id"] ?? ""
    offset = element.offset
    for child in element.children {
      guard let name = child["name"] else { continue }
      if child.name == "attribute" { values[name] = (child.text, child.offset) }
      guard child.name == "relationship" else { continue }
      links[name] = (child["idrefs"] ?? "").split(separator: " ").map(String.init)
    }
  }

  /// Returns a value that is not empty.
  func text(_ name: String) -> String? {
    guard let value = values[name]?.text, !value.isEmpty else { return nil }
    return value
  }

  /// Returns the place of a value, or of the object.
  func offset(of name: String) -> Int { values[name]?.offset ?? offset }

  /// Returns the ids of the objects that a relationship leads to.
  func ids(_ name: String) -> [String] { links[name] ?? [] }
}

/// The objects of a mapping model with their relationships.
struct XcodeMappingObjects {
  /// The mapping models; there ought to be one.
  let mappingModels: [XcodeMappingObject]
  private let objects: [XcodeMappingObject]
  private let indexByID: [String: Int]

  init(_ root: XMLElement) {
    let objects = root.children.compactMap(XcodeMappingObject.init)
    self.objects = objects
    indexByID = Dictionary(
      objects.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    mappingModels = objects.filter { $0.kind == .mappingModel }
  }

  /// Returns the destinations of a relationship of one kind; remnants of earlier edits have no
  /// relationships.
  func objects(
    _ name: String,
    of object: XcodeMappingObject,
    _ kind: XcodeMappingObject.Kind
  ) -> [XcodeMappingObject] {
    // An id that is listed over and over is one object all the same.
    var seen: Set<Int> = []
    return object.ids(name).compactMap { indexByID[$0] }.filter { seen.insert($0).inserted }
      .map { objects[$0] }.filter { $0.kind == kind }
  }
}

extension XMLElement {
  subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}
