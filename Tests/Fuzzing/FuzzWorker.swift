import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Tries inputs one after the other, and leaves behind which one it was at should it come to an end.
struct FuzzWorker {
  let reader: FuzzedReader
  let corpus: FuzzCorpus
  let neighbours: Neighbours

  /// Returns the input of a number, and the file that it is made of.
  func input(_ number: UInt64) -> (bytes: [UInt8], seed: FuzzCorpus.Seed, random: FuzzGenerator)? {
    var random = FuzzGenerator(seed: number &* 0x9E37_79B9 &+ reader.salt)
    guard let seed = corpus.pick(&random) else { return nil }
    var mutation = Mutation(of: seed.bytes, among: corpus.seeds, random: random)
    // The files themselves are tried as well.
    if number % 97 != 0 { mutation.run(reader) }
    return (mutation.bytes, seed, mutation.random)
  }

  /// Tries inputs, and writes their failures to standard output.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the inputs.
  ///   - mark: A file with the number of the current input.
  func run(_ numbers: Range<UInt64>, mark: String) {
    let descriptor = open(mark, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    var counts = [Int](repeating: 0, count: Trial.Progress.allCases.count)
    for number in numbers {
      withUnsafeBytes(of: number) { _ = pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      guard let (bytes, seed, random) = input(number) else { continue }
      let trial = tried(bytes, seed, random)
      counts[trial.progress.rawValue] += 1
      for fault in trial.faults { say("fault \(number) \(fault)") }
    }
    say("done \(counts.map(String.init).joined(separator: " "))")
  }

  /// Tries one input.
  func run(_ bytes: [UInt8], from number: UInt64) {
    guard let (_, seed, random) = input(number) else { return }
    for fault in tried(bytes, seed, random).faults { say("fault \(number) \(fault)") }
    say("done")
  }

  private func tried(
    _ bytes: [UInt8],
    _ seed: FuzzCorpus.Seed,
    _ random: FuzzGenerator
  ) -> Trial {
    FuzzLimits.startClock()
    var trial = Trial(reader, bytes, from: seed, neighbours, random: random)
    trial.run()
    return trial
  }

  private func say(_ line: String) {
    write(line: line.prefix(600).split(whereSeparator: \.isNewline).joined(separator: " "))
  }
}

/// Writes a line to standard output, and not to a buffer, which a trap would not empty.
func write(line: String) {
  Array((line + "\n").utf8).withUnsafeBytes { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}
