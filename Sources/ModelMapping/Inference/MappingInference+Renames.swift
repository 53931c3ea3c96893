internal import Diagnostics
internal import ObjectModel

/// Warnings about possible renames: a property removed while another one is added.
extension MappingInference {
  /// Warns of pairs of a removed and an added property that nothing else could be paired with.
  mutating func warnOfUnmarkedRenames(
    _ attributes: NameMatching<AttributeDescription>,
    _ relationships: NameMatching<RelationshipDescription>,
    of pair: EntityPair,
    _ owners: DeclaringEntities
  ) {
    let authored = authored[pair.destination.name] ?? []
    let read = read[pair.source.name] ?? []
    var removed = attributes.removed.filter {
      owners.sourceAttributes[$0.name] == pair.source.name && !$0.isTransient
        && !read.contains($0.name)
    }
    guard !removed.isEmpty else { return }
    var added = attributes.added.filter {
      owners.declares($0) && $0.renamingIdentifier == nil && !$0.isTransient
        && !authored.contains($0.name)
    }
    for attribute in added {
      let candidates = removed.filter { $0.type == attribute.type }
      guard candidates.count == 1, let candidate = candidates.first,
        added.count(where: { $0.type == attribute.type }) == 1
      else { continue }
      warnOfRename(from: candidate, to: attribute, in: pair.destination)
      removed.removeAll { $0.name == candidate.name }
      added.removeAll { $0.name == attribute.name }
    }
    let links = relationships.added.filter {
      owners.declares($0) && $0.renamingIdentifier == nil && !$0.isTransient
        && !authored.contains($0.name)
    }
    // Rows lose a value only with a required property; optional ones are removed more often.
    let required = removed.filter { !$0.isOptional && !$0.isComputed }
    guard required.count == 1, let candidate = required.first, added.count + links.count == 1
    else { return }
    if let attribute = added.first, !attribute.isComputed {
      warnOfRename(from: candidate, to: attribute, in: pair.destination)
    }
    if let link = links.first { warnOfReplacement(of: candidate, by: link, in: pair.destination) }
  }

  private mutating func warnOfRename(
    from removed: AttributeDescription,
    to added: AttributeDescription,
    in entity: EntityDescription
  ) {
    let isOfOtherType = removed.type != added.type
    let isConvertible = AttributeConversion(from: removed.type, to: added.type) != .impossible
    warnings.append(
      Diagnostic(
        .warning,
        "attribute \"\(added.name)\" of entity \"\(entity.name)\" is probably "
          + "\"\(removed.name)\" renamed" + (isOfOtherType ? " and of another type" : ""),
        detail: isOfOtherType
          ? "Without a renaming identifier one is removed and the other added: no row keeps its value."
          : "Without a renaming identifier one is removed and the other added.",
        hint: isConvertible
          ? "If it was renamed, set its renaming identifier to \"\(removed.canonicalName)\"."
          : "If its values are to be made of those of \"\(removed.name)\", say how in a mapping model."
      )
    )
  }

  private mutating func warnOfReplacement(
    of removed: AttributeDescription,
    by added: RelationshipDescription,
    in entity: EntityDescription
  ) {
    warnings.append(
      Diagnostic(
        .warning,
        "relationship \"\(added.name)\" of entity \"\(entity.name)\" probably takes the place of "
          + "attribute \"\(removed.name)\"",
        detail: "Without a mapping model one is removed and the other added: no row gets a link.",
        hint:
          "If its rows are to be made of the values of \"\(removed.name)\", say how in a mapping "
          + "model."
      )
    )
  }
}
