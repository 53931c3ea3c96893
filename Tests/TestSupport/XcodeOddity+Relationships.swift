extension XcodeOddity {
  static let relationships = [
    XcodeOddity(
      "an inverse that is not there",
      withA(#"<relationship name="r" optional="YES" destinationEntity="A" inverseName="q"/>"#),
      opensWith: "It is read as a relationship without an inverse."
    ),
    XcodeOddity(
      "an inverse that is an attribute",
      withA(#"<relationship name="r" optional="YES" destinationEntity="A" inverseName="x"/>"#),
      opensWith: "It is read as a relationship without an inverse."
    ),
    XcodeOddity(
      "an inverse that has no inverse",
      withA(
        """
        <relationship name="r" optional="YES" destinationEntity="A" inverseName="s"/>
        <relationship name="s" optional="YES" toMany="YES" destinationEntity="A"/>
        """
      ),
      opensWith: "It is read as a relationship without an inverse."
    ),
    XcodeOddity(
      "an inverse that is the inverse of another",
      """
      <entity name="Artist">
      <relationship name="thumbnail" optional="YES" destinationEntity="Image" inverseName="thumbnail"/>
      </entity>
      <entity name="Image">
      <relationship name="artist" optional="YES" destinationEntity="Artist" inverseName="thumbnail"/>
      <relationship name="thumbnail" optional="YES" destinationEntity="Artist" inverseName="thumbnail"/>
      </entity>
      """,
      opensWith:
        "inverse \"thumbnail\" of relationship \"artist\" of entity \"Image\" does not point back"
    ),
    XcodeOddity(
      "a ring of inverses",
      withA(
        """
        <relationship name="r" optional="YES" destinationEntity="A" inverseName="s"/>
        <relationship name="s" optional="YES" destinationEntity="A" inverseName="t"/>
        <relationship name="t" optional="YES" destinationEntity="A" inverseName="r"/>
        """
      ),
      opensWith: "inverse \"s\"",
      "inverse \"t\"",
      "inverse \"r\""
    ),
    XcodeOddity(
      "an inverse that leads to another entity",
      """
      <entity name="A">
      <relationship name="r" optional="YES" destinationEntity="B" inverseName="s"/>
      </entity>
      <entity name="B">
      <relationship name="s" optional="YES" toMany="YES" destinationEntity="C" inverseName="r"/>
      </entity>
      <entity name="C">
      <relationship name="r" optional="YES" destinationEntity="B" inverseName="s"/>
      </entity>
      """,
      opensWith: "leads to another entity"
    ),
    XcodeOddity(
      "an inverse that leads to the parent",
      """
      <entity name="P"><attribute name="x" optional="YES" attributeType="String"/></entity>
      <entity name="A" parentEntity="P">
      <relationship name="r" optional="YES" destinationEntity="B" inverseName="s"/>
      </entity>
      <entity name="B">
      <relationship name="s" optional="YES" toMany="YES" destinationEntity="P" inverseName="r"/>
      </entity>
      """,
      opensWith: "leads to another entity",
      "is no relationship of entity \"P\""
    ),
    XcodeOddity(
      "an inverse entity that is another one",
      withA(
        #"<relationship name="r" optional="YES" destinationEntity="A" inverseName="r" inverseEntity="B"/>"#
      ),
      opensWith: "is not its destination"
    ),
    XcodeOddity(
      "no inverse at all",
      withA(#"<relationship name="r" optional="YES" toMany="YES" destinationEntity="A"/>"#)
    ),
    XcodeOddity(
      "a relationship that is its own inverse",
      withA(
        #"<relationship name="r" optional="YES" toMany="YES" destinationEntity="A" inverseName="r"/>"#
      )
    ),
    XcodeOddity(
      "an order of one",
      withA(#"<relationship name="r" optional="YES" ordered="YES" destinationEntity="A"/>"#),
      opensWith: "It is read as a relationship without an order."
    ),
    XcodeOddity(
      "a to-one relationship to many",
      withA(#"<relationship name="r" optional="YES" maxCount="5" destinationEntity="A"/>"#),
      opensWith: "has a maximum of 5 but is not to-many"
    ),
    XcodeOddity(
      "a to-many relationship to one",
      withA(
        #"<relationship name="r" optional="YES" toMany="YES" maxCount="1" destinationEntity="A"/>"#
      )
    ),
    XcodeOddity(
      "a minimum over the maximum",
      withA(
        #"<relationship name="r" toMany="YES" minCount="3" maxCount="2" destinationEntity="A"/>"#
      ),
      opensWith: "Both limits are left out."
    ),
    XcodeOddity(
      "a minimum of an optional relationship",
      withA(
        #"<relationship name="r" optional="YES" minCount="1" maxCount="1" destinationEntity="A"/>"#
      )
    ),
    XcodeOddity(
      "a count that is none",
      withA(
        #"<relationship name="r" optional="YES" toMany="YES" maxCount="many" destinationEntity="A"/>"#
      ),
      opensWith: "attribute \"maxCount\" is \"many\", not a count"
    ),
    XcodeOddity(
      "an unknown delete rule",
      withA(#"<relationship name="r" optional="YES" deletionRule="None" destinationEntity="A"/>"#),
      opensWith: "It is read as \"Nullify\"."
    ),
    XcodeOddity(
      "a transient relationship with an inverse that is not",
      withA(
        """
        <relationship name="r" optional="YES" transient="YES" destinationEntity="A" inverseName="s"/>
        <relationship name="s" optional="YES" toMany="YES" destinationEntity="A" inverseName="r"/>
        """
      )
    ),
    XcodeOddity(
      "a required pair of to-one relationships",
      """
      <entity name="A"><relationship name="b" destinationEntity="B" inverseName="a"/></entity>
      <entity name="B"><relationship name="a" destinationEntity="A" inverseName="b"/></entity>
      """
    ),
    XcodeOddity(
      "a relationship to an abstract entity without subentities",
      withA(#"<relationship name="r" optional="YES" destinationEntity="B"/>"#)
        + #"<entity name="B" isAbstract="YES"/>"#
    ),
    XcodeOddity(
      "a relationship to nowhere",
      withA(#"<relationship name="r" optional="YES"/>"#),
      refusedWith: "element \"relationship\" has no attribute \"destinationEntity\""
    ),
    XcodeOddity(
      "a relationship to an entity that is not there",
      withA(#"<relationship name="r" optional="YES" destinationEntity="B"/>"#),
      refusedWith: "destination \"B\" of relationship \"r\" of entity \"A\" does not exist"
    ),
  ]
}
