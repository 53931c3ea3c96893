import RemodelKit

extension PlanSettings {
  /// The settings as a plan file has them.
  var json: JSONValue {
    [
      "model": .string(modelName),
      "version": .optional(version),
      "configuration": .optional(configurationName),
      "schema": .string(schema.name),
      "metadataSchema": .string(metadataSchema.name),
      "intoSchema": .optional(intoSchema?.name),
      "removals": .string(removals.rawValue),
      "direct": .bool(isDirect),
      "strategy": .string(strategy?.rawValue ?? CopyOptions.automatic),
      "maxBlockMilliseconds": .integer(Int(maxBlock.milliseconds)),
    ]
  }
}

extension PlanOrigin {
  /// The origin as a plan file has it.
  var json: JSONValue {
    [
      "systemIdentifier": .string(systemIdentifier),
      "database": .string(database),
      "serverMajor": .integer(serverMajor),
      "role": .string(role),
      "assumedRole": .optional(assumedRole),
      "time": .string(time),
    ]
  }
}
