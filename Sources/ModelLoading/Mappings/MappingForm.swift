internal import Diagnostics
package import ModelMapping

extension LoadedMapping {
  /// Returns the YAML of the mapping model, which can be read back.
  ///
  /// - Parameters:
  ///   - source: The description of the version before, if it changes.
  ///   - destination: The description of the version after.
  /// - Returns: The text of the file.
  package func yaml(
    source: MappedVersion? = nil,
    destination: MappedVersion? = nil
  ) -> String {
    MappingForm.yaml(
      of: mappingModel,
      from: source ?? self.source,
      to: destination ?? self.destination,
      holes: holes
    )
  }
}

/// The form in which mapping models are kept in files.
package enum MappingForm {
  /// Returns the YAML of a mapping model.
  ///
  /// - Parameters:
  ///   - mappingModel: The mapping model.
  ///   - source: The version before.
  ///   - destination: The version after.
  ///   - holes: The holes.
  /// - Returns: The text of the file.
  package static func yaml(
    of mappingModel: MappingModel,
    from source: MappedVersion,
    to destination: MappedVersion,
    holes: [MappingHole] = []
  ) -> String {
    YAMLMappingWriter.text(
      of: mappingModel,
      source: source,
      destination: destination,
      holes: holes
    )
  }
}
