internal import SQLSyntax

/// A range of keys that one transaction copies.
struct CopyChunk: Hashable {
  let number: Int
  var lower: String?
  var upper: String?
}

extension CopyJobStatements {
  private func isPart(_ job: String, _ part: Int) -> SQLFragment {
    "job = \(SQLLiteral.typed(job, "uuid")) AND part = \(SQLLiteral.integer(Int64(part)))"
  }

  private func text(_ value: String?) -> SQLLiteral { value.map { .text($0) } ?? .null }

  private func numbers(_ chunks: [CopyChunk]) -> SQLFragment {
    chunks.map { "\(SQLLiteral.integer(Int64($0.number)))" as SQLFragment }.joined(separator: ", ")
  }

  /// Stores ranges that are to be copied.
  func chunkCreation(
    of job: String,
    part: Int,
    name: String,
    _ chunks: [CopyChunk]
  ) -> SQLFragment {
    let rows = chunks.map { chunk -> SQLFragment in
      """
      (\(SQLLiteral.typed(job, "uuid")), \(SQLLiteral.integer(Int64(part))), \
      \(SQLLiteral.integer(Int64(chunk.number))), \(SQLLiteral.text(name)), \(text(chunk.lower)), \
      \(text(chunk.upper)))
      """
    }
    return """
      INSERT INTO \(chunkTable) (job, part, no, name, lower_bound, upper_bound) VALUES
      \(rows.joined(separator: ",\n"))
      """
  }

  /// How many ranges a part has, and how many of them are not copied.
  func chunkCount(of job: String, part: Int) -> SQLFragment {
    """
    SELECT count(*) AS total, count(*) FILTER (WHERE state = 'todo') AS todo, \
    coalesce(max(no), 0) AS last FROM \(chunkTable) WHERE \(isPart(job, part))
    """
  }

  /// Takes some ranges that nobody else has taken, or a certain one.
  func chunkClaim(of job: String, part: Int, number: Int?, limit: Int) -> SQLFragment {
    let choice: SQLFragment = number.map { " AND no = \(SQLLiteral.integer(Int64($0)))" } ?? ""
    return """
      SELECT no, lower_bound, upper_bound FROM \(chunkTable) WHERE \(isPart(job, part)) \
      AND state = 'todo'\(choice) ORDER BY no LIMIT \(SQLLiteral.integer(Int64(limit))) FOR UPDATE SKIP LOCKED
      """
  }

  /// Records that ranges are copied, in the transaction that has copied them.
  func chunkCompletion(
    of job: String,
    part: Int,
    _ chunks: [CopyChunk],
    rowsOut: Int,
    epoch: Int,
    milliseconds: Double
  ) -> SQLFragment {
    guard let first = chunks.first else { return "SELECT" }
    let share = SQLLiteral.typed(String(milliseconds / Double(chunks.count)), "double precision")
    let isFirst: SQLFragment = "no = \(SQLLiteral.integer(Int64(first.number)))"
    // The rows of ranges that were copied together are entered with the first of them.
    return """
      UPDATE \(chunkTable) SET state = 'done', epoch = \(SQLLiteral.integer(Int64(epoch))), \
      rows_out = CASE WHEN \(isFirst) THEN \(SQLLiteral.integer(Int64(rowsOut))) ELSE 0 END, \
      milliseconds = \(share), finished_at = clock_timestamp() \
      WHERE \(isPart(job, part)) AND no IN (\(numbers(chunks))) AND state = 'todo'
      """
  }

  /// Records that a range is divided.
  func chunkSplit(of job: String, part: Int, _ chunk: CopyChunk) -> SQLFragment {
    """
    UPDATE \(chunkTable) SET state = 'split' WHERE \(isPart(job, part)) \
    AND no = \(SQLLiteral.integer(Int64(chunk.number))) AND state = 'todo'
    """
  }

  /// The first ranges that are copied and not compared.
  func unverified(of job: String, part: Int, limit: Int) -> SQLFragment {
    """
    SELECT no, lower_bound, upper_bound FROM \(chunkTable) WHERE \(isPart(job, part)) \
    AND state = 'done' AND NOT verified ORDER BY no LIMIT \(SQLLiteral.integer(Int64(limit)))
    """
  }

  /// Records that ranges are compared.
  func verification(of job: String, part: Int, _ chunks: [CopyChunk]) -> SQLFragment {
    """
    UPDATE \(chunkTable) SET verified = true WHERE \(isPart(job, part)) \
    AND no IN (\(numbers(chunks)))
    """
  }

  /// Forgets the bounds of the ranges of a job that has ended, which are keys of rows.
  func forgettingBounds(of job: String) -> SQLFragment {
    """
    UPDATE \(chunkTable) SET lower_bound = NULL, upper_bound = NULL \
    WHERE job = \(SQLLiteral.typed(job, "uuid"))
    """
  }

  private var chunkTable: QualifiedName { relation("job_chunk") }
}
