/// What health probes and entry points call, `remodel check`: the parser would take a third of the time.
extension CheckCommand {
  /// The call without arguments, as the parser makes it.
  static var withoutArguments: CheckCommand {
    var command = CheckCommand()
    command.untilCurrent = nil
    command.connectionOptions = .none
    command.schemaOptions = .none
    command.targetOptions = .none
    command.modelOptions = .none
    command.outputOptions = .none
    command.logOptions = .none
    return command
  }
}

extension ConnectionOptions {
  fileprivate static var none: ConnectionOptions {
    var options = ConnectionOptions()
    options.database = nil
    options.scratch = false
    options.keepScratch = false
    options.wait = nil
    options.role = nil
    options.trustOwner = []
    return options
  }
}

extension SchemaOptions {
  fileprivate static var none: SchemaOptions {
    var options = SchemaOptions()
    options.schema = nil
    options.metadataSchema = nil
    return options
  }
}

extension TargetOptions {
  fileprivate static var none: TargetOptions {
    var options = TargetOptions()
    options.targets = nil
    options.eachSchema = []
    options.parallel = nil
    return options
  }
}

extension ModelOptions {
  fileprivate static var none: ModelOptions {
    var options = ModelOptions()
    options.models = nil
    options.configuration = nil
    return options
  }
}

extension OutputOptions {
  fileprivate static var none: OutputOptions {
    var options = OutputOptions()
    options.format = nil
    options.output = nil
    options.noColor = false
    return options
  }
}

extension LogOptions {
  fileprivate static var none: LogOptions {
    var options = LogOptions()
    options.logLevel = nil
    options.logFormat = nil
    options.debugSql = false
    options.debugMigration = false
    options.noProgress = false
    return options
  }
}
