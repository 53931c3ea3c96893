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
    /// The concatenation of texts; null is empty.
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
    /// The words of texts, by a text search configuration; null is empty.
    case textSearch = "textSearch"

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
    /// A text parsed as JSON, any other value as JSON, or with keys the text at that path.
    case json = "json"
  }
}

extension Expression.Function {
  /// Whether a function gives the same again.
  package enum Volatility: Hashable, Sendable {
    /// For the same arguments always.
    case immutable
    /// Within a transaction.
    case stable
    /// Never.
    case volatile
  }

  /// How many arguments it takes.
  package var argumentCounts: ClosedRange<Int> { traits.argumentCounts }

  /// Whether it gives the same again.
  package var volatility: Volatility { traits.volatility }

  /// A Boolean value that indicates whether it takes many values as one argument.
  package var takesCollection: Bool { traits.takesCollection }

  /// When there is a result.
  enum Presence {
    case always
    /// If every argument has a value.
    case ofAll
    /// If one of them has.
    case ofAny
    case uncertain
  }

  /// When there is a result.
  var presence: Presence { traits.presence }

  private struct Traits {
    var argumentCounts: ClosedRange<Int>
    var presence = Presence.ofAll
    var volatility = Volatility.immutable
    var takesCollection = false

    init(
      _ argumentCounts: ClosedRange<Int>,
      _ presence: Presence = .ofAll,
      _ volatility: Volatility = .immutable
    ) {
      self.argumentCounts = argumentCounts
      self.presence = presence
      self.volatility = volatility
    }

    static var collecting: Traits {
      var traits = Traits(1...1, .uncertain)
      traits.takesCollection = true
      return traits
    }
  }

  private var traits: Traits {
    switch self {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: .collecting
    case .squareRoot, .logarithm, .naturalLogarithm, .exponential, .abs, .floor, .ceiling,
      .truncate, .onesComplement, .canonical, .lowercase, .uppercase, .length, .noIndex:
      Traits(1...1)
    case .add, .subtract, .multiply, .divide, .modulus, .power, .bitwiseAnd, .bitwiseOr,
      .bitwiseXor, .leftShift, .rightShift:
      Traits(2...2)
    case .random, .uuid: Traits(0...0, .always, .volatile)
    case .randomBelow, .randomInteger: Traits(1...1, .ofAll, .volatile)
    case .concat: Traits(1...100, .always)
    case .trim: Traits(1...2)
    case .substring: Traits(2...3)
    case .replace, .regexReplace: Traits(3...3)
    case .split: Traits(2...3, .uncertain)
    case .textSearch: Traits(2...100, .always)
    case .now: Traits(0...0, .always, .stable)
    case .distance, .nullIf: Traits(2...2, .uncertain)
    case .coalesce: Traits(2...100, .ofAny)
    case .json: Traits(1...100, .uncertain)
    }
  }

  /// Finds the function of a name, in either spelling: `add:to:` and `add`.
  ///
  /// - Parameters:
  ///   - name: The name in the text.
  ///   - count: The number of arguments.
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
