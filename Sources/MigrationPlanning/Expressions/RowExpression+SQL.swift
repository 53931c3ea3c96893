internal import ModelMapping
internal import ObjectModel
internal import SQLSyntax

/// SQL that people wrote.
extension RowExpression {
  mutating func value(
    ofSQL text: String,
    _ whole: Expression
  ) throws(ExpressionFault) -> TypedValue {
    try requireMapping(whole)
    isOpaque = true
    let template: SQLTemplate
    do {
      template = try SQLTemplate(parsing: text)
    } catch {
      throw .unresolvedPlaceholder(error.placeholder)
    }
    var sql: SQLFragment = "("
    for segment in template.segments {
      switch segment {
      case .text(let text): sql.append(SQLFragment(written: text))
      case .placeholder(let placeholder): sql.append(try resolved(placeholder))
      }
    }
    // A comment at the end of the text would swallow the parenthesis.
    sql.append("\n)")
    return TypedValue(sql: sql, type: .unknown)
  }

  private mutating func resolved(
    _ placeholder: SQLTemplate.Placeholder
  ) throws(ExpressionFault) -> SQLFragment {
    if case .sourceProperty(let entityName, let property) = placeholder,
      let entity = projection.model.entity(named: entityName),
      projection.model.root(of: entity) == projection.model.root(of: source.entity),
      let column = projection.columns(ofProperty: property, seenFrom: entity).first
    {
      note(column, of: source)
      return "\(source.prefix)\(column)"
    }
    if let resolved = placeholders(placeholder) { return resolved }
    switch placeholder {
    case .sourceEntity(let name):
      if let entity = projection.model.entity(named: name), let table = projection.table(of: entity)
      {
        return "\(QualifiedName(schema: projection.schema.name, name: table))"
      }
    case .sourceProperty(let name, let property):
      if let entity = projection.model.entity(named: name),
        let column = projection.columns(ofProperty: property, seenFrom: entity).first
      {
        return "\(column)"
      }
    case .destinationEntity, .destinationProperty, .map, .chunk: break
    }
    throw .unresolvedPlaceholder("\(placeholder)")
  }
}
