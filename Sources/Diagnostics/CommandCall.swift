/// A call of the command line in words, so that nothing in one of them can be taken for another.
package struct CommandCall: Hashable, Sendable {
  /// The verb, such as `job cancel`.
  package let verb: String
  /// The words of the options.
  package var options: [String]
  /// The operands, the first of which may begin with a dash.
  package let operands: [String]

  /// Creates a call.
  package init(_ verb: String, options: [String] = [], _ operands: String...) {
    self.verb = verb
    self.options = options
    self.operands = operands
  }

  /// What follows the name of the program, quoted for a shell.
  package var arguments: String {
    ([verb] + options.map(\.quotedForShell) + (operands.isEmpty ? [] : [operands.operandsForShell]))
      .joined(separator: " ")
  }

  /// The call, quoted for a shell.
  package var text: String { "remodel \(arguments)" }
}

/// Sentences of a diagnostic, in which calls of the command line are apart from the words: who prints them
/// can add options to the calls, whatever the names around them and in them are.
package struct Sentences: Hashable, Sendable {
  fileprivate enum Part: Hashable, Sendable {
    case words(String)
    case call(CommandCall)
  }

  private let parts: [Part]

  /// Creates sentences without calls.
  package init(_ text: String) { parts = [.words(text)] }

  /// The sentences with the calls as they are.
  package var text: String { text { "\"\($0.text)\"" } }

  /// Returns the sentences with the words that a function returns for each call.
  package func text(_ words: (CommandCall) -> String) -> String {
    parts.map { part in
      switch part {
      case .words(let text): text
      case .call(let call): words(call)
      }
    }
    .joined()
  }
}

extension Sentences: ExpressibleByStringInterpolation {
  package init(stringLiteral value: String) { self.init(value) }

  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// The parts of sentences.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }

    package mutating func appendInterpolation(_ text: String) { parts.append(.words(text)) }

    package mutating func appendInterpolation(_ call: CommandCall) { parts.append(.call(call)) }

    package mutating func appendInterpolation(_ sentences: Sentences) {
      parts += sentences.parts
    }
  }
}

extension CommandCall: CustomStringConvertible {
  package var description: String { text }
}
