import ArgumentParser

/// The numbers that a call writes for a monitoring system.
enum MetricsOptions: OptionSection {
  static let title = "Metrics"
  static let options: [CommandOption] = [.metricsFile]
}

extension CommandOption {
  static let metricsFile = CommandOption(
    "metrics-file",
    .value("path"),
    "Write metrics in Prometheus' text format to this file, while the command runs and at its end.",
    variable: "REMODEL_METRICS_FILE",
    completion: .file()
  )
}

extension OptionValues {
  /// Returns the file for metrics; `nil` if there is none, or if the verb writes none.
  func metricsPath() throws(UsageError) -> String? {
    guard options.contains(where: { $0.name == CommandOption.metricsFile.name }) else { return nil }
    return try setting(.metricsFile)?.nonEmpty("a path")
  }
}
