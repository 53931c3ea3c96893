import Diagnostics
import ModelMapping

/// Entity mappings and their properties.
extension XcodeMappingReader {
  mutating func entityMapping(
    _ object: XcodeMappingObject,
    _ properties: [XcodeMappingObject],
    from source: String?,
    to destination: String?,
    at index: Int
  ) -> EntityMapping {
    offsets[.entityMapping(index)] = object.offset
    offsets[.source(entityMapping: index)] = object.offset(of: "sourcename")
    offsets[.destination(entityMapping: index)] = object.offset(of: "destinationname")
    offsets[.policy(entityMapping: index)] = object.offset(of: "migrationpolicyclassname")
    var mapping = EntityMapping(
      name: object.text("name")
        ?? EntityMapping.defaultName(source: source, destination: destination),
      type: .transform,
      sourceEntityName: source,
      destinationEntityName: destination,
      condition: condition(of: object, at: index),
      policyClassName: object.text("migrationpolicyclassname"),
      userInfo: userInfo(of: object)
    )
    mapping.type = mapping.authoredType
    checkSourceExpression(of: object, at: index)
    guard destination != nil else { return mapping }
    for property in properties {
      guard let name = property.text("name") else { continue }
      switch property.kind {
      case .attributeMapping:
        let element = MappingElement.attributeMapping(
          entityMapping: index,
          mapping.attributeMappings.count
        )
        mapping.attributeMappings += propertyMapping(property, name, element).map { [$0] } ?? []
      case .relationshipMapping:
        let element = MappingElement.relationshipMapping(
          entityMapping: index,
          mapping.relationshipMappings.count
        )
        mapping.relationshipMappings += propertyMapping(property, name, element).map { [$0] } ?? []
      case .mappingModel, .entityMapping: continue
      }
    }
    return mapping
  }

  private mutating func condition(
    of object: XcodeMappingObject,
    at index: Int
  ) -> Predicate? {
    let key = "sourcefilterpredicatestring"
    guard let text = object.text(key) else { return nil }
    let element = MappingElement.condition(entityMapping: index)
    offsets[element] = object.offset(of: key)
    do {
      return try Predicate(parsing: text)
    } catch {
      addHole("\(text) (\(error.message))", to: element, at: object.offset(of: key))
      return nil
    }
  }

  /// The author's own expression that selects the source's rows cannot be carried out.
  private mutating func checkSourceExpression(of object: XcodeMappingObject, at index: Int) {
    let key = "sourceexpressiondata"
    guard object.text("autogenerateexpression") == "0", let data = object.text(key),
      let expression = expression(data, at: object.offset(of: key))
    else { return }
    let words =
      switch expression {
      case .success(let archived): archived.text
      case .failure(let reason): reason.text
      }
    addHole(
      "the rows are those of \(words)",
      to: .condition(entityMapping: index),
      at: object.offset(of: key)
    )
  }

  // MARK: - Properties

  /// Returns the mapping of a property; none if it follows inference.
  private mutating func propertyMapping(
    _ object: XcodeMappingObject,
    _ name: String,
    _ element: MappingElement
  ) -> PropertyMapping? {
    let key = "valueexpressiondata"
    let offset = object.offset(of: key)
    let isGenerated = object.text("autogenerateexpression") == "1"
    let text: String
    if let data = object.text(key) {
      guard let expression = expression(data, at: offset) else { return nil }
      switch expression {
      case .failure(let reason):
        addHole(reason.text, to: element, at: offset)
        return PropertyMapping(name: name)
      case .success(let archived): text = archived.text
      }
      if isGenerated { warnOfGenerated(name, text, at: offset) }
    } else if let mappingName = object.text("sourcemappingname") {
      let path = object.text("sourcekeypath") ?? name
      text = Self.lookup(of: mappingName, path)
    } else {
      // The expressions that Xcode generates equal the inferred ones.
      let isWithoutValue =
        object.kind == .relationshipMapping && object.text("autogenerateexpression") == "0"
      guard isWithoutValue else { return nil }
      text = "NULL"
    }
    offsets[element] = offset
    do {
      let expression = try Expression(parsing: text)
      // Whoever registers the method needs no hole.
      if expression.parts.contains(where: \.isPolicyCall) {
        addHole("\(text) calls code of the policy", to: element, at: offset)
      }
      return PropertyMapping(
        name: name,
        valueExpression: .expression(expression),
        userInfo: userInfo(of: object)
      )
    } catch {
      addHole("\(text) (\(error.message))", to: element, at: offset)
      return PropertyMapping(name: name)
    }
  }

  private static func lookup(of mappingName: String, _ path: String) -> String {
    let selector = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    let arguments = [selector, mappingName].map { Expression.Constant.string($0).description }
    let keyPath = KeyPathExpression(path.split(separator: ".").map(String.init))
    return "FUNCTION($manager, \(arguments.joined(separator: ", ")), $source.\(keyPath))"
  }

  private mutating func warnOfGenerated(_ name: String, _ text: String, at offset: Int) {
    note(
      .warning,
      "value expression of property \"\(name)\" is marked as generated by Xcode",
      detail: "The stored expression is taken: \(text).",
      at: offset
    )
  }

  /// An expression that the language cannot express.
  struct Wordless: Error {
    let text: String
  }

  /// Returns an archived expression, or the reason why the language cannot express it; `nil` if it
  /// is damaged.
  private mutating func expression(
    _ data: String,
    at offset: Int
  ) -> Result<ArchivedExpression, Wordless>? {
    do {
      return .success(try ArchivedExpression(base64: data))
    } catch .unrecognizedClass(let name) {
      return .failure(Wordless(text: "an expression with an object of class \(name)"))
    } catch {
      note(.error, "archived expression cannot be read: \(error.words)", at: offset)
      return nil
    }
  }

  private mutating func userInfo(of object: XcodeMappingObject) -> [String: String] {
    let key = "userinfodata"
    guard let data = object.text(key) else { return [:] }
    guard let bytes = bytes(ofBase64: data), let archive = try? KeyedArchive(bytes),
      let keys = archive.keys(of: archive.root), let values = archive.elements(of: archive.root),
      keys.count == values.count
    else {
      note(.warning, "user info cannot be read and is left out", at: object.offset(of: key))
      return [:]
    }
    let texts = zip(keys, values).compactMap { key, value in
      archive.text(key).flatMap { key in archive.text(value).map { (key, $0) } }
    }
    return Dictionary(texts, uniquingKeysWith: { first, _ in first })
  }
}

extension Expression {
  fileprivate var isPolicyCall: Bool {
    if case .policyCall = self { true } else { false }
  }
}

extension ArchivedExpression.Fault {
  /// The fault, for people.
  fileprivate var words: String {
    switch self {
    case .notBase64: "it is not in base 64"
    case .archive(.list(.notABinaryPropertyList)): "it is no binary property list"
    case .archive(.list(.malformed(let offset))): "the property list is malformed at byte \(offset)"
    case .archive(.notAnArchive): "the property list is no archive of objects"
    case .unrecognizedClass(let name): "it has an object of class \(name)"
    case .incomplete(let name): "an object of class \(name) lacks a part"
    case .tooDeep: "it is nested too deep"
    }
  }
}
