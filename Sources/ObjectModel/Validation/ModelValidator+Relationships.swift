/// A check of a relationship's inverse, deferred until the names of the destination are in scope.
struct InverseQuestion {
  let entity: Int
  let relationship: Int
}

/// Relationships and their inverses.
extension ModelValidator {
  /// The relationships that have an inverse, under the position of their destination.
  func inverseQuestions() -> [[InverseQuestion]] {
    var questions = [[InverseQuestion]](repeating: [], count: model.entities.count)
    for (index, entity) in model.entities.enumerated() {
      for (position, relationship) in entity.relationships.enumerated()
      where relationship.inverseName != nil {
        guard
          let destination = model.hierarchy.indexByName[relationship.destinationEntityName]
        else { continue }
        questions[destination].append(InverseQuestion(entity: index, relationship: position))
      }
    }
    return questions
  }

  mutating func checkRelationship(
    _ relationship: RelationshipDescription,
    at element: ModelElement
  ) {
    checkStorageName(relationship.columnName, .column, of: element)
    checkStorageName(relationship.joinTableName, .joinTable, of: element)
    let destination = relationship.destinationEntityName
    if !entityNames.contains(destination) {
      let suggestion = similar(to: destination, among: entityNames)
      add(.unrecognizedDestination(destination, suggestion: suggestion), to: element)
    }
    checkReference(of: relationship, at: element)
    if relationship.isOrdered, !relationship.isToMany { add(.orderedToOne, to: element) }
    let minimum = relationship.minimumCount
    let maximum = relationship.maximumCount
    if !relationship.isToMany, maximum > 1 { add(.maximumOfToOne(maximum), to: element) }
    for count in [minimum, maximum] where count < 0 { add(.negativeCount(count), to: element) }
    if maximum > 0, minimum > maximum {
      add(.reversedCounts(minimum: minimum, maximum: maximum), to: element)
    }
  }

  /// Checks that the inverse exists and leads back.
  mutating func answer(_ question: InverseQuestion, in scope: PropertyScope) {
    let entity = model.entities[question.entity]
    let relationship = entity.relationships[question.relationship]
    let element = ModelElement.relationship(entity: question.entity, question.relationship)
    guard let name = relationship.inverseName else { return }
    guard case .relationship(let declaring, let position)? = scope.properties[name]?.element else {
      let destination = relationship.destinationEntityName
      let suggestion = similar(to: name, among: scope.properties.keys)
      let fact = ModelComplaint.Fact.unrecognizedInverse(
        name,
        destination: destination,
        suggestion: suggestion
      )
      add(fact, to: element)
      return
    }
    let declaringEntity = model.entities[declaring]
    let inverse = declaringEntity.relationships[position]
    if inverse.inverseName != relationship.name {
      let fact = ModelComplaint.Fact.inverseOfOther(
        inverse: name,
        of: declaringEntity.name,
        other: inverse.inverseName
      )
      add(fact, to: element)
    } else if inverse.destinationEntityName != entity.name {
      let fact = ModelComplaint.Fact.inverseToOtherEntity(
        inverse: name,
        of: declaringEntity.name,
        destination: inverse.destinationEntityName
      )
      add(fact, to: element)
    }
  }
}
