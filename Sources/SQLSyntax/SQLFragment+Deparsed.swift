extension SQLFragment {
  /// Creates a fragment of text that the server made out of its own catalog, which quotes what has
  /// to be quoted: the definition of a view, an expression, the name of a type.
  ///
  /// Nothing else may come in this way; what people write is an identifier or a literal, unless they
  /// say that it is SQL.
  ///
  /// - Parameter text: What a function such as `pg_get_viewdef` returned.
  public init(deparsed text: String) {
    segments = [.syntax(text)]
  }
  /// Creates a fragment of SQL that people wrote as such, to be run with all the rights that they
  /// give: in a mapping model, the policy of a mapping or an expression.
  ///
  /// - Parameter text: The SQL as it stands there.
  public init(written text: String) {
    segments = [.syntax(text)]
  }
}
