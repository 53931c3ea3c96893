internal import SQLSyntax

/// The characteristics that determine the version hash and the layout digest, in ascending order of
/// the keys, without transient properties.
extension ManagedObjectModel {
  /// The layout, where it is not the usual one.
  var layoutSerialisation: CanonicalWriter {
    var writer = CanonicalWriter()
    writer.object { writer in
      writer.key("constraints")
      writer.value(layout.constraints.rawValue)
      if layout.distribution != .tables {
        writer.key("distribution")
        writer.value(layout.distribution.rawValue)
      }
      writer.key("indexNames")
      writer.value(layout.indexNames.rawValue)
    }
    return writer
  }

  func serialisation(
    of entity: EntityDescription,
    parent: VersionHash?,
    layout: Bool
  ) -> CanonicalWriter {
    // As long as that of an entity with a dozen properties.
    var writer = CanonicalWriter(capacity: 4096)
    let isRoot = entity.superentityName == nil
    writer.object { writer in
      writer.key("abstract")
      writer.value(entity.isAbstract)
      writer.key("attributes")
      writer.array(entity.attributes.filter { !$0.isTransient }.sortedByName(\.name)) {
        write($1, to: &$0, layout: layout, within: [])
      }
      if layout, !entity.checks.isEmpty {
        writer.key("checks")
        writer.write(entity.checks.map { ($0.name, $0.expression) })
      }
      if layout, let distribution = entity.distribution {
        writer.key("distribution")
        writer.write(distribution)
      }
      if layout {
        writer.key("indexes")
        let serialisations = entity.declaredIndexes.map {
          $0.serialisation(named: self.layout.indexNames == .model)
        }
        writer.array(serialisations.sortedByBytes()) { $0.value($1) }
      }
      writer.key("key")
      if isRoot {
        writer.write(entity.key, layout: layout)
      } else {
        writer.value(nil as String?)
      }
      writer.key("modifier")
      writer.value(entity.versionHashModifier)
      writer.key("name")
      writer.value(entity.name)
      if layout, !entity.objectNames.isEmpty {
        writer.key("names")
        writer.write(entity.objectNames.map { ($0.key, $0.value) })
      }
      writer.key("parent")
      writer.value(parent?.text)
      if layout, let partitioning = entity.partitioning {
        writer.key("partition")
        writer.write(partitioning)
      }
      writer.key("relationships")
      writer.array(entity.relationships.filter { !$0.isTransient }.sortedByName(\.name)) {
        write($1, of: entity, to: &$0, layout: layout)
      }
      if layout, !entity.storage.isEmpty {
        writer.key("storage")
        writer.write(entity.storage.map { ($0.key, $0.value) })
      }
      writer.key("table")
      writer.value(entity.tableName)
      if layout {
        writer.key("uniqueness")
        writer.array(entity.uniquenessConstraints.map(\.serialisation).sortedByBytes()) {
          $0.value($1)
        }
      }
    }
    return writer
  }

  private func write(
    _ attribute: AttributeDescription,
    to writer: inout CanonicalWriter,
    layout: Bool,
    within composites: [String]
  ) {
    writer.object { writer in
      writer.key("column")
      writer.value(attribute.columnName)
      writer.key("composite")
      if case .composite(let name) = attribute.type, !composites.contains(name),
        let composite = composite(named: name)
      {
        writer.array(composite.elements.sortedByName(\.name)) {
          write($1, to: &$0, layout: layout, within: composites + [name])
        }
      } else {
        writer.value(nil as String?)
      }
      if layout {
        writer.key("default")
        writer.value(attribute.defaultValue.map(\.canonicalText))
        writer.write("defaultSQL", ifSet: attribute.defaultExpression)
      }
      writer.key("derivation")
      writer.value(attribute.derivationExpression)
      if layout {
        writer.key("enforced")
        writer.value(attribute.validation.isEnforced ? attribute.validation.canonicalText : nil)
      }
      // Like derived values, generated ones cannot be written by applications.
      writer.write("generatedSQL", ifSet: attribute.generationExpression)
      writer.key("modifier")
      writer.value(attribute.versionHashModifier)
      writer.key("name")
      writer.value(attribute.name)
      if layout { writer.write("numbered", ifSet: attribute.numbering?.rawValue) }
      writer.key("optional")
      writer.value(attribute.isOptional)
      writer.key("type")
      writer.value(attribute.type.description)
    }
  }

  private func write(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription,
    to writer: inout CanonicalWriter,
    layout: Bool
  ) {
    writer.object { writer in
      writer.key("column")
      writer.value(relationship.columnName)
      if layout {
        writer.key("deleteRule")
        writer.value(relationship.deleteRule.rawValue)
      }
      writer.key("destination")
      writer.value(relationship.destinationEntityName)
      writer.key("inverse")
      writer.value(relationship.inverseName)
      writer.key("joinTable")
      writer.value(relationship.joinTableName)
      writer.key("maximum")
      writer.value(relationship.effectiveMaximumCount)
      writer.key("minimum")
      writer.value(relationship.effectiveMinimumCount)
      writer.key("modifier")
      writer.value(relationship.versionHashModifier)
      writer.key("name")
      writer.value(relationship.name)
      writer.key("optional")
      writer.value(relationship.isOptional)
      writer.key("ordered")
      writer.value(relationship.isOrdered)
      if layout, let reference = relationship.reference?.unlessOrdinary {
        writer.key("reference")
        writer.write(reference)
      }
      if layout {
        // Renaming identifiers decide which of two ends it is, and are in no hash themselves.
        writer.key("storage")
        writer.value(storage(of: relationship, declaredBy: entity).canonicalText)
      }
      writer.key("toMany")
      writer.value(relationship.isToMany)
    }
  }
}

// MARK: - Pieces

extension FetchIndexDescription {
  fileprivate func serialisation(named: Bool) -> CanonicalWriter {
    var writer = CanonicalWriter()
    writer.object { writer in
      writer.key("elements")
      writer.array(elements) { writer, element in
        writer.object { writer in
          writer.key("ascending")
          writer.value(element.isAscending)
          writer.key("expression")
          writer.value(element.expression)
          writer.key("property")
          writer.value(element.propertyName)
        }
      }
      writer.write("name", ifSet: named ? name : nil)
      writer.write("sql", ifSet: definition)
      if isUnique {
        writer.key("unique")
        writer.value(true)
      }
      writer.key("where")
      writer.value(partialPredicate)
    }
    return writer
  }
}

extension [String] {
  fileprivate var serialisation: CanonicalWriter {
    var writer = CanonicalWriter()
    writer.array(self) { $0.value($1) }
    return writer
  }
}

extension [CanonicalWriter] {
  fileprivate func sortedByBytes() -> [CanonicalWriter] {
    count < 2 ? self : sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }
}

extension AttributeValidation {
  fileprivate var canonicalText: String {
    var writer = CanonicalWriter()
    writer.array([
      minimum, maximum, minimumLength.map(String.init), maximumLength.map(String.init), pattern,
    ]) { $0.value($1) }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension Array {
  fileprivate func sortedByName(_ name: (Element) -> String) -> [Element] {
    sorted { byBytes(name($0), name($1)) }
  }
}
