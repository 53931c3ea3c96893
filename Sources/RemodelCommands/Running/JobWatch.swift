import RemodelKit

/// Shows the progress of a copy job that another process works on, from the metadata.
struct JobWatch {
  private let reporter: EventReporter

  init(_ reporter: EventReporter) {
    self.reporter = reporter
  }

  private static let pause = Duration.seconds(1)

  /// Shows a job until it ends.
  ///
  /// - Parameters:
  ///   - remodel: The front door.
  ///   - database: The database.
  ///   - name: The job, or the beginning of its name; the latest one if there is none.
  /// - Returns: The job at its end.
  /// - Throws: What reading it throws.
  func report(
    _ remodel: Remodel,
    _ database: ConnectionSource,
    named name: String?
  ) async throws -> JobReport {
    let begin = ContinuousClock.now
    var progress = RunProgress()
    var name = name
    while true {
      let report = try await remodel.job(database, named: name)
      // Another job may begin meanwhile.
      name = report.job.id
      if report.job.state.isEnded { return report }
      let time = begin.duration(to: .now).milliseconds / 1_000
      progress.note(report.job, at: time)
      reporter.show(progress, at: time)
      try await Task.sleep(for: Self.pause)
    }
  }
}
