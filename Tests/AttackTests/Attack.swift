import SQLSyntax

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What somebody else leaves in a database, as a file of the folder `Attacks` has it: comments with what
/// is expected, then the statements of the attacker.
struct Attack: Sendable, CustomStringConvertible {
  /// What the database is like before.
  enum Setting: String, Sendable {
    /// Nothing was migrated, and there is no table.
    case empty
    /// A store of the owner's in `public`, a version behind, with rows.
    case behind
    /// A store that a superuser has made in a schema of the attacker's, a version behind, with rows.
    case tenant
  }

  /// The name of the file.
  let name: String
  /// What it does, in a sentence.
  let title: String
  let setting: Setting
  /// Whoever leaves it there: the attacker, or the owner, whose mistake is used.
  let author: Role
  /// The statements, with `@DATABASE@` for the name of the database.
  let statements: String
  /// What a victim without protection does, as a superuser: the canary has to fire.
  let byHand: String
  let verbs: [Verb]
  let victims: [Role]
  private let expectations: [Expectation]

  var description: String { name }

  private struct Expectation {
    let verb: Verb?
    let victim: Role?
    let codes: Set<Int32>
  }

  /// The exit codes that a verb may have for a victim.
  func codes(of verb: Verb, for victim: Role) -> Set<Int32> {
    expectations.last {
      $0.verb ?? verb == verb && $0.victim ?? victim == victim
    }?.codes ?? []
  }
}

extension Attack {
  /// All attacks, by their names.
  static let all: [Attack] = {
    let folder =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/Attacks"
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasSuffix(".sql") }.sorted().compactMap { file in
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)") else { return nil }
      return Attack(String(file.dropLast(4)), text: String(decoding: data, as: UTF8.self))
    }
  }()

  /// Reads an attack; none if a line is not understood, which a test says.
  init?(_ name: String, text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var keys: [(key: String, value: String)] = []
    var title = ""
    for line in lines.prefix(while: { $0.hasPrefix("--") }) {
      let content = line.dropFirst(3)
      guard let colon = content.firstIndex(of: ":"), !content.hasPrefix(" ") else {
        title += (title.isEmpty ? "" : " ") + content.drop { $0 == " " }
        continue
      }
      let value = content[content.index(after: colon)...].drop { $0 == " " }
      keys.append((String(content[..<colon]), String(value)))
    }
    func words(_ key: String) -> [String]? {
      keys.last { $0.key == key }?.value.split(separator: " ").map(String.init)
    }
    guard let setting = words("setting")?.first.flatMap(Setting.init(rawValue:)),
      let byHand = keys.last(where: { $0.key == "by hand" })?.value
    else { return nil }
    self.name = name
    self.title = title
    self.setting = setting
    self.byHand = byHand
    author = words("as")?.first.flatMap(Role.init(rawValue:)) ?? .mallory
    let verbs = words("verbs")?.map(Verb.init(rawValue:)) ?? Verb.allCases
    let victims = words("victims")?.map(Role.init(rawValue:)) ?? Role.victims
    var expectations: [Expectation] = []
    for (key, value) in keys where key.hasPrefix("exit") {
      let named = key.split(separator: " ").dropFirst().map(String.init)
      let codes = Set(value.split(separator: " ").compactMap { Int32($0) })
      let ofVerbs = named.compactMap(Verb.init(rawValue:))
      let ofVictims = named.compactMap(Role.init(rawValue:))
      guard ofVerbs.count + ofVictims.count == named.count, !codes.isEmpty else { return nil }
      for verb in ofVerbs.isEmpty ? [nil] : ofVerbs.map(Optional.some) {
        for victim in ofVictims.isEmpty ? [nil] : ofVictims.map(Optional.some) {
          expectations.append(Expectation(verb: verb, victim: victim, codes: codes))
        }
      }
    }
    guard !expectations.isEmpty, verbs.allSatisfy({ $0 != nil }), victims.allSatisfy({ $0 != nil })
    else { return nil }
    self.verbs = verbs.compactMap(\.self)
    self.victims = victims.compactMap(\.self)
    self.expectations = expectations
    statements = lines.drop { $0.hasPrefix("--") }.joined(separator: "\n")
  }

  /// How many files there are, attacks or not.
  static var fileCount: Int {
    let folder =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/Attacks"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count
  }
}

/// Who does something.
enum Role: String, Sendable, CaseIterable {
  /// The attacker: a login that may make schemas, and nothing else.
  case mallory
  /// Owns the store, and logs in.
  case owner
  /// Is a member of the owner.
  case member
  /// A superuser, who takes on no role.
  case superuser
  /// A superuser who works as the owner.
  case superuserAsOwner = "superuser-as-owner"
  /// May only connect.
  case reader

  /// Those who run the tool.
  static let victims: [Role] = [.owner, .member, .superuser, .superuserAsOwner, .reader]
}

/// A call of the tool.
enum Verb: String, Sendable, CaseIterable {
  case check
  case status
  case plan
  case script
  case verify
  case history
  case export
  case jobs
  case adopt
  case migrate
  case finish
  case revert
  case cleanup

  /// The arguments, besides those that say where.
  func arguments(models: String, copy: String) -> [String] {
    switch self {
    case .check, .status, .plan, .verify, .history, .migrate, .finish, .revert:
      [rawValue, "--models", models]
    case .script: ["plan", "--format", "sql", "--models", models]
    case .export: ["model", "export", "--output", copy, "--models", models]
    case .jobs: ["job", "list", "--models", models]
    case .adopt: ["adopt", "--dry-run", "--models", models]
    case .cleanup: ["cleanup", "--older-than", "0s", "--models", models]
    }
  }

  /// A Boolean value that indicates whether it changes the database if nothing is in the way.
  var isWriting: Bool {
    switch self {
    case .migrate, .finish, .revert, .cleanup: true
    case .check, .status, .plan, .script, .verify, .history, .export, .jobs, .adopt: false
    }
  }
}
