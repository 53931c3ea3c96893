import RemodelKit

/// A result in all forms.
protocol Report: Sendable {
  /// The keys of its JSON, `formatVersion` aside.
  var json: JSONObject { get throws }

  /// What may not have been meant.
  var warnings: [Diagnostic] { get }

  /// The text of its JSON.
  var jsonText: String { get throws }

  /// The result for people.
  @BlockBuilder
  var blocks: [Block] { get }
}

extension Report {
  var warnings: [Diagnostic] { [] }

  var jsonText: String {
    get throws { try json.merging(["formatVersion": 1]).jsonValue.text }
  }
}

extension String {
  /// The lines of a text that is ours, in which line breaks are layout.
  var lines: [String] {
    split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// Returns a number with its noun, in the plural where it has to be.
func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// Returns a number of bytes in a unit that fits it.
func byteCount(_ bytes: Int) -> String {
  var value = Double(bytes)
  var unit = "B"
  for next in ["kB", "MB", "GB", "TB"] where value >= 1_000 {
    value /= 1_024
    unit = next
  }
  let rounded = (value * 10).rounded() / 10
  let digits = unit == "B" || rounded >= 100 ? String(Int(rounded)) : String(rounded)
  return "\(digits) \(unit)"
}

/// Returns the name of a version in a text: `version "2"`, or `an empty schema`.
func versionName(_ name: String?) -> String {
  name.map { "version \"\($0)\"" } ?? "an empty schema"
}

/// Returns how a text tells a step: `version "1" -> version "2"`.
func versionNames(_ source: String?, _ destination: String) -> String {
  "\(versionName(source)) -> \(versionName(destination))"
}
