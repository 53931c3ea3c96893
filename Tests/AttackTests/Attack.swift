import SQLSyntax

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An attack on a database, from a file of the folder `Attacks`: comments with the expectations,
/// then the attacker's statements.
struct Attack: Sendable, CustomStringConvertible {
  /// What the database is like before.
  enum Setting: String, Sendable {
    /// Nothing was migrated, and there is no table.
    case empty
    /// A store of the owner's in `public`, a version behind, with rows.
    case behind
    /// The same, with a copy job to the next version that was cut off.
    case copying
    /// A store a version behind with rows, and a job that fills a column of them which was cut off after the
    /// column was added; the attacker may add triggers to the table.
    case prepared
    /// The same, cut off before the first row was filled.
    case filling
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
  /// The statements, with `@DATABASE@` for the name of the database, and `@CANARY@` for a file that the
  /// attacker has the machine make.
  let statements: String
  /// For how many seconds the transaction of the statements stays open while a verb runs; none if it is
  /// committed before.
  let openSeconds: Int?
  /// What a victim without protection does, as a superuser: the canary has to fire.
  let byHand: String
  /// The last version of PostgreSQL that does so.
  let lastMajor: Int
  let verbs: [Verb]
  let victims: [Role]
  private let expectations: [Expectation]

  var description: String { name }

  private struct Expectation {
    let verb: Verb?
    let victim: Role?
    let codes: Set<Int32>
  }

  /// The exit codes that a verb may have for a victim: those of `migrate` where nothing else is said of
  /// another way to the same end.
  func codes(of verb: Verb, for victim: Role) -> Set<Int32> {
    let found = expectations.last { expectation in
      expectation.victim ?? victim == victim
        && (expectation.verb.map { $0 == verb || $0 == verb.kin } ?? true)
    }
    guard let found else { return [] }
    guard verb == .psql, found.verb != .psql else { return found.codes }
    return Set(found.codes.map { $0 == 0 ? 0 : 3 })
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
    openSeconds = words("open for")?.first.flatMap { Int($0) }
    lastMajor = words("until")?.first.flatMap(Int.init) ?? .max
    let verbs = words("verbs")?.map(Verb.init(rawValue:)) ?? Verb.allCases.filter(\.isUsual)
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
  /// A migration whose mapping model copies rows, while others may write.
  case online
  /// A migration whose mapping model computes a column, which is filled in place.
  case filled
  /// A migration by the digest of a plan that was made before the attack.
  case digest
  /// A migration by the file of a plan that was made before the attack.
  case planFile = "plan-file"
  /// The script of a plan that was made before the attack, run by psql.
  case psql
  /// A rehearsal on a throwaway server, which gets the schema, with rows.
  case rehearse
  case jobShow = "job-show"
  case jobPause = "job-pause"
  case jobResume = "job-resume"
  case jobCancel = "job-cancel"

  /// The arguments, except for those of the connection.
  ///
  /// - Parameters:
  ///   - models: The models; with a mapping model for the verbs that copy.
  ///   - file: A path for output, or for a file from before the attack.
  ///   - digest: The digest of a plan from before the attack.
  /// - Returns: The arguments.
  func arguments(models: String, file: String, digest: String) -> [String] {
    switch self {
    case .check, .status, .plan, .verify, .history, .migrate, .finish, .revert:
      [rawValue, "--models", models]
    case .script, .psql: ["plan", "--format", "sql", "--models", models]
    case .export: ["model", "export", "--output", file, "--models", models]
    case .online: ["migrate", "--strategy", "online", "--models", models]
    case .filled: ["migrate", "--strategy", "filled", "--models", models]
    case .digest: ["migrate", "--require-digest", digest, "--models", models]
    case .planFile: ["migrate", "--plan", file, "--models", models]
    case .rehearse: ["plan", "--rehearse", "--rehearse-rows", "5", "--models", models]
    case .jobShow: ["job", "show", "--models", models]
    case .jobPause: ["job", "pause", "--models", models]
    case .jobResume: ["job", "resume", "--models", models]
    case .jobCancel: ["job", "cancel", "--models", models]
    case .jobs: ["job", "list", "--models", models]
    case .adopt: ["adopt", "--dry-run", "--models", models]
    case .cleanup: ["cleanup", "--older-than", "0s", "--models", models]
    }
  }

  /// A Boolean value that indicates whether it changes the database without an obstacle.
  var isWriting: Bool {
    switch self {
    case .migrate, .finish, .revert, .cleanup, .online, .filled, .digest, .planFile, .psql,
      .jobCancel:
      true
    case .check, .status, .plan, .script, .verify, .history, .export, .jobs, .adopt, .rehearse,
      .jobShow, .jobPause, .jobResume:
      false
    }
  }

  /// A Boolean value that indicates whether something is made for it before the attack.
  var isPrepared: Bool { [.digest, .planFile, .psql].contains(self) }

  /// A Boolean value that indicates whether it is about rows that are copied.
  var isOfCopies: Bool {
    [.online, .jobShow, .jobPause, .jobResume, .jobCancel].contains(self)
  }

  /// A Boolean value that indicates whether it is tried where an attack names no verbs: it takes no other
  /// setting, and little time.
  var isUsual: Bool {
    ![.rehearse, .filled, .jobShow, .jobPause, .jobResume, .jobCancel].contains(self)
  }

  /// The verb with the same result.
  fileprivate var kin: Verb? { self == .online || self == .filled || isPrepared ? .migrate : nil }
}
