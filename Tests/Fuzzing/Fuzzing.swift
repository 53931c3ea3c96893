import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tries the readers with damaged inputs: `Fuzzing --count 100000 --corpus FOLDER --output FOLDER`.
///
/// The same seed gives the same inputs, from the same files. What it finds, it leaves in the folder,
/// and ends with status 1.
@main
@MainActor
struct Fuzzing {
  private var folders: [String] = []
  private var output = ""
  private var count = 3000
  private var first: UInt64 = 1
  private var jobs = 2
  private var readers = FuzzedReader.allCases
  private var words: [String] = []

  static func main() async throws {
    do {
      try await Fuzzing(CommandLine.arguments.dropFirst()).run()
    } catch FuzzError.usage {
      Array(usage.utf8).withUnsafeBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
      exit(64)
    }
  }

  private static let usage = """
    usage: Fuzzing [OPTION VALUE]...
           Fuzzing sizes
           Fuzzing try READER FIRST END MARK [--corpus FOLDER]...
           Fuzzing repeat READER NUMBER FILE [--corpus FOLDER]...
           Fuzzing write READER NUMBER FILE [--corpus FOLDER]...

    options: --corpus FOLDER (repeatable), --output FOLDER, --count COUNT, --seed NUMBER, --jobs COUNT,
             --reader READER
    readers: \(FuzzedReader.allCases.map(\.rawValue).joined(separator: ", "))

    """

  private init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        words.append(word)
        continue
      }
      guard let value = rest.popFirst() else { throw FuzzError.usage }
      switch word {
      case "--corpus": folders.append(value)
      case "--output": output = value
      case "--count": count = Int(value) ?? count
      case "--seed": first = UInt64(value) ?? first
      case "--jobs": jobs = Int(value) ?? jobs
      case "--reader": readers = [FuzzedReader(rawValue: value)].compactMap(\.self)
      default: throw FuzzError.usage
      }
    }
    if output.isEmpty { output = "\(FileManager.default.temporaryDirectory.path)/remodel-fuzzing" }
    try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
  }

  private func run() async throws {
    switch words.first {
    case nil:
      let driver = FuzzDriver(folders: folders, output: output)
      let findings = try await driver.run(count: count, first: first, jobs: jobs, readers: readers)
      exit(findings.isEmpty ? 0 : 1)
    case "sizes":
      FuzzLimits.limitMemory()
      exit(SizeTrial.run() ? 0 : 1)
    default: try work()
    }
  }

  /// Does what a driver asks of a process of its own.
  private func work() throws {
    guard words.count >= 4, let reader = FuzzedReader(rawValue: words[1]),
      let number = UInt64(words[2]), words[0] != "try" || words.count >= 5
    else { throw FuzzError.usage }
    let corpus = FuzzCorpus(folders: folders, for: reader)
    let folder = "\(output)/\(reader)-\(number)-\(ProcessInfo.processInfo.processIdentifier)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let worker = FuzzWorker(
      reader: reader,
      corpus: corpus,
      neighbours: Neighbours(corpus, folder: folder)
    )
    FuzzLimits.limitMemory()
    switch words[0] {
    case "try": worker.run(number..<(UInt64(words[3]) ?? number), mark: words[4])
    case "repeat":
      worker.run(FileManager.default.contents(atPath: words[3]).map(Array.init) ?? [], from: number)
    case "write":
      let bytes = worker.input(number)?.bytes ?? []
      _ = FileManager.default.createFile(atPath: words[3], contents: Data(bytes))
    default: throw FuzzError.usage
    }
  }
}
