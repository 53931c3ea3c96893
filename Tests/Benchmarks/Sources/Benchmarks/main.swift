import RemodelKit

let usage = """
  usage: benchmarks plan [RUNS]
         benchmarks load BUNDLE [RUNS]
         benchmarks deploy REMODEL BARE [RUNS]
         benchmarks create REMODEL [TABLES [RUNS]]
         benchmarks stores REMODEL [STORES [RUNS]]
         benchmarks fold BUNDLE VERSION [RUNS]
         benchmarks serve REMODEL [ROWS [RUNS]]
         benchmarks copy SUBJECT REMODEL [ROWS [RUNS]]

  REMODEL is the executable of `swift build -c release --static-swift-stdlib --product remodel`,
  BARE that of `swift build -c release --product bare-libpq` in this package. From VERSION on, every
  version of BUNDLE has to be inferable from the one before it.

  SUBJECT is what is measured of copies by mapping models, each as a ratio within one run:
    locked   in one transaction, against CREATE TABLE AS with the same keys, indexes and constraints;
             at most 1.05
    gated    in many transactions, against one INSERT .. SELECT; at most 1.10
    workers  two sessions against one: at least 1.5 where expressions cost time, else at least 1.0
    online   under the load of pgbench, with 8 clients that update single rows: of their throughput,
             0.85 is left while changes are captured, 0.75 while 25,000 rows a second are copied; no
             transaction fails, and 99 of 100 around the cutover take less than 150 ms
    memory   of the tool at its peak: for many rows at most 1.10 times that for 10,000
    orm      against the bulk operations of SQLAlchemy and Django, by the Python that PYTHON names: at
             least 12 times as fast
    transfer into another database, against pg_dump | pg_restore of the same tables: at most 1.00

  pgbench, and pg_dump and pg_restore of the server's version, have to be in PATH. Times of a machine that does other things as well say little.
  """

let arguments = Array(CommandLine.arguments.dropFirst())

/// Returns the number that an argument is, if it is there.
func number(_ position: Int) -> Int? {
  arguments.indices.contains(position) ? Int(arguments[position]) : nil
}

switch (arguments.first, arguments.count) {
case ("plan", 1...2): try PlanningBenchmark.run(runs: number(1) ?? 9)
case ("load", 2...3): try LoadingBenchmark.run(bundle: arguments[1], runs: number(2) ?? 9)
case ("deploy", 3...4):
  try await DeployBenchmark.run(
    remodel: arguments[1],
    bare: arguments[2],
    runs: number(3) ?? 40
  )
case ("create", 2...4):
  try await CreationBenchmark.run(
    remodel: arguments[1],
    tables: number(2) ?? 1000,
    runs: number(3) ?? 9
  )
case ("stores", 2...4):
  try await StoresBenchmark.run(
    remodel: arguments[1],
    stores: number(2) ?? 200,
    runs: number(3) ?? 5
  )
case ("fold", 3...4):
  try await FoldingBenchmark.run(
    bundle: arguments[1],
    from: arguments[2],
    rows: 3000,
    runs: number(3) ?? 9
  )
case ("serve", 2...4):
  try await ServingBenchmark(
    remodel: arguments[1],
    rows: number(2) ?? 100_000,
    runs: number(3) ?? 3
  ).run()
case ("copy", 3...5):
  guard let subject = CopyBenchmark.Subject(rawValue: arguments[1]) else {
    print(usage)
    break
  }
  try await CopyBenchmark.run(
    subject,
    remodel: arguments[2],
    rows: number(3),
    runs: number(4)
  )
default: print(usage)
}
