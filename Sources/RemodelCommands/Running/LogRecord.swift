import Logging
import RemodelKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A log record as a JSON object: `time`, `level`, `event`, `message`, and the values of the event.
struct LogRecord {
  /// The metadata key of the event's name, since messages vary.
  static let eventKey = "event"

  private var fields: [String: JSONValue]

  /// Creates a record of a library's log message.
  init(_ event: LogEvent, _ metadata: Logger.Metadata) {
    let name = metadata[Self.eventKey].map { "\($0)" } ?? Self.eventName("\(event.message)")
    self.init(level: event.level, event: name, message: "\(event.message)")
    for (key, value) in metadata where key != Self.eventKey {
      set(key, value)
    }
  }

  /// Creates a record of a diagnostic, with the exit code if it ended the call.
  init(_ diagnostic: Diagnostic, code: ExitStatus? = nil) {
    let isError = diagnostic.severity == .error
    self.init(
      level: isError ? .error : .warning,
      event: isError ? "error" : "warning",
      message: diagnostic.message
    )
    for (key, value) in diagnostic.json.values where value != .null && key != "severity" {
      fields[key] = value
    }
    if isError, let code { fields["code"] = .integer(Int(code.rawValue)) }
  }

  private init(fields: [String: JSONValue]) {
    self.fields = fields
  }

  private init(level: Logger.Level, event: String, message: String) {
    fields = [
      "time": .string(
        Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      ),
      "level": .string(level.rawValue),
      "event": .string(event),
      "message": .string(message),
    ]
  }

  /// The record as a line.
  var line: String { JSONValue.object(fields).line }

  private mutating func set(_ key: String, _ value: Logger.MetadataValue) {
    switch value {
    case .stringConvertible(let duration as Duration):
      fields[key + "Milliseconds"] = .number(duration.milliseconds)
    case .stringConvertible(let number as Int):
      fields[key] = .integer(number)
    case .stringConvertible(let number as Double):
      fields[key] = .number(number)
    case .dictionary(let values):
      var object = LogRecord(fields: [:])
      for (key, value) in values { object.set(key, value) }
      fields[key] = .object(object.fields)
    case .array(let values):
      fields[key] = .array(values.map { .string("\($0)") })
    case .string, .stringConvertible:
      fields[key] = .string("\(value)")
    }
  }

  /// Returns the name of an event whose message is always the same: `step-started`.
  private static func eventName(_ message: String) -> String {
    message.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-").lowercased()
  }
}
