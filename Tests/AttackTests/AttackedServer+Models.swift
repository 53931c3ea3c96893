/// The models of the stores that are attacked.
extension AttackedServer {
  static let mapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes: { title: "coalesce(title, 'untitled')", note: note, pages: pages }
    """

  static let fillingMapping = """
    remodelMapping: 1
    source: "1"
    destination: "2"
    entities:
      - source: Book
        destination: Book
        attributes: { label: "uppercase(coalesce(title, 'untitled'))" }
    """

  static let fillingVersion = """
    remodel: 1
    entities:
      Book:
        attributes: { title: string?, note: string?, pages: integer32?, label: string? }
    """

  static let versions = [
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: string?, note: string?, pages: integer32? }
    """,
    """
    remodel: 1
    entities:
      Book:
        attributes: { title: { type: string, default: untitled }, note: string?, pages: integer64? }
    """,
  ]
}

extension Attack.Setting {
  /// Where the job was cut off, if there is one.
  var end: String? {
    switch self {
    case .empty, .behind, .tenant: nil
    case .copying: "chunk.after_commit"
    case .prepared: "prepare.after_commit"
    case .filling: "start.after_commit"
    }
  }
}
