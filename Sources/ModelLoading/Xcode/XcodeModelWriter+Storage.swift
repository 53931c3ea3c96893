import ObjectModel

/// What a model says of its tables where they do not follow the rules, for user info.
extension XcodeModelWriter {
  func addStorage(of entity: EntityDescription, to userInfo: inout [String: String]) {
    if entity.key.type != .bigint { userInfo.addSetting("key", entity.key.type.description) }
    userInfo.addSetting("keyColumn", entity.key.columnName)
    userInfo.addSetting("keyGenerated", entity.key.generation?.description)
    for check in entity.checks { userInfo.addSetting("check.\(check.name)", check.expression) }
    for (ours, name) in entity.objectNames { userInfo.addSetting("name.\(ours)", name) }
    for parameter in StorageParameter.allCases {
      userInfo.addSetting("storage.\(parameter.key)", entity.storage[parameter.rawValue])
    }
    for index in entity.fetchIndexes {
      userInfo.addSetting("indexSQL.\(index.name)", index.definition)
      if index.isUnique { userInfo.addSetting("uniqueIndex.\(index.name)", "YES") }
    }
  }

  func addReference(_ reference: ReferenceDescription?, to userInfo: inout [String: String]) {
    guard let reference else { return }
    userInfo.addSetting("delete", reference.onDelete?.rawValue)
    userInfo.addSetting("update", reference.onUpdate?.rawValue)
    let words = StorageWords.deferrabilities
    userInfo.addSetting("deferrable", words.first { $0.value == reference.deferrability }?.word)
    if !reference.isIndexed { userInfo.addSetting("index", "NO") }
  }
}
