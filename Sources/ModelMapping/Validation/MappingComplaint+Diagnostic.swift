package import Diagnostics
internal import ObjectModel
internal import SQLSyntax

extension MappingComplaint {
  /// Returns the complaint in words.
  ///
  /// - Parameters:
  ///   - mappingModel: The mapping model that the complaint is about.
  ///   - location: The place of the part in its file.
  /// - Returns: The words, with the place.
  package func diagnostic(
    in mappingModel: MappingModel,
    at location: SourceLocation? = nil
  ) -> Diagnostic {
    let part = mappingModel.phrase(for: element)
    return Diagnostic(
      severity,
      message(about: part),
      detail: detail,
      hint: hint,
      location: location
    )
  }

  private func message(about part: String) -> String {
    switch fact {
    case .duplicateName: "\(part) is there twice"
    case .noEntity: "\(part) has neither a source nor a destination"
    case .unrecognizedEntity(let name, let end, _):
      "\(part) names entity \"\(name)\", which the \(end.rawValue) does not have"
    case .abstractDestination(let name): "\(part) makes rows of abstract entity \"\(name)\""
    case .withoutSource: "\(part) has no rows to be about: there is no source"
    case .withoutDestination: "\(part) has no rows to be about: there is no destination"
    case .unrecognizedProperty(let name, let kind, let entity, _):
      "\(part) is about \"\(name)\", which is no \(kind.rawValue) of entity \"\(entity)\""
    case .propertyOfOtherKind(let name, .attribute):
      "\(part) is about \"\(name)\", which is an attribute"
    case .propertyOfOtherKind(let name, .relationship):
      "\(part) is about \"\(name)\", which is a relationship"
    case .duplicateProperty: "\(part) is there twice"
    case .transientProperty: "\(part) is transient and has no value to be mapped"
    case .derivedAttribute: "\(part) is derived and has no value to be mapped"
    case .forEachOfToOne(let name): "\(part) names \"\(name)\", which is not to-many"
    case .unrecognizedMapping(let name, _):
      "\(part) looks up entity mapping \"\(name)\", which does not exist"
    case .lookupOfRemoval(let name):
      "\(part) looks up entity mapping \"\(name)\", which makes no rows"
    case .lookupKeyCount(let name, let keys, let given):
      "\(part) looks up entity mapping \"\(name)\" by \(given) values, and it has \(keys) keys"
    case .policyCall(let selector):
      "\(part) calls \"\(selector)\" of the policy, which is code that is not registered"
    case .unrecognizedKey("", let variable, _):
      "\(part) uses \"$\(variable)\", which has no value of its own"
    case .unrecognizedKey(let key, let variable, _):
      "\(part) reads \"\(key)\" of \"$\(variable)\", which has no such key"
    case .missingUserInfo(let key):
      "\(part) reads \"\(key)\" of the manager's user info, which has no such value"
    case .rowsInCodeWithoutEntity: "\(part) makes rows in code where none become others"
    case .unusableCreator(let name):
      "\(part) leaves the rows to entity mapping \"\(name)\", which cannot create them"
    case .rowsMadeTwice: "\(part) makes rows in code and by SQL"
    case .countsRowsTwice: "\(part) decides how many rows there are, as the mapping does"
    case .unsettableAttribute(let name, let entity, _):
      "\(part) sets \"\(name)\", which is no stored attribute of entity \"\(entity)\""
    case .attributeSetTwice(let name):
      "\(part) sets \"\(name)\", which the mapping gives a value as well"
    case .unreadableProperty(let name, let entity, _):
      "\(part) asks for \"\(name)\", which is neither a stored attribute nor a to-one relationship "
        + "of entity \"\(entity)\""
    case .placeholderEntity(let placeholder, let name, let end, _):
      "placeholder \"${\(placeholder)}\" in \(part) names entity \"\(name)\", which the "
        + "\(end.rawValue) does not have"
    case .placeholderProperty(let placeholder, let name, let entity, _):
      "placeholder \"${\(placeholder)}\" in \(part) names \"\(name)\", which is no property of "
        + "entity \"\(entity)\""
    case .placeholderMapping(let placeholder, let name, _):
      "placeholder \"${\(placeholder)}\" in \(part) names entity mapping \"\(name)\", which does not "
        + "exist"
    case .unreadablePlaceholder(let text): "placeholder \"\(text)\" in \(part) stands for nothing"
    case .variableInSQL(let name):
      "SQL in \(part) has \"\(name)\" in it, which only expressions know"
    case .chunkOutsideOfStage: "placeholder \"${chunk}\" in \(part) stands for nothing"
    case .strayCharacter(let character):
      "\(part) has SQL with \(character.nameInText) outside of strings and quoted names"
    }
  }

  private var detail: String? {
    switch fact {
    case .chunkOutsideOfStage:
      "Only the statements of an entity mapping's policy go over rows chunk by chunk."
    case .strayCharacter:
      "SQL has none there, and in a script psql would take a backslash for a command."
    case .duplicateName, .noEntity, .unrecognizedEntity, .abstractDestination, .withoutSource,
      .withoutDestination, .unrecognizedProperty, .propertyOfOtherKind, .duplicateProperty,
      .transientProperty, .derivedAttribute, .forEachOfToOne, .unrecognizedMapping,
      .lookupOfRemoval, .lookupKeyCount, .policyCall, .unrecognizedKey, .missingUserInfo,
      .rowsInCodeWithoutEntity, .unusableCreator, .rowsMadeTwice,
      .countsRowsTwice, .unsettableAttribute, .attributeSetTwice, .unreadableProperty,
      .placeholderEntity, .placeholderProperty, .placeholderMapping, .unreadablePlaceholder,
      .variableInSQL:
      nil
    }
  }

  private var hint: String? {
    switch fact {
    case .unrecognizedEntity(_, _, let suggestion), .unrecognizedProperty(_, _, _, let suggestion),
      .placeholderEntity(_, _, _, let suggestion), .placeholderProperty(_, _, _, let suggestion):
      suggestion.map { "Did you mean \"\($0)\"?" }
    case .unreadablePlaceholder:
      "There are ${source.Entity}, ${source.Entity.property}, ${destination.Entity}, "
        + "${destination.Entity.property} and ${map.Mapping}."
    case .variableInSQL: "In SQL, write ${source.Entity.property}."
    case .placeholderMapping(_, _, let suggestion):
      suggestion.map { "Did you mean \"\($0)\"?" }
    case .unrecognizedMapping(_, let suggestion), .unsettableAttribute(_, _, let suggestion),
      .unreadableProperty(_, _, let suggestion):
      suggestion.map { "Did you mean \"\($0)\"?" }
    case .lookupKeyCount: "The keys are those of the mapping's \"distinct\"."
    case .policyCall:
      "Write an expression instead, or register the method with the policy in Swift."
    case .unrecognizedKey(let key, _, let known):
      suggestion(for: key, among: known).map { "Did you mean \"\($0)\"?" }
        ?? (known.isEmpty ? nil : "There are \(known.joined(separator: ", ")).")
    case .missingUserInfo(let key): "Give it: --user-info \(key)=VALUE."
    case .rowsInCodeWithoutEntity:
      "Rows are made in code for a mapping with a source and a destination. SQL of stage "
        + "\"createDestinationInstances\" can add others."
    case .unusableCreator:
      "Name a mapping with the same source and a policy that uses the manager; the value of no attribute "
        + "can be a method in code."
    case .rowsMadeTwice: "Leave stage \"createDestinationInstances\" out."
    case .countsRowsTwice:
      "With \"distinct\" or \"forEach\" a policy makes one row each."
    case .attributeSetTwice: "Leave it out of the mapping, or of what the policy sets."
    case .duplicateName: "Give one of them a \"name\" of its own."
    case .noEntity: "Name a source, a destination, or both."
    case .abstractDestination: "Name one of its subentities."
    case .propertyOfOtherKind(_, .attribute): "Put it under \"attributes\"."
    case .propertyOfOtherKind(_, .relationship): "Put it under \"relationships\"."
    case .withoutSource, .withoutDestination, .duplicateProperty, .transientProperty,
      .derivedAttribute, .forEachOfToOne, .lookupOfRemoval, .chunkOutsideOfStage,
      .strayCharacter:
      nil
    }
  }
}

extension MappingHole {
  /// Returns the complaint that the hole has not been filled.
  ///
  /// - Parameters:
  ///   - mappingModel: The mapping model.
  ///   - location: The place of the part in its file.
  /// - Returns: The words, with the place.
  package func diagnostic(
    in mappingModel: MappingModel,
    at location: SourceLocation? = nil
  ) -> Diagnostic {
    Diagnostic(
      "\(mappingModel.phrase(for: element)) is a hole that has to be filled",
      detail: "Reason in the file: \(reason)",
      hint: hint,
      location: location
    )
  }

  private var hint: String {
    switch element {
    case .attributeMapping, .relationshipMapping:
      "Write an expression in place of the hole, or remove the property: it follows inference then."
    case .policy:
      "Write SQL for the stages of the policy, say the same with expressions, or register a policy in "
        + "Swift under the name."
    case .mappingModel, .before, .after, .entityMapping, .source, .destination, .condition,
      .distinct, .distinctKey, .distinctOrder, .forEach, .stage, .dependency:
      "Say it, and remove the hole."
    }
  }
}
