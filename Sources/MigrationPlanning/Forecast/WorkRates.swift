/// The rates of a server's work and writes, on which all estimates depend.
///
/// They were measured on PostgreSQL 15 with two cores, its data in memory and default settings, on a million
/// rows of 190 bytes. Times have a margin: measured times are about two thirds of these. Reading
/// from a disk takes longer.
///
/// | work | measured |
/// | --- | --- |
/// | reading all rows, with a check | 0.13 s |
/// | an index: integers, UUIDs, texts of 32 characters | 0.4 s, 0.5 s, 1.5 s; 21, 31, 58 MB |
/// | a GiST index of texts and ranges, by 400,000 rows | 100 s; 77 MB |
/// | an exclusion constraint: ranges, texts and ranges, by 400,000 rows | 115 s, 150 s |
/// | a foreign key | 0.4 s |
/// | rewriting: no index, two indexes of integers | 1.1 s, 2.2 s |
/// | changing all rows: no index, two indexes | 2.6 s, 8 s; log 480 MB, 700 MB |
/// | inserting into a table with a primary key | 1.5 s; log 285 MB |
/// | deleting all rows | 1.0 s; log 245 MB |
/// | inserting rows of 30 bytes, without and with the triggers of two versions | 3.6 s, 11 s |
/// | changing a value of theirs, without and with them | 6.3 s, 17 s |
/// | changing a link, without and with them | 19 s, 130 s |
struct WorkRates: Hashable {
  /// The speed of the server, by which the rates are multiplied.
  let speed: ServerSpeed

  /// The duration of a statement without row work: the round trip, the catalog.
  static let secondsPerStatement = 0.003

  /// The duration of copying the last changes under the locks of an online copy.
  static let secondsOfLastChanges = 0.5

  // MARK: - In a second

  var rowsRead: Double { 10_000_000.0 * speed.reading }
  var bytesRead: Double { 1_000_000_000.0 * speed.reading }
  var rowsRewritten: Double { 2_000_000.0 * speed.writing }
  var bytesRewritten: Double { 200_000_000.0 * speed.writing }
  var indexBytesRewritten: Double { 35_000_000.0 * speed.sorting }
  var rowsChanged: Double { 300_000.0 * speed.writing }
  var indexBytesChanged: Double { 6_000_000.0 * speed.writing }
  var rowsDeleted: Double { 700_000.0 * speed.writing }
  var referencesChecked: Double { 1_500_000.0 * speed.reading }

  /// The rows that get to another table in a second, its indexes not counted.
  func rowsPassed(by route: RowWork.Route) -> Double {
    let rows: Double =
      switch route {
      case .rows: 500_000
      case .links: 700_000
      case .mappedRows, .newKeys: 200_000
      // The way to a policy and back, without the unknown time of the policy itself.
      case .policy: 30_000
      }
    return rows * speed.writing
  }

  /// The rows that get into an index in a second, and the bytes that each takes there.
  func indexing(_ key: RowWork.IndexKey) -> (rows: Double, bytesPerRow: Double) {
    let (rows, bytes): (Double, Double) =
      switch key {
      case .number: (1_700_000, 22)
      case .uuid: (1_300_000, 31)
      case .text: (450_000, 58)
      case .ranges: (8_000, 70)
      case .exclusiveRanges: (5_000, 70)
      }
    return (rows * speed.sorting, bytes)
  }

  /// Returns how fast tables with triggers that keep them in step are written; these have no margin, since only
  /// their relation counts.
  func speed(of work: TriggerCost.Work) -> TriggerCost.Speed {
    let (before, after): (Double, Double) =
      switch work {
      case .insertedRows: (280_000, 90_000)
      case .updatedRows: (160_000, 60_000)
      case .changedLinks: (50_000, 7_500)
      }
    return TriggerCost.Speed(before: before * speed.writing, after: after * speed.writing)
  }

  // MARK: - Bytes

  /// The bytes of a row that is a pair of keys.
  static let bytesPerLink = 50
  /// The bytes of log for each byte that is written to a new file.
  static let logPerByteWritten = 1.15
  /// The bytes of log for each byte of rows that are changed in place: the old page, the new row.
  static let logPerByteChanged = 2.5
  /// The bytes of log for each byte of the indexes of rows that are changed in place.
  static let logPerIndexByteChanged = 5.0
  /// The bytes of log for each byte of rows that are deleted.
  static let logPerByteDeleted = 1.3
  /// The bytes of log of a statement that changes the catalog alone.
  static let logPerStatement = 20_000
}
