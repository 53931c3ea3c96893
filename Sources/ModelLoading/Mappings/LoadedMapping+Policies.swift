internal import Diagnostics
package import ModelMapping

extension LoadedMapping {
  /// Returns the mapping model, completed by registered policies and by user info.
  ///
  /// - Parameters:
  ///   - policies: The policies, by the class names that mappings have.
  ///   - userInfo: The user info of the manager.
  /// - Returns: The mapping model; unregistered policies remain holes.
  /// - Throws: Every fault, with the location of the policy in the file.
  package func registering(
    _ policies: [String: any EntityMigrationPolicy],
    userInfo: [String: String] = [:]
  ) throws(MappingLoadingError) -> LoadedMapping {
    guard !policies.isEmpty || !userInfo.isEmpty else { return self }
    var complete = mappingModel
    var faults: [Diagnostic] = []
    for (index, mapping) in mappingModel.entityMappings.enumerated() {
      guard let name = mapping.policyClassName, let policy = policies[name] else { continue }
      do {
        let statements = try policy.statements(for: mapping)
        for stage in SQLMigrationPolicy.Stage.allCases {
          guard let template = statements[stage] else { continue }
          if mapping.policy.statements[stage] != nil {
            faults.append(stageTwice(stage, name, index))
          }
          complete.entityMappings[index].policy.statements[stage] = template
        }
        complete.entityMappings[index].policyVersion = policy.version
        complete.entityMappings[index].instanceCreation = try policy.instanceCreation(for: mapping)
        complete.entityMappings[index] = try complete.entityMappings[index].calling(policy.methods)
      } catch {
        faults.append(failure(of: name, index, error))
      }
    }
    guard faults.isEmpty else {
      throw MappingLoadingError(faults, source: source, destination: destination)
    }
    return LoadedMapping(
      self,
      // Methods may read user info, too.
      mappingModel: complete.givingUserInfo(userInfo),
      holes: holes(besidesMethodsOf: policies)
    )
  }

  /// Returns the mapping model without the holes at calls of methods that policies register.
  ///
  /// - Parameter policies: The policies, by the class names that mappings have.
  /// - Returns: The mapping model.
  package func keepingCalls(
    ofMethodsOf policies: [String: any EntityMigrationPolicy]
  ) -> LoadedMapping {
    LoadedMapping(
      self,
      mappingModel: mappingModel,
      holes: holes(besidesMethodsOf: policies)
    )
  }

  private init(_ other: LoadedMapping, mappingModel: MappingModel, holes: [MappingHole]) {
    self.init(
      name: other.name,
      path: other.path,
      source: other.source,
      destination: other.destination,
      mappingModel: mappingModel,
      locations: other.locations,
      holes: holes,
      warnings: other.warnings
    )
  }

  private func holes(
    besidesMethodsOf policies: [String: any EntityMigrationPolicy]
  ) -> [MappingHole] {
    holes.filter { hole in
      guard let index = hole.element.entityMappingIndex,
        let name = mappingModel.entityMappings[index].policyClassName,
        let methods = policies[name]?.methods,
        let expression = mappingModel.expression(of: hole.element)
      else { return true }
      let selectors = expression.parts.compactMap { part -> String? in
        if case .policyCall(let selector, _) = part { selector } else { nil }
      }
      return selectors.isEmpty || !selectors.allSatisfy { methods[$0] != nil }
    }
  }

  private func stageTwice(
    _ stage: SQLMigrationPolicy.Stage,
    _ policyName: String,
    _ index: Int
  ) -> Diagnostic {
    let mapping = mappingModel.entityMappings[index].name
    return Diagnostic(
      "stage \"\(stage.rawValue)\" of entity mapping \"\(mapping)\" has SQL in the file and of policy "
        + "\"\(policyName)\"",
      hint: "Leave one of them out.",
      location: locations.location(of: .stage(entityMapping: index, stage))
    )
  }

  private func failure(of policyName: String, _ index: Int, _ error: any Error) -> Diagnostic {
    let mapping = mappingModel.entityMappings[index].name
    let reason: String
    switch error {
    case let fault as SQLTemplate.Fault:
      reason = "Placeholder \"\(fault.placeholder)\" in its SQL stands for nothing."
    case let error as any DiagnosticError:
      reason = error.diagnostics.map(\.message).joined(separator: "; ")
    case let error as ExpressionError:
      reason = "The expression of one of its methods cannot be read: \(error.diagnostic.message)."
    default: reason = "\(error)"  // Policies throw what they like.
    }
    return Diagnostic(
      "policy \"\(policyName)\" cannot be used for entity mapping \"\(mapping)\"",
      detail: reason,
      location: locations.location(of: .policy(entityMapping: index))
    )
  }
}

extension MappingModel {
  /// The expression of a property, if a part is a property with one.
  fileprivate func expression(of element: MappingElement) -> Expression? {
    let property: PropertyMapping
    switch element {
    case .attributeMapping(let index, let position):
      property = entityMappings[index].attributeMappings[position]
    case .relationshipMapping(let index, let position):
      property = entityMappings[index].relationshipMappings[position]
    default: return nil  // No other part is the value of a property.
    }
    guard case .expression(let expression) = property.valueExpression else { return nil }
    return expression
  }
}
