import Diagnostics
import ObjectModel

/// How tables are partitioned.
extension YAMLModelReader {
  /// Returns a partitioning: a method alone, or a mapping.
  mutating func partitioning(_ node: YAMLNode, of place: String) -> PartitioningDescription? {
    var fields = YAMLKeyedNodes(entries: [YAMLEntry(key: "by", keyOffset: node.offset, value: node)]
    )
    if case .mapping = node.content {
      fields = self.fields(of: node, keys: YAMLKeys.partition, in: "the partition of \(place)")
    }
    guard let by = fields["by"] else {
      error("partition of \(place) has no key \"by\"", at: node.offset)
      return nil
    }
    guard let text = text(by, what: "partition") else { return nil }
    guard let key = PartitionKey(text) else {
      error(
        "unrecognized value \"\(text)\" of partition",
        detail: StorageWords.partitionings,
        at: by.offset
      )
      return nil
    }
    let settings = ["by"] + key.settings
    var isFitting = true
    for entry in fields.entries
    where YAMLKeys.partition.contains(entry.key) && !settings.contains(entry.key) {
      isFitting = false
      error("partition by \(key) has no \(entry.key)", detail: key.detail, at: entry.keyOffset)
    }
    if settings.contains("every"), fields["every"] == nil {
      isFitting = false
      error("partition by \(key) has no key \"every\"", detail: StorageWords.every, at: node.offset)
    }
    guard isFitting else { return nil }
    let every = interval(fields["every"], what: "every")
    let values = fields["values"].map { texts($0, what: "values") }
    let ahead = count(fields["ahead"], what: "ahead")
    let keep = interval(fields["keep"], what: "keep")
    guard let method = PartitioningDescription.Method(key, every: every, values: values) else {
      return nil
    }
    return PartitioningDescription(method, ahead: ahead, retention: keep)
  }

  private mutating func interval(
    _ node: YAMLNode?,
    what: String
  ) -> PartitioningDescription.Interval? {
    guard let node, let text = text(node, what: what) else { return nil }
    if let interval = PartitioningDescription.Interval(text) { return interval }
    error(
      "\(what) is \"\(text)\", not an interval",
      detail: StorageWords.intervals,
      at: node.offset
    )
    return nil
  }
}
