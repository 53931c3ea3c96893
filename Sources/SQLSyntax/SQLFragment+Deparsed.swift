extension SQLFragment {
  /// Creates a fragment of text that the server made out of its own catalog, which quotes what has
  /// to be quoted: the definition of a view, an expression, the name of a type.
  ///
  /// Nothing else may come in this way; what people write is an identifier or a literal.
  ///
  /// - Parameter text: What a function such as `pg_get_viewdef` returned.
  public init(deparsed text: String) {
    segments = [.syntax(text)]
  }
}
