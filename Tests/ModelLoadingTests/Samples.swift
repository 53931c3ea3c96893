import ObjectModel

/// One model in both forms.
enum Samples {
  static let xml = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="2">
      <entity name="Publication" representedClassName="Publication" isAbstract="YES" syncable="YES">
        <attribute name="title" attributeType="String" minValueString="1" maxValueString="200" regularExpressionString="[A-Z].*"/>
        <attribute name="issued" optional="YES" attributeType="Date" defaultDateTimeInterval="631152000" minDateTimeInterval="0"/>
        <relationship name="publisher" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Publisher" inverseName="publications" inverseEntity="Publisher"/>
        <userInfo>
          <entry key="remodel.table" value="publications"/>
          <entry key="remodel.key" value="uuid"/>
          <entry key="owner" value="catalogue"/>
        </userInfo>
      </entity>
      <entity name="Book" parentEntity="Publication" elementID="Volume" versionHashModifier="3">
        <attribute name="isbn" optional="YES" attributeType="String"/>
        <attribute name="pages" attributeType="Integer 32" defaultValueString="0" minValueString="0" usesScalarValueType="YES">
          <userInfo>
            <entry key="remodel.column" value="page_count"/>
            <entry key="remodel.enforce" value="YES"/>
          </userInfo>
        </attribute>
        <attribute name="price" attributeType="Decimal" defaultValueString="0.0">
          <userInfo><entry key="remodel.type" value="numeric(12,2)"/></userInfo>
        </attribute>
        <attribute name="isLent" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="cover" optional="YES" attributeType="Transformable" valueTransformerName="CoverTransformer"/>
        <attribute name="cachedSize" optional="YES" transient="YES"/>
        <attribute name="authorCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="authors.@count"/>
        <relationship name="authors" optional="YES" toMany="YES" ordered="YES" maxCount="5" deletionRule="Deny" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        <fetchedProperty name="similar" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Book" predicateString="title == $FETCH_SOURCE.title"/>
        </fetchedProperty>
        <fetchIndex name="byTitle">
          <fetchIndexElement property="title" type="Binary" order="ascending"/>
          <fetchIndexElement property="pages" type="Binary" order="descending"/>
        </fetchIndex>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="isbn"/></uniquenessConstraint>
          <uniquenessConstraint><constraint value="title"/><constraint value="publisher"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Author">
        <attribute name="name" attributeType="String" defaultValueString="Anonymous &amp; Co"/>
        <attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>
        <relationship name="books" toMany="YES" minCount="1" deletionRule="Cascade" destinationEntity="Book" inverseName="authors" inverseEntity="Book"/>
      </entity>
      <entity name="Publisher">
        <relationship name="publications" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="Publication" inverseName="publisher" inverseEntity="Publication"/>
      </entity>
      <composite name="Address">
        <attribute name="city" attributeType="String"/>
        <attribute name="floor" optional="YES" attributeType="Integer 16" defaultValueString="0.0"/>
      </composite>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Author"/></configuration>
      <fetchRequest name="long" entity="Book" predicateString="pages &gt; 1000" fetchLimit="10"/>
      <elements><element name="Book" positionX="0" positionY="0" width="1" height="1"/></elements>
    </model>
    """

  static let yaml = """
    remodel: 1
    identifier: 2
    entities:
      Publication:
        abstract: true
        class: Publication
        table: publications
        key: uuid
        attributes:
          title: { type: string, validation: { minimumLength: 1, maximumLength: 200, pattern: "[A-Z].*" } }
          issued: { type: timestamp?, default: 2021-01-01T00:00:00Z, validation: { minimum: 2001-01-01 } }
        relationships:
          publisher: { to: Publisher?, inverse: publications }
        userInfo: { owner: catalogue }
      Book:
        parent: Publication
        renamingIdentifier: Volume
        versionHashModifier: "3"
        attributes:
          isbn: string?
          pages: { type: integer32, default: 0, column: page_count, validation: { minimum: 0, enforced: true } }
          price: { type: "numeric(12,2)", default: 0 }
          isLent: { type: boolean, default: false }
          cover: { type: transformable?, transformer: CoverTransformer }
          cachedSize: { optional: true, transient: true }
          authorCount: { type: integer64?, derivation: authors.@count }
        relationships:
          authors: { toMany: Author, inverse: books, ordered: true, delete: deny, maximum: 5 }
        fetchedProperties:
          similar: { entity: Book, predicate: title == $FETCH_SOURCE.title }
        unique: [[isbn], [title, publisher]]
        indexes:
          byTitle: [title, { property: pages, descending: true }]
      Author:
        attributes:
          name: { type: string, default: Anonymous & Co }
          home: composite(Address)?
        relationships:
          books: { toMany: Book, inverse: authors, delete: cascade, minimum: 1 }
      Publisher:
        relationships:
          publications: { toMany: Publication, inverse: publisher, delete: noAction }
    composites:
      Address: { city: string, floor: { type: integer16?, default: 0 } }
    configurations:
      Cloud: [Author]
    fetchRequests:
      long: { entity: Book, predicate: pages > 1000, options: { fetchLimit: 10 } }
    """
}

extension ManagedObjectModel {
  /// The model without what only one of the forms can say.
  var withoutForeign: ManagedObjectModel {
    var entities = entities
    for index in entities.indices {
      entities[index].foreign = ForeignContent()
      for position in entities[index].attributes.indices {
        entities[index].attributes[position].foreign = ForeignContent()
      }
      for position in entities[index].relationships.indices {
        entities[index].relationships[position].foreign = ForeignContent()
      }
    }
    return ManagedObjectModel(
      entities: entities,
      composites: composites,
      configurations: configurations,
      fetchRequests: fetchRequests,
      versionIdentifier: versionIdentifier
    )
  }
}
