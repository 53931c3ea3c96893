internal import Diagnostics
package import ModelMapping

extension LoadedMapping {
  /// Returns the mapping model, completed by registered policies.
  ///
  /// - Parameter policies: The policies, by the class names that mappings have.
  /// - Returns: The mapping model; unregistered policies remain holes.
  /// - Throws: Every fault, with the location of the policy in the file.
  package func registering(
    _ policies: [String: any EntityMigrationPolicy]
  ) throws(MappingLoadingError) -> LoadedMapping {
    guard !policies.isEmpty else { return self }
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
      } catch {
        faults.append(failure(of: name, index, error))
      }
    }
    guard faults.isEmpty else {
      throw MappingLoadingError(faults, source: source, destination: destination)
    }
    return LoadedMapping(
      name: self.name,
      path: path,
      source: source,
      destination: destination,
      mappingModel: complete,
      locations: locations,
      holes: holes,
      warnings: warnings
    )
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
    default: reason = "\(error)"  // Policies throw what they like.
    }
    return Diagnostic(
      "policy \"\(policyName)\" cannot be used for entity mapping \"\(mapping)\"",
      detail: reason,
      location: locations.location(of: .policy(entityMapping: index))
    )
  }
}
