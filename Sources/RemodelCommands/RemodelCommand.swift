public import ArgumentParser
public import RemodelKit

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The command line tool, for `remodel` and for executables of your own.
///
/// ```swift
/// import RemodelCommands
///
/// await RemodelCommand.runAndExit()
/// ```
///
/// Policies in code are given by the class names that mapping models have for them:
/// `runAndExit(policies: ["BookPolicy": BookPolicy()])`.
public struct RemodelCommand: AsyncParsableCommand {
  /// The tool's verbs.
  public static let configuration = CommandConfiguration(
    commandName: "remodel",
    abstract: "Brings PostgreSQL databases from one version of an object model to another.",
    discussion: """
      Exit codes: 0 done, 1 failed, 2 different, 3 no mapping, 4 not ours to migrate, 5 locked, \
      6 unreachable, 7 refused, 8 copy job unfinished, 9 rows do not allow it, 64 usage, \
      65 file not valid, 130 and 143 interrupted.
      """,
    version: toolVersion,
    subcommands: [
      Command<InitVerb>.self, Command<MigrateVerb>.self, Command<PlanVerb>.self,
      Command<StatusVerb>.self,
      Command<CheckVerb>.self, Command<VerifyVerb>.self, Command<AdoptVerb>.self,
      Command<HistoryVerb>.self, Command<FinishVerb>.self, Command<RevertVerb>.self,
      Command<CleanupVerb>.self, Command<InterfaceVerb>.self, Command<RetireVerb>.self,
      MarkCommand.self, JobCommand.self, ModelCommand.self,
      MappingCommand.self,
      ManualCommand.self,
    ]
  )

  /// The policies of a call; the parser creates the verbs itself, so they cannot be passed.
  @TaskLocal
  static var policies: [String: any EntityMigrationPolicy] = [:]

  /// Creates the command, as the parser asks for.
  public init() {}

  /// Carries out a call and ends the process with its exit code.
  ///
  /// - Parameters:
  ///   - arguments: The arguments; those of the process if there are none.
  ///   - policies: The policies in code, by the class names that mappings have.
  public static func runAndExit(
    _ arguments: [String]? = nil,
    policies: [String: any EntityMigrationPolicy] = [:]
  ) async -> Never {
    let arguments = arguments ?? Array(CommandLine.arguments.dropFirst())
    endProcess(await run(arguments, policies: policies))
  }

  /// Carries out a call.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - policies: The policies in code, by the class names that mappings have.
  /// - Returns: The exit code.
  public static func run(
    _ arguments: [String],
    policies: [String: any EntityMigrationPolicy] = [:]
  ) async -> Int32 {
    await $policies.withValue(policies) { await carryOut(arguments) }
  }

  private static func carryOut(_ arguments: [String]) async -> Int32 {
    do {
      try checkHelp(arguments)
      var command = try parse(call: arguments)
      if var verb = command as? any AsyncParsableCommand {
        try await verb.run()
      } else {
        try command.run()
      }
      return ExitStatus.success.rawValue
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      return end(error, arguments)
    }
  }

  /// Parses a call by its verb alone, in half the time that the tree of all verbs takes; the tree
  /// handles help and faulty calls.
  private static func parse(call arguments: [String]) throws -> any ParsableCommand {
    // The call of health probes: the parser would take a third of the time.
    if arguments == ["check"] { return Command<CheckVerb>() }
    let verb = configuration.subcommands.first { verb in
      verb.configuration.commandName == arguments.first
        && verb.configuration.subcommands.isEmpty
    }
    // For help, the parser creates a command of its own.
    if let verb, let command = try? verb.parseAsRoot(Array(arguments.dropFirst())),
      type(of: command) == verb
    {
      return command
    }
    return try parseAsRoot(arguments)
  }

  /// Checks that a call for help is about something: the parser shows the general help otherwise.
  private static func checkHelp(_ arguments: [String]) throws {
    guard arguments.first == "help" else { return }
    var group: any ParsableCommand.Type = RemodelCommand.self
    for word in arguments.dropFirst() where !word.hasPrefix("-") {
      let next = group.configuration.subcommands.first { $0.configuration.commandName == word }
      guard let next else { throw ValidationError("Unexpected argument '\(word)'") }
      group = next
    }
  }

  /// Tells help, or why the arguments are no call.
  private static func end(_ error: any Error, _ arguments: [String]) -> Int32 {
    TextFile.ignoreBrokenPipes()
    guard exitCode(for: error) != .success else {
      do throws(UsageError) {
        try TextFile.writeResult(fullMessage(for: error) + "\n")
        return ExitStatus.success.rawValue
      } catch {
        return tell(ErrorReport(error), arguments)
      }
    }
    let message = message(for: error)
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
    let error = UsageError(
      .notParsed(
        message: message,
        advice: ForeignCall.advice(for: words, message),
        help: helpHint(fullMessage(for: error)),
        verbs: configuration.subcommands.map { $0.configuration }.filter(\.shouldDisplay)
          .compactMap(\.commandName)
      )
    )
    return tell(ErrorReport(error, status: .usage), arguments)
  }

  private static func tell(_ report: ErrorReport, _ arguments: [String]) -> Int32 {
    report.write(
      as: ErrorReport.Form(
        arguments.value(of: "--format"),
        arguments.value(of: "--output")
      ),
      .plain,
      logs: .ofErrors(arguments: arguments, CommandEnvironment.process)
    )
    return report.status.rawValue
  }

  /// Returns the parser's hint at the help.
  private static func helpHint(_ message: String) -> String? {
    let line = message.split(separator: "\n").last { $0.hasPrefix("  See '") }
    return line.map { String($0.dropFirst(2)) }
  }
}

/// `exit`, whose name is that of a method in a command.
private func endProcess(_ status: Int32) -> Never {
  exit(status)
}
