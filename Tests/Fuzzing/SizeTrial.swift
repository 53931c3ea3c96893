import Diagnostics
import FoundationEssentials
import MigrationPlanning
import ModelLoading
import ModelMapping
import ObjectModel
import RemodelCommands
import RemodelKit

/// Inputs of growing size, each four times as long as the one before: the time must not grow much
/// faster, and absurd inputs must get an answer.
enum SizeTrial {
  /// Unoptimised code takes too long for the largest ones.
  #if DEBUG
  private static let sizeCount = 2
  #else
  private static let sizeCount = Int.max
  #endif

  /// Returns whether all readers keep to it; prints what each input took.
  static func run() -> Bool {
    var isFine = true
    for shape in SizeShape.all {
      // A busy machine makes readers slower, never faster.
      var isSlow = false
      for _ in 1...3 {
        isSlow = isTooSlow(times(of: shape))
        if !isSlow { break }
      }
      if isSlow {
        write(line: "\(shape.reader), \(shape.name): time grows faster than size")
        isFine = false
      }
    }
    return isFine
  }

  /// Reads inputs of a shape, and prints what each took.
  private static func times(of shape: SizeShape) -> [(bytes: Int, time: Duration)] {
    var times: [(bytes: Int, time: Duration)] = []
    var words: [String] = []
    for count in shape.counts.prefix(sizeCount) {
      let input = Array(shape.text(count).utf8)
      FuzzLimits.startClock(seconds: 120)
      let start = FuzzLimits.processorTime
      let answer = answer(shape.reader, input)
      times.append((input.count, FuzzLimits.processorTime - start))
      words.append("\(input.count) bytes in \(times[times.count - 1].time) (\(answer))")
    }
    write(line: "\(shape.reader), \(shape.name): \(words.joined(separator: ", "))")
    return times
  }

  /// Returns whether four times the size took far more than four times the time, unless both are
  /// negligible.
  private static func isTooSlow(_ times: [(bytes: Int, time: Duration)]) -> Bool {
    guard let last = times.last, let before = times.dropLast().last, last.time > .milliseconds(400)
    else { return false }
    return last.time / max(before.time, .milliseconds(20))
      > 2.2 * Double(last.bytes) / Double(before.bytes)
  }

  private static func answer(_ reader: FuzzedReader, _ input: [UInt8]) -> String {
    do {
      switch reader {
      case .xcodeModel: return try use(ModelLoader.load(xml: input, path: "input").model)
      case .yamlModel: return try use(ModelLoader.load(yaml: input, path: "input").model)
      case .modelArchive:
        return try use(ModelArchive.model(from: String(decoding: input, as: UTF8.self)))
      case .yamlMapping: _ = try MappingLoader.load(yaml: input, name: "a", path: "a").yaml()
      case .xcodeMapping: _ = try MappingLoader.load(xml: input, name: "a", path: "a").yaml()
      case .expression:
        _ = try Expression(parsing: String(decoding: input, as: UTF8.self)).description
      case .predicate:
        _ = try Predicate(parsing: String(decoding: input, as: UTF8.self)).description
      case .sqlTemplate: _ = try SQLTemplate(parsing: String(decoding: input, as: UTF8.self))
      case .plan:
        let sealed = PlanSeal.sealed(String(decoding: input, as: UTF8.self))
        _ = try PlanFile.read(Array(sealed.utf8), path: "input")
      case .currentVersion, .versionOrder: break
      }
      return "read"
    } catch let error as any DiagnosticError {
      let words = error.diagnostics.map(\.description)
      return "\(words.count) complaints"
    } catch {
      return "refused"
    }
  }

  private static func use(_ model: ManagedObjectModel) throws -> String {
    guard !model.complaints().contains(where: { $0.severity == .error }) else { return "refused" }
    let hashes = model.versionHashes()
    for form in ModelForm.allCases { _ = try? form.text(of: model, named: "a") }
    let projection = try ModelProjection(model, schema: "s")
    let version = PlannedVersion(name: "1", hashes: hashes, projection: projection)
    let step = try MigrationPlanner().step(creating: version)
    return "\(step.allStatements.count) statements"
  }
}
