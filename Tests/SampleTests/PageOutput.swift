/// What is never the same in the output of a command.
enum PageOutput {
  /// Returns a line without times, sizes, numbers of processes and the like, and without the width of columns.
  static func normalized(_ line: String) -> String {
    line.replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[0-9.]*Z?/, with: "WHEN")
      .replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "ID")
      .replacing(/sha256:[0-9a-f]+/, with: "DIGEST")
      .replacing(/"(\w*Milliseconds|rowsPerSecond)": ?[0-9.]+/) { "\"\($0.output.1)\":TIME" }
      .replacing(/[0-9.]+ (ms|s|min)\b/, with: "TIME")
      .replacing(/[0-9.]+ (B|kB|MB|GB)\b/, with: "SIZE")
      .replacing(/; [0-9.]+ rows a second are written to it on average/, with: "")
      .replacing(/PostgreSQL [0-9.]+/, with: "PostgreSQL N")
      .replacing(/database "[^"]+" on (socket )?"[^"]+", port \d+/, with: "database DATABASE")
      .replacing(/about \d+ rows/, with: "about ROWS")
      .replacing(/\d+ rows\/s/, with: "RATE")
      .replacing(/process \d+/, with: "process ID")
      .replacing(/(\S) {2,}/) { "\($0.output.1)  " }
      .replacing(/\s+$/, with: "")
  }
}
