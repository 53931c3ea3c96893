import ObjectModel

/// Merges two versions of one base, part by part.
struct ThreeWayMerge {
  let base: KeyedModel
  let first: KeyedModel
  let second: KeyedModel
  private(set) var conflicts: [MergeConflict] = []
  /// The names of the properties of merged entities, by the keys of both.
  var propertyNames: [String: [String: String]] = [:]

  init(
    _ first: ManagedObjectModel,
    _ second: ManagedObjectModel,
    over base: ManagedObjectModel
  ) {
    self.base = KeyedModel(base, over: nil)
    self.first = KeyedModel(first, over: base)
    self.second = KeyedModel(second, over: base)
  }

  // MARK: - Values

  /// A value in the base and in both versions; `nil` where there is none.
  struct Three<Value> {
    let base: Value
    let first: Value
    let second: Value

    func map<Part>(_ part: (Value) -> Part) -> Three<Part> {
      Three<Part>(base: part(base), first: part(first), second: part(second))
    }
  }

  /// Returns the value that the merge has: the one that a version changed, or both alike.
  mutating func value<Value: Equatable>(
    _ values: Three<Value>,
    _ subject: @autoclosure () -> String,
    of part: MergedPart,
    _ words: (Value) -> String
  ) -> Value {
    if values.first == values.second || values.second == values.base { return values.first }
    if values.first == values.base { return values.second }
    note(subject(), part, words(values.first), words(values.second))
    return values.first
  }

  mutating func note(_ subject: String, _ part: MergedPart, _ first: String, _ second: String) {
    conflicts.append(
      MergeConflict(
        subject: subject,
        first: .init(value: first, element: self.first.element(part)),
        second: .init(value: second, element: self.second.element(part))
      )
    )
  }

  /// Returns the values by key that the merge has.
  mutating func values<Value: Equatable>(
    _ values: Three<[String: Value]>,
    _ subject: (String) -> String,
    of part: MergedPart,
    _ words: (Value) -> String
  ) -> [String: Value] {
    var merged: [String: Value] = [:]
    let keys = Set(values.base.keys).union(values.first.keys).union(values.second.keys)
    for key in keys.sorted(by: Self.isOrdered) {
      merged[key] = value(values.map { $0[key] }, subject(key), of: part) {
        $0.map(words) ?? "none"
      }
    }
    return merged
  }

  /// Returns a list whose elements each are there or not.
  func list<Element: Hashable>(_ lists: Three<[Element]>) -> [Element] {
    let (before, first, second) = (Set(lists.base), Set(lists.first), Set(lists.second))
    let kept = before.intersection(first).intersection(second)
    let merged = kept.union(first.subtracting(before)).union(second.subtracting(before))
    return order(lists, of: merged)
  }

  /// Returns elements in the order of the version that changed it; after changes of both, new
  /// ones follow in the order of their names.
  func order<Element: Hashable>(_ lists: Three<[Element]>, of merged: Set<Element>) -> [Element] {
    let template: [Element]
    if lists.second == lists.base {
      template = lists.first
    } else if lists.first == lists.base || lists.first == lists.second {
      template = lists.second
    } else {
      let known = Set(lists.base)
      let added = merged.subtracting(known)
      template = lists.base + added.sorted { Self.isOrdered("\($0)", "\($1)") }
    }
    var rest = merged
    let ordered = template.filter { rest.remove($0) != nil }
    return ordered + rest.sorted { Self.isOrdered("\($0)", "\($1)") }
  }

  static func isOrdered(_ first: String, _ second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  /// Merges parts that are known by keys: one that a version removed is gone unless the other one
  /// changed it.
  mutating func parts<Part: Equatable>(
    _ parts: Three<[String: Part]>,
    order: Three<[String]>,
    in usualOrder: (Part) -> Part = { $0 },
    _ place: (String) -> MergedPart,
    _ phrase: (String, Part) -> String,
    _ merge: (inout ThreeWayMerge, String, Three<Part?>) -> Part
  ) -> [(key: String, part: Part)] {
    var merged: [String: Part] = [:]
    let keys = Set(parts.base.keys).union(parts.first.keys).union(parts.second.keys)
    for key in keys.sorted(by: Self.isOrdered) {
      let three = parts.map { $0[key] }
      // The order of a part's parts is no change of it.
      func same(_ part: Part, _ other: Part?) -> Bool {
        guard part != other, let other else { return part == other }
        return usualOrder(part) == usualOrder(other)
      }
      switch (three.base, three.first, three.second) {
      case (_, nil, nil): continue
      case (nil, let only?, nil), (nil, nil, let only?): merged[key] = only
      case (let before?, let left?, nil):
        guard !same(left, before) else { continue }
        note(phrase(key, before), place(key), "changed", "removed")
        merged[key] = left
      case (let before?, nil, let left?):
        guard !same(left, before) else { continue }
        note(phrase(key, before), place(key), "removed", "changed")
        merged[key] = left
      case (let before, let first?, let second?):
        if first == second || second == before {
          merged[key] = first
        } else if first == before {
          merged[key] = second
        } else if same(second, before) {
          // Of two other orders neither wins.
          merged[key] = same(first, before) ? before : first
        } else if same(first, before) {
          merged[key] = second
        } else {
          merged[key] = merge(&self, key, three)
        }
      }
    }
    return self.order(order, of: Set(merged.keys)).compactMap { key in
      merged[key].map { (key, $0) }
    }
  }

  // MARK: - The model

  mutating func model() -> ManagedObjectModel {
    let sides = Three(base: base, first: first, second: second)
    let entities = parts(
      sides.map(\.entities),
      order: sides.map(\.entityOrder),
      in: \.inUsualOrder,
      { .entity($0) },
      { "entity \"\($1.name)\"" },
      { $0.entity($1, $2) }
    )
    let composites = parts(
      sides.map { Self.named($0.model.composites, \.name) },
      order: sides.map { $0.model.composites.map(\.name) },
      { .composite($0) },
      { "composite \"\($1.name)\"" },
      { $0.composite($1, $2) }
    )
    let configurations = parts(
      sides.map { side in Self.named(side.model.configurations.map(side.keyed), \.name) },
      order: sides.map { $0.model.configurations.map(\.name) },
      { _ in .model },
      { "configuration \"\($1.name)\"" },
      { merge, name, three in
        ModelConfiguration(
          name: name,
          entityNames: merge.list(three.map { $0?.entityNames ?? [] })
        )
      }
    )
    let requests = parts(
      sides.map { side in Self.named(side.model.fetchRequests.map(side.keyed), \.name) },
      order: sides.map { $0.model.fetchRequests.map(\.name) },
      { _ in .model },
      { "fetch request \"\($1.name)\"" },
      { merge, name, three in
        merge.note("fetch request \"\(name)\"", .model, "changed", "changed")
        return three.first ?? FetchRequestTemplate(name: name, entityName: "")
      }
    )
    let layout = value(sides.map(\.model.layout), "the layout", of: .model) { "\($0)" }
    var names = MergedNames(entities, in: self)
    let model = ManagedObjectModel(
      entities: entities.map { names.entity($0.part, $0.key) },
      composites: composites.map(\.part),
      configurations: configurations.map { names.configuration($0.part) },
      fetchRequests: requests.map { names.request($0.part, .model) },
      // Nothing depends on it, so the versions need not agree on it.
      versionIdentifier: Self.unimportant(sides.map(\.model.versionIdentifier)),
      foreign: foreign(sides.map(\.model.foreign)),
      layout: layout
    )
    // Names lead anywhere where versions are in conflict.
    guard conflicts.isEmpty else { return model }
    if names.lost.isEmpty { names.checkReferences(of: entities, in: model) }
    for lost in names.lost { note(lost.subject, lost.part, lost.first, lost.second) }
    return model
  }

  static func named<Part>(_ parts: [Part], _ name: (Part) -> String) -> [String: Part] {
    Dictionary(parts.map { (name($0), $0) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func composite(
    _ name: String,
    _ three: Three<CompositeDescription?>
  ) -> CompositeDescription {
    func elements(
      _ composite: CompositeDescription?,
      _ side: KeyedModel
    )
      -> [(key: String, element: AttributeDescription)]
    {
      (composite?.elements ?? []).map { (side.elementKeys[name]?[$0.name] ?? $0.name, $0) }
    }
    let lists = Three(
      base: elements(three.base, base),
      first: elements(three.first, first),
      second: elements(three.second, second)
    )
    let merged = parts(
      lists.map { list in
        Dictionary(list.map { ($0.key, $0.element) }, uniquingKeysWith: { first, _ in first })
      },
      order: lists.map { $0.map(\.key) },
      { _ in .composite(name) },
      { "element \"\($1.name)\" of composite \"\(name)\"" },
      { merge, _, three in
        merge.attribute(three, .composite(name), of: "composite \"\(name)\"")
      }
    )
    return CompositeDescription(
      name: name,
      elements: merged.map(\.part),
      foreign: foreign(three.map { $0?.foreign ?? ForeignContent() })
    )
  }

  // MARK: - What has no meaning for a database

  /// Returns one of several values on which nothing depends, whatever the order of the versions.
  static func unimportant(_ values: Three<String?>) -> String? {
    if values.first == values.second || values.second == values.base { return values.first }
    if values.first == values.base { return values.second }
    guard let first = values.first else { return values.second }
    guard let second = values.second else { return first }
    return isOrdered(first, second) ? second : first
  }

  func foreign(_ contents: Three<ForeignContent>) -> ForeignContent {
    var attributes: [String: String] = [:]
    let keys = Set(contents.first.attributes.keys).union(contents.second.attributes.keys)
    for key in keys {
      attributes[key] = Self.unimportant(contents.map { $0.attributes[key] })
    }
    let elements = contents.map(\.elements)
    let merged: [ForeignElement]
    if elements.first == elements.second || elements.second == elements.base {
      merged = elements.first
    } else if elements.first == elements.base {
      merged = elements.second
    } else {
      merged = list(elements)
    }
    return ForeignContent(attributes: attributes, elements: merged)
  }
}
