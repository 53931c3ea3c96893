/// An archive of `NSKeyedArchiver`: objects of classes, with values by key.
struct KeyedArchive {
  /// The faults of an archive.
  enum Fault: Error, Hashable {
    case list(BinaryPropertyList.Fault)
    /// It is a property list, but no archive.
    case notAnArchive
  }

  /// An object by its position; methods read its value.
  struct Reference: Hashable {
    fileprivate let index: Int
  }

  /// The outermost object.
  let root: Reference

  private let list: BinaryPropertyList
  /// The positions of the archive's objects in the property list.
  private let members: [Int]

  init(_ bytes: [UInt8]) throws(Fault) {
    do {
      list = try BinaryPropertyList(bytes)
    } catch {
      throw .list(error)
    }
    guard case .dictionary = list.objects[list.top],
      let objects = Self.value("$objects", of: list.top, in: list),
      case .array(let members) = list.objects[objects],
      let top = Self.value("$top", of: list.top, in: list),
      let root = Self.value("root", of: top, in: list),
      case .uid(let index) = list.objects[root], members.indices.contains(index)
    else { throw .notAnArchive }
    self.members = members
    self.root = Reference(index: members[index])
  }

  func className(of object: Reference) -> String? {
    guard let type = value("$class", of: object) else { return nil }
    return value("$classname", of: type).flatMap(text)
  }

  /// Returns an object that another has under a key.
  func value(_ key: String, of object: Reference) -> Reference? {
    Self.value(key, of: object.index, in: list).flatMap(resolved)
  }

  /// Returns the objects of an array of Foundation's, and of any other collection.
  func elements(of object: Reference) -> [Reference]? {
    elements("NS.objects", of: object)
  }

  /// Returns the keys of a dictionary of Foundation's.
  func keys(of object: Reference) -> [Reference]? {
    elements("NS.keys", of: object)
  }

  private func elements(_ key: String, of object: Reference) -> [Reference]? {
    guard let value = Self.value(key, of: object.index, in: list),
      case .array(let elements) = list.objects[value]
    else { return nil }
    let resolved = elements.compactMap(resolved)
    return resolved.count == elements.count ? resolved : nil
  }

  /// Returns the text of an object, if it is one.
  func text(_ object: Reference) -> String? {
    if case .string(let text) = list.objects[object.index] { return text }
    // Mutable texts are objects with their own class.
    guard let inner = value("NS.string", of: object), inner != object,
      case .string(let text) = list.objects[inner.index]
    else { return nil }
    return text
  }

  /// Returns the object of the property list.
  func plain(_ object: Reference) -> BinaryPropertyList.Object { list.objects[object.index] }

  /// Every text in the archive.
  var texts: Set<String> {
    Set(
      list.objects.compactMap { object in
        if case .string(let text) = object { text } else { nil }
      }
    )
  }

  private func resolved(_ index: Int) -> Reference? {
    guard case .uid(let member) = list.objects[index] else { return Reference(index: index) }
    return members.indices.contains(member) ? Reference(index: members[member]) : nil
  }

  private static func value(_ key: String, of index: Int, in list: BinaryPropertyList) -> Int? {
    guard case .dictionary(let keys, let values) = list.objects[index] else { return nil }
    return zip(keys, values).first { list.objects[$0.0] == .string(key) }?.1
  }
}
