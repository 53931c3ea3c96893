import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What others can leave in a database never runs with the rights of those who run the tool.
///
/// Half of the attacks are tried with a few of the verbs by one of the victims, others each time; with
/// `REMODEL_CASES=all`, all of them with every verb by every victim. `REMODEL_ATTACK_TABLE=1` prints what became of each;
/// `REMODEL_ATTACKS` names those to try, separated by commas.
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
    var generator = SeededGenerator(seed: RandomCases.sampleSeed)
    let named = ProcessInfo.processInfo.environment["REMODEL_ATTACKS"]?.split(separator: ",")
    let attacks =
      named.map { named in Attack.all.filter { attack in named.contains { $0 == attack.name } } }
      ?? RandomCases.one(in: 2, of: Attack.all)
    let trials = attacks.map { attack in
      Trial(
        attack: attack,
        victims: isEverything
          ? attack.victims : Array(attack.victims.shuffled(using: &generator).prefix(1)),
        verbs: isEverything
          ? attack.verbs
          : attack.verbs.filter(Set(attack.verbs.shuffled(using: &generator).prefix(2)).contains)
      )
    }
    if isTable { print("| attack | victim | held | exit codes |\n| --- | --- | --- | --- |") }
    try await AttackedServer.with(Set(attacks.map(\.setting))) { server in
      for trial in trials {
        if trial.attack.byHand != "none", try await trial.attack.lastMajor >= TestServer.major() {
          let fired = try await server.withDatabase(of: trial.attack) { place, preparation in
            let byHand = preparation.filling(trial.attack.byHand)
            try? server.leave(byHand, at: place, as: .superuser)
            return try await server.fired(at: place)
          }
          #expect(fired > 0, "\(trial.attack) does nothing to who runs it by hand")
        }
        for victim in trial.victims {
          let line = try await run(trial, as: victim, server)
          if isTable { print(line) }
        }
      }
    }
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
      // Verbs that change the database are last, and those that prepare something before the attack
      // are first.
      let later = verbs.dropFirst().firstIndex(where: \.isPrepared) ?? verbs.count
      let end = min(later, verbs.firstIndex(where: \.isWriting).map { $0 + 1 } ?? verbs.count)
      let attack = trial.attack
      try await server.withDatabase(of: attack, for: verbs[0], victim) { place, preparation in
        // Whoever counts waits for the attacker's session to end.
        let before = attack.openSeconds == nil ? try await server.fired(at: place) : 0
        for verb in verbs.prefix(end) {
          let (code, error) = try await server.run(verb, attack, preparation, at: place, as: victim)
          let fired = try await server.fired(at: place) - before
          isHeld = isHeld && fired == 0
          codes.append("\(verb) \(code ?? -1)")
          #expect(fired == 0, "\(attack): \(verb) as \(victim) ran it")
          let expected = attack.codes(of: verb, for: victim)
          #expect(
            code.map(expected.contains) == true,
            "\(attack): \(verb) as \(victim) ended with \(code ?? -1), not \(expected): \(error)"
          )
          // What was planned before the attack has to end by whose it is, not by another plan.
          if verb.isPrepared, code != 0, victim != .reader {
            let reasons = [
              "another role owns", "of another owner", "of other owners", "others can do more",
              "lacks", "must be owner",
            ]
            let isTold = reasons.contains { error.contains($0) }
            #expect(isTold, "\(attack): \(verb) as \(victim): \(error)")
          }
        }
      }
      verbs.removeFirst(end)
    }
    let held = isHeld ? "yes" : "**no**"
    return "| \(trial.attack) | \(victim.rawValue) | \(held) | \(codes.joined(separator: ", ")) |"
  }
}
