import RemodelKit

let usage = """
  usage: benchmarks plan [RUNS]
         benchmarks load BUNDLE [RUNS]
         benchmarks deploy REMODEL BARE [RUNS]
         benchmarks fold BUNDLE VERSION [RUNS]

  REMODEL is the executable of `swift build -c release --static-swift-stdlib --product remodel`,
  BARE that of `swift build -c release --product bare-libpq` in this package. From VERSION on, every
  version of BUNDLE has to be inferable from the one before it.
  """

var arguments = Array(CommandLine.arguments.dropFirst())
let runs = arguments.last.flatMap { Int($0) }
if runs != nil { arguments.removeLast() }
switch (arguments.first, arguments.count) {
case ("plan", 1): try PlanningBenchmark.run(runs: runs ?? 9)
case ("load", 2): try LoadingBenchmark.run(bundle: arguments[1], runs: runs ?? 9)
case ("deploy", 3):
  try await DeployBenchmark.run(remodel: arguments[1], bare: arguments[2], runs: runs ?? 40)
case ("fold", 3):
  try await FoldingBenchmark.run(
    bundle: arguments[1],
    from: arguments[2],
    rows: 3000,
    runs: runs ?? 9
  )
default: print(usage)
}
