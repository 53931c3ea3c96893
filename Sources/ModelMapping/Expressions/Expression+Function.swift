extension Expression {
  /// A predefined function; the raw value is its name in the language.
  ///
  /// Those without colons in their names are Remodel's own, but for `now` and `random`. Positions in
  /// texts are counted from 0, as Foundation does.
  public enum Function: String, Hashable, Sendable, CaseIterable {
    // Over many values.
    case sum = "sum:"
    case count = "count:"
    case minimum = "min:"
    case maximum = "max:"
    case average = "average:"
    case median = "median:"
    /// The value that there is most often; the smallest of several.
    case mode = "mode:"
    /// The standard deviation of all, not that of a sample.
    case standardDeviation = "stddev:"

    // Numbers.
    case add = "add:to:"
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case power = "raise:toPower:"
    case squareRoot = "sqrt:"
    /// The logarithm to the base of 10.
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case exponential = "exp:"
    case abs = "abs:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case truncate = "trunc:"
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case leftShift = "leftshift:by:"
    case rightShift = "rightshift:by:"
    case onesComplement = "onesComplement:"
    /// A number from 0 to below 1.
    case random = "random"
    /// An integer from 0 to below the argument.
    case randomBelow = "random:"
    /// The same under its older name.
    case randomInteger = "randomn:"

    // Texts.
    case canonical = "canonical:"
    case lowercase = "lowercase:"
    case uppercase = "uppercase:"
    case length = "length:"
    /// The texts one after the other; what is null counts as nothing.
    case concat = "concat"
    /// The text without whitespace, or without the given characters, at both ends.
    case trim = "trim"
    /// The text from a position, of at most so many characters.
    case substring = "substring"
    /// The text with another text in place of one.
    case replace = "replace"
    /// The pieces between separators, or the one at a position.
    case split = "split"
    /// The text with another in place of all that a regular expression matches; `$1` is a group.
    case regexReplace = "regexReplace"

    // Anything.
    case now = "now"
    /// The value itself; a wish to Core Data's query planner.
    case noIndex = "noindex:"
    case distance = "distanceToLocation:fromLocation:"
    /// The first value that is not null.
    case coalesce = "coalesce"
    /// Nothing if both values are equal, else the first.
    case nullIf = "nullIf"
    /// A new random UUID.
    case uuid = "uuid"
    /// A text read as JSON, any other value as JSON, or with keys the text that is there.
    case json = "json"
  }
}

extension Expression.Function {
  /// Whether a function gives the same again.
  public enum Volatility: Hashable, Sendable {
    /// For the same arguments always.
    case immutable
    /// Within a transaction.
    case stable
    /// Never.
    case volatile
  }

  /// How many arguments it takes.
  public var argumentCounts: ClosedRange<Int> { traits.argumentCounts }

  /// Whether it gives the same again.
  public var volatility: Volatility { traits.volatility }

  /// A Boolean value that indicates whether it takes many values as one argument.
  public var takesCollection: Bool { traits.takesCollection }

  private struct Traits {
    var argumentCounts: ClosedRange<Int>
    var volatility = Volatility.immutable
    var takesCollection = false

    static func plain(_ count: Int) -> Traits { Traits(argumentCounts: count...count) }
    static func plain(_ counts: ClosedRange<Int>) -> Traits { Traits(argumentCounts: counts) }
    static let collecting = Traits(argumentCounts: 1...1, takesCollection: true)
  }

  private var traits: Traits {
    switch self {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: .collecting
    case .add, .subtract, .multiply, .divide, .modulus, .power: .plain(2)
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential: .plain(1)
    case .abs, .floor, .ceiling, .truncate, .onesComplement: .plain(1)
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift: .plain(2)
    case .random, .uuid: Traits(argumentCounts: 0...0, volatility: .volatile)
    case .randomBelow, .randomInteger: Traits(argumentCounts: 1...1, volatility: .volatile)
    case .canonical, .lowercase, .uppercase, .length: .plain(1)
    case .concat: .plain(1...100)
    case .trim: .plain(1...2)
    case .substring: .plain(2...3)
    case .replace, .regexReplace: .plain(3)
    case .split: .plain(2...3)
    case .now: Traits(argumentCounts: 0...0, volatility: .stable)
    case .noIndex: .plain(1)
    case .distance: .plain(2)
    case .coalesce: .plain(2...100)
    case .nullIf: .plain(2)
    case .json: .plain(1...100)
    }
  }

  /// Finds the function of a name, in either spelling: `add:to:` and `add`.
  ///
  /// - Parameters:
  ///   - name: The name as it is written.
  ///   - count: How many arguments there are.
  init?(named name: String, argumentCount count: Int) {
    if let function = Self(rawValue: name), function.argumentCounts.contains(count) {
      self = function
      return
    }
    guard !name.contains(":") else { return nil }
    let candidates = Self.allCases.filter { $0.plainName == name }
    guard
      let function = candidates.first(where: {
        $0.argumentCounts.contains(count) || ($0.takesCollection && count > 1)
      })
    else { return nil }
    self = function
  }

  /// The name up to the first colon.
  var plainName: Substring { rawValue.prefix { $0 != ":" } }
}
