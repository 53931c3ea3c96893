package import Testing

extension Trait where Self == ConditionTrait {
  /// Runs a slow test once in so many runs, by the seed that is printed, and always with `REMODEL_CASES=all`.
  ///
  /// - Parameters:
  ///   - count: In how many runs.
  ///   - fileID: The file of the test.
  ///   - line: The line of the test.
  /// - Returns: The trait.
  package static func sampled(
    oneIn count: Int,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Self {
    .enabled(
      if: RandomCases.has(oneIn: count, "\(fileID):\(line)"),
      "it is not in the sample of this run"
    )
  }
}
