import Diagnostics
import ObjectModel

/// `<userInfo>`, and Remodel's settings in it.
extension XcodeModelReader {
  /// Takes the user info out of the elements inside another one.
  mutating func userInfo(besides others: inout [XMLElement]) -> [String: String] {
    let elements = others.filter { $0.name == "userInfo" }
    others.removeAll { $0.name == "userInfo" }
    return elements.reduce(into: [:]) { $0.merge(userInfo($1)) { _, last in last } }
  }

  mutating func userInfo(_ root: XMLElement) -> [String: String] {
    var entries: [String: String] = [:]
    for child in root.children where isExpected(child, "entry", in: root) {
      var element = XcodeElement(child)
      guard let key = required("key", of: &element) else { continue }
      let value = element.take("value") ?? ""
      if entries.updateValue(value, forKey: key) != nil {
        error("user info has two values for key \"\(key)\"", at: child)
      }
      _ = foreign(element, others: child.children, known: [])
    }
    return entries
  }

  /// Reports settings that are not allowed for their element.
  mutating func refuseRest(of settings: StorageSettings, at root: XMLElement, allowed: [String]) {
    for name in settings.names {
      error(
        "element \"\(root.name)\" has no setting \"\(StorageSettings.prefix)\(name)\"",
        detail: allowed.isEmpty
          ? nil
          : "It has \(allowed.map { "\"\(StorageSettings.prefix)\($0)\"" }.joined(separator: ", ")).",
        hint: suggestion(for: name, among: allowed).map {
          "Did you mean \"\(StorageSettings.prefix)\($0)\"?"
        },
        at: root
      )
    }
  }
}

/// Remodel's own keys in user info, for settings that Xcode's format lacks.
struct StorageSettings {
  static let prefix = "remodel."
  private var values: [String: String] = [:]

  /// Creates settings, and takes them out of the user info.
  init(takingFrom userInfo: inout [String: String]) {
    guard !userInfo.isEmpty else { return }
    for (key, value) in userInfo where key.hasPrefix(Self.prefix) {
      values[String(key.dropFirst(Self.prefix.count))] = value
      userInfo[key] = nil
    }
  }

  var names: [String] { values.keys.sorted() }

  mutating func take(_ name: String) -> String? {
    values.removeValue(forKey: name)
  }

  /// Takes the settings whose names begin so, under the rest of their names.
  mutating func takeAll(_ prefix: String) -> [String: String] {
    var taken: [String: String] = [:]
    for name in values.keys where name.hasPrefix(prefix) {
      taken[String(name.dropFirst(prefix.count))] = values.removeValue(forKey: name)
    }
    return taken
  }

  /// Takes the checks and the names of objects of an entity.
  mutating func liftNames(into entity: inout EntityDescription) {
    let checks = takeAll("check.").map { CheckDescription(name: $0, expression: $1) }
    entity.checks = checks.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    entity.objectNames = takeAll("name.")
  }
}
