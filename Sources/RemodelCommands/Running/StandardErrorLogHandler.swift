import Logging
import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Writes log records to standard error: lines as PostgreSQL's programs write them, or JSON objects.
struct StandardErrorLogHandler: LogHandler {
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  let format: LogFormat
  let style: TextStyle
  /// The progress line below the records; `nil` without a terminal.
  let progress: ProgressLine?

  init(level: Logger.Level, format: LogFormat, style: TextStyle, progress: ProgressLine? = nil) {
    self.progress = progress
    logLevel = level
    self.format = format
    self.style = style
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let metadata = self.metadata.merging(event.metadata ?? [:]) { $1 }
    let line =
      switch format {
      case .text: text(event, metadata)
      case .json: LogRecord(event, metadata).line
      }
    if let progress {
      progress.write(line + "\n")
    } else {
      TextFile.standardError.write(line + "\n")
    }
  }

  private func text(_ event: LogEvent, _ metadata: Logger.Metadata) -> String {
    let level = style.text("\(event.level.rawValue.uppercased()):", .weak)
    var line = "\(level)  \("\(event.message)".shownInLine)"
    for (key, value) in metadata.sorted(by: { $0.key < $1.key }) where key != LogRecord.eventKey {
      line += "  \(key)=\(text(value))"
    }
    return line
  }

  private func text(_ value: Logger.MetadataValue) -> String {
    if case .stringConvertible(let duration as Duration) = value { return duration.brief }
    return "\(value)".shownInLine
  }
}
