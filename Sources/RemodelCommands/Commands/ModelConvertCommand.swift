import ArgumentParser
import RemodelKit

/// The verb `remodel model convert`.
struct ModelConvertCommand: ModelVerb {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Write a model in another form: Xcode's, or YAML.",
    discussion: """
      The extension of the path says in what form: .xcdatamodeld or .remodel for all versions, \
      .xcdatamodel or .yaml for one.
      """
  )

  @Argument(help: "Where the model is to be.", completion: .directory)
  var path: String

  @Argument(help: "The only version to convert. (default: all)")
  var version: String?

  @Flag(name: .long, help: "Write over files that are there already.")
  var force = false

  @OptionGroup(title: "Models")
  var modelOptions: ModelOptions
  @OptionGroup(title: "Output")
  var outputOptions: OutputOptions
  @OptionGroup(title: "Logs")
  var logOptions: LogOptions

  func result(_ remodel: Remodel) throws -> VerbResult {
    let conversion = try remodel.conversion(of: version, to: path)
    try conversion.write(replacing: force)
    return VerbResult(report: ConversionReport(conversion: conversion))
  }
}
