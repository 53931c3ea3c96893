extension EntityMapping {
  /// Returns the name of a mapping that was given none: `SourceToDestination`, as Xcode has it.
  public static func defaultName(source: String?, destination: String?) -> String {
    switch (source, destination) {
    case (let source?, let destination?): "\(source)To\(destination)"
    case (let source, let destination): destination ?? source ?? "Mapping"
    }
  }

  /// What the mapping does, as far as it says so itself: whether the entity has changed, only the
  /// models know.
  public var authoredType: MappingType {
    if sourceEntityName == nil, destinationEntityName != nil { return .add }
    if destinationEntityName == nil { return .remove }
    let makesRows = policy.statements[.createDestinationInstances] != nil
    return makesRows || policyClassName != nil ? .custom : .transform
  }
}
