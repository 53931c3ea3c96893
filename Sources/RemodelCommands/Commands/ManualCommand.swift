import ArgumentParser
import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The verb `remodel manual`, for those who install the tool.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the manual page.",
    shouldDisplay: false
  )

  func run() throws {
    TextFile.ignoreBrokenPipes()
    let page = ManualPage(
      help: try CommandHelp.read(RemodelCommand._dumpHelp()),
      version: toolVersion,
      date: String(Date.now.formatted(.iso8601).prefix(10))
    )
    do {
      try TextFile.writeResult(page.text)
    } catch {
      let report = ErrorReport(error)
      report.write(as: .text, .plain, logs: .text)
      throw ExitCode(report.status.rawValue)
    }
  }
}
