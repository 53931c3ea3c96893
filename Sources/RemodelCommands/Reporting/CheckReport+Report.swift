import RemodelKit

extension CheckReport: Report {
  var json: [String: JSONValue] {
    [
      "current": .bool(isCurrent),
      "behind": .bool(isBehind),
      "unfinished": .bool(isUnfinished),
      "version": .optional(version?.name),
      "checksum": .optional(version?.checksum.text),
      "creation": creation?.json ?? .null,
      "job": .optional(jobID),
      "target": .string(target.name),
      "targetChecksum": .string(target.checksum.text),
    ]
  }

  func lines(_ style: TextStyle) -> [String] {
    if let creation { return ["not current: \(creation.text)"] }
    let found = version.map { versionName($0.name) } ?? "no version"
    if isUnfinished {
      return [
        "not current: the database is at \(found), but something that its release relies on is "
          + "left to do: run migrate"
      ]
    }
    guard isCurrent else {
      return ["not current: the database is at \(found), the model at \(versionName(target.name))"]
    }
    let layout = isBehind ? ", but behind in layout: run migrate" : ""
    let job = jobID.map { "; copy job \($0) is not ended, which migrate does" } ?? ""
    return ["current: the database is at \(found)\(layout)\(job)"]
  }
}
