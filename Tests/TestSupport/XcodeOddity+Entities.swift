extension XcodeOddity {
  static let entities = [
    XcodeOddity("an entity without properties", #"<entity name="A"/>"#),
    XcodeOddity(
      "an entity with transient attributes only",
      #"<entity name="A"><attribute name="x" transient="YES" attributeType="String"/></entity>"#
    ),
    XcodeOddity("an abstract entity without subentities", #"<entity name="A" isAbstract="YES"/>"#),
    XcodeOddity("no entities", ""),
    XcodeOddity(
      "an attribute that a parent has as well",
      withA("")
        + """
        <entity name="B" parentEntity="A">
        <attribute name="x" optional="YES" attributeType="String"/>
        <attribute name="y" optional="YES" attributeType="String"/>
        </entity>
        """,
      opensWith: "It is read as the property of entity \"A\"."
    ),
    XcodeOddity(
      "an attribute that a parent has with another type",
      withA("")
        + """
        <entity name="B" parentEntity="A">
        <attribute name="x" optional="YES" attributeType="Date"/>
        </entity>
        """,
      refusedWith: "has the name of a property that it inherits from entity \"A\""
    ),
    XcodeOddity(
      "two values for one key of user info",
      withA(
        """
        <userInfo><entry key="k" value="1"/><entry key="k" value="2"/><entry value="3"/></userInfo>
        """
      ),
      opensWith: "user info has two values for key \"k\"",
      "entry of user info has no key"
    ),
    XcodeOddity(
      "two values for a setting of ours",
      withA(
        """
        <userInfo><entry key="remodel.table" value="a"/><entry key="remodel.table" value="b"/></userInfo>
        """
      ),
      refusedWith: "user info has two values for key \"remodel.table\""
    ),
    XcodeOddity(
      "a parent that is not there",
      #"<entity name="A" parentEntity="B"/>"#,
      refusedWith: "parent \"B\" of entity \"A\" does not exist"
    ),
    XcodeOddity(
      "an entity that is its own parent",
      #"<entity name="A" parentEntity="A"/>"#,
      refusedWith: "entity \"A\" inherits from itself"
    ),
    XcodeOddity(
      "an entity without a name",
      "<entity/>",
      refusedWith: "element \"entity\" has no attribute \"name\""
    ),
    XcodeOddity(
      "two entities of one name",
      #"<entity name="A"/><entity name="A"/>"#,
      refusedWith: "entity \"A\" is defined twice"
    ),
  ]

  static let indexes = [
    XcodeOddity(
      "a uniqueness constraint on what is not there",
      withA(unique("x", "gone")),
      opensWith: "It is left out."
    ),
    XcodeOddity(
      "a uniqueness constraint on an element of a composite",
      withA(
        #"<attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>"#
          + unique("home.city")
      )
        + """
        <composite name="Address"><attribute name="city" optional="YES" attributeType="String"/></composite>
        """,
      opensWith: "It is left out."
    ),
    XcodeOddity(
      "uniqueness constraints on what has no column",
      withA(
        """
        <attribute name="t" optional="YES" transient="YES" attributeType="String"/>
        <relationship name="r" optional="YES" toMany="YES" destinationEntity="A"/>
        """ + unique("t") + unique("r")
      ),
      opensWith: "lists \"t\", which has no column",
      "lists \"r\", which has no column"
    ),
    XcodeOddity(
      "a uniqueness constraint together with a key that is kept at the other end",
      """
      <entity name="A">
      <attribute name="x" optional="YES" attributeType="String"/>
      <relationship name="b" optional="YES" destinationEntity="B" inverseName="a"/>
      </entity>
      <entity name="B">
      <attribute name="y" optional="YES" attributeType="String"/>
      <relationship name="a" optional="YES" destinationEntity="A" inverseName="b"/>
      \(unique("y", "a"))
      </entity>
      """,
      opensWith: "uniqueness together with \"a\" cannot be kept"
    ),
    XcodeOddity(
      "a uniqueness constraint on nothing, and on one attribute twice",
      withA(unique() + unique("x", "x")),
      opensWith: "It is left out.",
      "It is read as if \"x\" were listed once."
    ),
    XcodeOddity(
      "indexes of what is not there",
      withA(
        """
        <fetchIndex name="i"><fetchIndexElement property="x" type="Binary" order="ascending"/>\
        <fetchIndexElement property="gone" type="Binary" order="ascending"/></fetchIndex>
        <compoundIndexes><compoundIndex><index value="gone"/><index value="x"/></compoundIndex></compoundIndexes>
        """
      ),
      opensWith: "It is read without \"gone\".",
      "It is read without \"gone\"."
    ),
    XcodeOddity(
      "indexes of one name, and of none",
      withA(
        """
        <fetchIndex name="i"><fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
        <fetchIndex name="i"><fetchIndexElement property="x" type="Binary" order="descending"/></fetchIndex>
        <fetchIndex name=""><fetchIndexElement property="x" type="Binary"/></fetchIndex>
        """
      ),
      opensWith: "It is read under the name \"i 2\".",
      "It is read under the name \"index 2\"."
    ),
    XcodeOddity(
      "elements of indexes with neither property nor expression, and of an unknown kind",
      withA(
        """
        <fetchIndex name="i"><fetchIndexElement type="Binary"/></fetchIndex>
        <fetchIndex name="j"><fetchIndexElement property="x" type="Hash"/></fetchIndex>
        """
      ),
      opensWith: "lists nothing",
      "index element has to name either a property or an expression",
      "It is read as \"Binary\"."
    ),
    XcodeOddity(
      "an R-tree of numbers",
      withA(
        """
        <attribute name="lat" optional="YES" attributeType="Double"/>
        <fetchIndex name="i"><fetchIndexElement property="lat" type="RTree" order="ascending"/></fetchIndex>
        """
      )
    ),
    XcodeOddity(
      "an index with a predicate that cannot be read",
      withA(
        """
        <fetchIndex name="i" partialIndexPredicate="x ==="><fetchIndexElement property="x" type="Binary"/></fetchIndex>
        """
      ),
      opensWith: "It is left out."
    ),
    XcodeOddity(
      "an index with a predicate over other rows",
      withA(
        """
        <relationship name="r" optional="YES" destinationEntity="A"/>
        <fetchIndex name="i" partialIndexPredicate="r.x == 'a'"><fetchIndexElement property="x" type="Binary"/></fetchIndex>
        """
      ),
      opensWith: "It is left out."
    ),
    XcodeOddity(
      "an index of an expression that is none",
      withA(
        """
        <fetchIndex name="i"><fetchIndexElement expression="@entity" expressionType="String" type="Binary"/></fetchIndex>
        """
      ),
      opensWith: "It is left out."
    ),
    XcodeOddity(
      "the three generations of indexes at once",
      """
      <entity name="A">
      <attribute name="x" optional="YES" attributeType="String" indexed="YES"/>
      <fetchIndex name="byX"><fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
      <compoundIndexes><compoundIndex><index value="x"/></compoundIndex></compoundIndexes>
      </entity>
      """
    ),
  ]

  private static func unique(_ names: String...) -> String {
    let list = names.map { "<constraint value=\"\($0)\"/>" }.joined()
    return """
      <uniquenessConstraints><uniquenessConstraint>\(list)</uniquenessConstraint></uniquenessConstraints>
      """
  }

  static let configurations = [
    XcodeOddity(
      "a configuration of what is not there",
      withA("")
        + #"<configuration name="C"><memberEntity name="A"/><memberEntity name="Gone"/></configuration>"#,
      opensWith: "It is read without \"Gone\"."
    ),
    XcodeOddity(
      "an entity that is listed twice, and one without a name",
      withA("")
        + """
        <configuration name="C"><memberEntity name="A"/><memberEntity name="A"/><memberEntity/></configuration>
        """,
      opensWith: "lists entity \"A\" twice",
      "lists an entity without a name"
    ),
    XcodeOddity(
      "configurations of one name, and of nothing",
      withA("") + #"<entity name="B"/>"#
        + """
        <configuration name="C"><memberEntity name="A"/></configuration>
        <configuration name="C"><memberEntity name="B"/></configuration>
        <configuration name="D"/>
        """,
      opensWith: "Its entities are added to the first one.",
      "configuration \"D\" lists nothing"
    ),
    XcodeOddity(
      "an inverse in another configuration",
      """
      <entity name="A">
      <relationship name="b" optional="YES" destinationEntity="B" inverseName="a"/>
      </entity>
      <entity name="B">
      <relationship name="a" optional="YES" toMany="YES" destinationEntity="A" inverseName="b"/>
      </entity>
      <configuration name="Local"><memberEntity name="A"/></configuration>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="B"/></configuration>
      """
    ),
  ]

  static let fetches = [
    XcodeOddity(
      "fetch requests of everything",
      withA(
        """
        <fetchedProperty name="f" optional="YES">
        <fetchRequest name="fetchedPropertyFetchRequest" predicateString="x == $FETCH_SOURCE.x"/>
        </fetchedProperty>
        """
      )
        + """
        <fetchRequest name="R" entity="A" predicateString="((("/>
        <fetchRequest name="R" entity="A"/>
        <fetchRequest name="S" entity="Gone" predicateString="x == $y"/>
        <fetchRequest entity="A"/>
        <fetchIndex name="outside"/>
        """,
      opensWith: "fetch request has no name or no entity",
      "The first one counts.",
      "names entity \"Gone\", which does not exist",
      "fetch request has no name or no entity",
      "fetchIndex outside of an entity is left out"
    )
  ]

  static let files = [
    XcodeOddity(
      "a diagram, an unknown element, and text",
      withA("<shape/>")
        + #"<elements><element name="A" positionX="0" positionY="0" width="1" height="1"/></elements>text"#,
      opensWith: "text in element \"model\" has no effect",
      "unrecognized element \"shape\""
    ),
    XcodeOddity(
      "an element that is not closed",
      #"<entity name="A">"#,
      refusedWith: "malformed XML: mismatched tag"
    ),
    XcodeOddity(
      "a conflict of a merge",
      """
      <<<<<<< HEAD
      <entity name="A"/>
      =======
      """,
      refusedWith: "malformed XML: not well-formed (invalid token)"
    ),
  ]
}
