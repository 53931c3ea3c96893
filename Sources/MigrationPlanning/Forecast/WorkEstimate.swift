/// What some work takes.
struct WorkEstimate: Hashable {
  var seconds = 0.0
  var rows = 0
  var bytes = 0
  var writtenBytes = 0
  var logBytes = 0
  /// The bytes that are given back when the transaction ends.
  var freedBytes = 0

  static func + (first: Self, second: Self) -> Self {
    WorkEstimate(
      seconds: first.seconds + second.seconds,
      rows: first.rows + second.rows,
      bytes: first.bytes + second.bytes,
      writtenBytes: first.writtenBytes + second.writtenBytes,
      logBytes: first.logBytes + second.logBytes,
      freedBytes: first.freedBytes + second.freedBytes
    )
  }
}

// MARK: - Work on a table

extension WorkRates {
  func reading(_ size: TableSize) -> WorkEstimate {
    WorkEstimate(
      seconds: Double(size.rows) / rowsRead
        + Double(size.heapBytes) / bytesRead,
      rows: size.rows,
      bytes: size.heapBytes
    )
  }

  func rewriting(_ size: TableSize) -> WorkEstimate {
    WorkEstimate(
      seconds: Double(size.rows) / rowsRewritten
        + Double(size.heapBytes + size.toastBytes) / bytesRewritten
        + Double(size.indexBytes) / indexBytesRewritten,
      rows: size.rows,
      bytes: size.bytes,
      writtenBytes: size.bytes,
      logBytes: Int(Double(size.bytes) * Self.logPerByteWritten),
      freedBytes: size.bytes
    )
  }

  func changing(_ size: TableSize) -> WorkEstimate {
    WorkEstimate(
      seconds: Double(size.rows) / rowsChanged
        + Double(size.indexBytes) / indexBytesChanged,
      rows: size.rows,
      bytes: size.heapBytes,
      // The old rows stay until they are vacuumed.
      writtenBytes: size.heapBytes + size.indexBytes,
      logBytes: Int(
        Double(size.heapBytes) * Self.logPerByteChanged
          + Double(size.indexBytes) * Self.logPerIndexByteChanged
      )
    )
  }

  func deleting(_ size: TableSize) -> WorkEstimate {
    WorkEstimate(
      seconds: Double(size.rows) / rowsDeleted,
      rows: size.rows,
      bytes: size.heapBytes,
      logBytes: Int(Double(size.heapBytes) * Self.logPerByteDeleted)
    )
  }

  func indexing(_ size: TableSize, _ key: RowWork.IndexKey) -> WorkEstimate {
    let rate = indexing(key)
    // The length of texts is unknown: at most that of the row, and of an index entry.
    let row = Double(size.heapBytes) / Double(max(size.rows, 1))
    let perRow = key == .text ? max(rate.bytesPerRow, min(row, 2_700)) : rate.bytesPerRow
    let written = Int(Double(size.rows) * perRow)
    var estimate = reading(size)
    estimate.seconds += Double(size.rows) / rate.rows * (perRow / rate.bytesPerRow).squareRoot()
    estimate.writtenBytes = written
    estimate.logBytes = Int(Double(written) * Self.logPerByteWritten)
    return estimate
  }

  func checkingReferences(_ size: TableSize, to referenced: TableSize) -> WorkEstimate {
    var estimate = reading(size) + reading(referenced)
    estimate.seconds += Double(size.rows) / referencesChecked
    return estimate
  }

  func filling(from source: TableSize, _ route: RowWork.Route) -> WorkEstimate {
    let written =
      switch route {
      case .rows, .mappedRows, .policy: source.heapBytes + source.toastBytes
      case .links, .newKeys: source.rows * Self.bytesPerLink
      }
    return WorkEstimate(
      seconds: Double(source.rows) / rowsPassed(by: route),
      rows: source.rows,
      bytes: source.heapBytes,
      writtenBytes: written,
      logBytes: Int(Double(written) * Self.logPerByteWritten)
    )
  }
}
