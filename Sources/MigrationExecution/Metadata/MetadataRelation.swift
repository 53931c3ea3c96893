internal import SQLSyntax

/// A relation that the metadata consists of.
struct MetadataRelation: Hashable {
  let name: SQLIdentifier
  /// The layout that has brought it.
  let layout: Int
  var isView = false

  /// All of them.
  static let all: [MetadataRelation] =
    tables(["metadata", "store", "model_version", "store_table", "retained_object"], since: 1)
    + tables(["history_event"], since: 1) + views(["retained", "history"], since: 1)
    + tables(["store_creation"], since: 2)
    + tables(["job", "job_chunk", "job_source", "job_event"], since: 3)
    + views(["job_progress"], since: 3) + tables(["job_carried", "job_validation"], since: 4)
    + tables(["object_definition", "late_work"], since: 5) + views(["pending"], since: 5)
    + tables(["made_table", "unexpressed_object"], since: 6)

  /// Those that a layout has.
  static func ofLayout(_ layout: Int) -> [MetadataRelation] { all.filter { $0.layout <= layout } }

  /// The relations that list copy jobs.
  static let ofJobs = all.filter { ["job", "job_progress"].contains($0.name) }

  /// The relation with the deferred work of online migrations.
  static let ofDeferredWork = all.filter { $0.name == "late_work" }

  private static func tables(_ names: [SQLIdentifier], since layout: Int) -> [MetadataRelation] {
    names.map { MetadataRelation(name: $0, layout: layout) }
  }

  private static func views(_ names: [SQLIdentifier], since layout: Int) -> [MetadataRelation] {
    names.map { MetadataRelation(name: $0, layout: layout, isView: true) }
  }
}
