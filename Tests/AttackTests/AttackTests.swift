import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What others can leave in a database never runs with the rights of those who run the tool.
///
/// Each attack is tried with a few of the verbs by one of the victims, others each time; with
/// `REMODEL_CASES=all`, every verb by every victim. `REMODEL_ATTACK_TABLE=1` prints what became of each.
@Suite(.tags(.server), .enabled(if: TestServer.isAvailable), .timeLimit(.minutes(30)))
struct AttackTests {
  @Test
  func `every file of the folder is an attack`() {
    #expect(!Attack.all.isEmpty)
    #expect(Attack.all.count == Attack.fileCount)
    for attack in Attack.all {
      for verb in attack.verbs {
        for victim in attack.victims {
          #expect(!attack.codes(of: verb, for: victim).isEmpty, "\(attack): \(verb) \(victim)")
        }
      }
    }
  }

  @Test
  func `no attack runs anything, and each is noticed`() async throws {
    let isEverything = RandomCases.isEverything
    let isTable = ProcessInfo.processInfo.environment["REMODEL_ATTACK_TABLE"] == "1"
    let seed = UInt64.random(in: 0...999_999)
    print("attacks by seed \(seed)")
    var generator = SeededGenerator(seed: seed)
    var table: [String] = []
    let trials = Attack.all.map { attack in
      Trial(
        attack: attack,
        victims: isEverything
          ? attack.victims : Array(attack.victims.shuffled(using: &generator).prefix(1)),
        verbs: isEverything
          ? attack.verbs
          : attack.verbs.filter { verb in
            attack.verbs.shuffled(using: &generator).prefix(4).contains(verb)
          }
      )
    }
    try await AttackedServer.with(Set(Attack.all.map(\.setting))) { server in
      for trial in trials {
        if trial.attack.byHand != "none" {
          let fired = try await server.withDatabase(of: trial.attack) { place in
            try? server.leave(trial.attack.byHand, at: place, as: .superuser)
            return try await server.fired(at: place)
          }
          #expect(fired > 0, "\(trial.attack) does nothing to who runs it by hand")
        }
        for victim in trial.victims {
          table.append(try await run(trial, as: victim, server))
        }
      }
    }
    guard isTable else { return }
    print("| attack | victim | held | exit codes |\n| --- | --- | --- | --- |")
    print(table.joined(separator: "\n"))
  }

  private struct Trial {
    let attack: Attack
    let victims: [Role]
    let verbs: [Verb]
  }

  /// Runs verbs one after the other as a victim, and returns a line of the table.
  private func run(
    _ trial: Trial,
    as victim: Role,
    _ server: AttackedServer
  ) async throws -> String {
    var verbs = trial.verbs
    var codes: [String] = []
    var isHeld = true
    while !verbs.isEmpty {
      // What has changed the database is the last that is tried in it.
      let end = verbs.firstIndex(where: \.isWriting).map { $0 + 1 } ?? verbs.count
      let attack = trial.attack
      try await server.withDatabase(of: attack) { place in
        let before = try await server.fired(at: place)
        for verb in verbs.prefix(end) {
          let (code, error) = try await server.run(verb, attack, at: place, as: victim)
          let fired = try await server.fired(at: place) - before
          isHeld = isHeld && fired == 0
          codes.append("\(verb) \(code ?? -1)")
          #expect(fired == 0, "\(attack): \(verb) as \(victim) ran it")
          let expected = attack.codes(of: verb, for: victim)
          #expect(
            code.map(expected.contains) == true,
            "\(attack): \(verb) as \(victim) ended with \(code ?? -1), not \(expected): \(error)"
          )
        }
      }
      verbs.removeFirst(end)
    }
    let held = isHeld ? "yes" : "**no**"
    return "| \(trial.attack) | \(victim.rawValue) | \(held) | \(codes.joined(separator: ", ")) |"
  }
}
