extension XcodeOddity {
  static let attributes = [
    XcodeOddity(
      "names that are words of SQL",
      withA(
        """
        <attribute name="order" optional="YES" attributeType="Integer 16"/>
        <attribute name="select" optional="YES" attributeType="String" indexed="YES"/>
        <attribute name="user" optional="YES" attributeType="String"/>
        <relationship name="table" optional="YES" destinationEntity="A"/>
        """
      ) + #"<entity name="Group"/><entity name="Check"/>"#
    ),
    XcodeOddity(
      "names of columns of ours",
      withA(
        """
        <attribute name="_id" optional="YES" attributeType="String"/>
        <relationship name="_entity" optional="YES" destinationEntity="A"/>
        """
      ),
      opensWith: "a column of table \"a\" is called \"_id_1734bf19\"",
      "a column of table \"a\" is called \"_entity_8d1992a6\""
    ),
    XcodeOddity(
      "a name of a column of ours in a subentity, and of what has no column",
      withA(#"<attribute name="_entity" optional="YES" transient="YES" attributeType="String"/>"#)
        + """
        <entity name="B" parentEntity="A">
        <attribute name="_id" optional="YES" attributeType="String"/>
        </entity>
        """
    ),
    XcodeOddity(
      "names in other scripts, with spaces and quotes",
      withA(
        """
        <attribute name="größe" optional="YES" attributeType="Double"/>
        <attribute name="名前" optional="YES" attributeType="String"/>
        <attribute name="two words" optional="YES" attributeType="String"/>
        <attribute name="a&quot;b" optional="YES" attributeType="String"/>
        """
      )
    ),
    XcodeOddity(
      "an attribute without a type that is transient",
      withA(#"<attribute name="t" optional="YES" transient="YES"/>"#)
    ),
    XcodeOddity(
      "an unknown type of what is transient",
      withA(#"<attribute name="t" optional="YES" transient="YES" attributeType="Colour"/>"#),
      opensWith: "unrecognized attribute type \"Colour\""
    ),
    XcodeOddity(
      "an attribute without a type",
      withA(#"<attribute name="t" optional="YES"/>"#),
      refusedWith: "attribute \"t\" of entity \"A\" has no type"
    ),
    XcodeOddity(
      "an unknown type",
      withA(#"<attribute name="t" optional="YES" attributeType="Colour"/>"#),
      refusedWith: "unrecognized attribute type \"Colour\""
    ),
    XcodeOddity(
      "a default value that does not fit",
      withA(
        #"<attribute name="n" optional="YES" attributeType="Integer 16" defaultValueString="70000"/>"#
      ),
      opensWith: "The attribute is read without a default value."
    ),
    XcodeOddity(
      "a default value that is no number, of a required attribute",
      withA(#"<attribute name="n" attributeType="Double" defaultValueString="0,5"/>"#),
      opensWith: "default value \"0,5\" of attribute \"n\" is not of type double"
    ),
    XcodeOddity(
      "a default value of a former type",
      withA(#"<attribute name="n" attributeType="Integer 16" defaultValueString="YES"/>"#),
      opensWith: "is taken for 1"
    ),
    XcodeOddity(
      "a date's default value that is none",
      withA(
        #"<attribute name="d" optional="YES" attributeType="Date" defaultDateTimeInterval="now"/>"#
      ),
      opensWith: "The attribute is read without a default value."
    ),
    XcodeOddity(
      "a default value of what has none",
      withA(#"<attribute name="b" optional="YES" attributeType="Binary" defaultValueString="x"/>"#),
      opensWith: "default value of attribute \"b\" has no effect"
    ),
    XcodeOddity(
      "limits that are no numbers",
      withA(
        #"<attribute name="n" optional="YES" attributeType="Integer 16" minValueString="x" maxValueString="1e9999"/>"#
      ),
      opensWith: "attribute \"minValueString\" is \"x\", not a number",
      "attribute \"maxValueString\" is \"1e9999\", not a number"
    ),
    XcodeOddity(
      "limits outside of the type",
      withA(
        #"<attribute name="n" optional="YES" attributeType="Integer 16" minValueString="-99999" maxValueString="99999"/>"#
      )
    ),
    XcodeOddity(
      "a minimum over the maximum",
      withA(
        #"<attribute name="n" optional="YES" attributeType="Integer 16" minValueString="5" maxValueString="1"/>"#
      ),
      opensWith: "Both limits are left out."
    ),
    XcodeOddity(
      "a negative length",
      withA(#"<attribute name="s" optional="YES" attributeType="String" minValueString="-1"/>"#),
      opensWith: "attribute \"minValueString\" is \"-1\", not a count"
    ),
    XcodeOddity(
      "a regular expression that is none",
      withA(
        #"<attribute name="s" optional="YES" attributeType="String" regularExpressionString="(["/>"#
      )
    ),
    XcodeOddity(
      "a Boolean word of another language",
      withA(#"<attribute name="s" optional="true" transient="no" attributeType="String"/>"#),
      opensWith: "It is read as \"YES\".",
      "It is read as \"NO\"."
    ),
    XcodeOddity(
      "a derived attribute without an expression",
      withA(#"<attribute name="d" optional="YES" attributeType="String" derived="YES"/>"#),
      opensWith: "It is read as an ordinary attribute."
    ),
    XcodeOddity(
      "a derivation that is not in use",
      withA(
        #"<attribute name="d" optional="YES" attributeType="String" derivationExpression="x"/>"#
      )
    ),
    XcodeOddity(
      "derivations of every kind",
      withA(
        """
        <attribute name="d" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(x)"/>
        <attribute name="n" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="r.@count"/>
        <attribute name="t" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
        <relationship name="r" optional="YES" toMany="YES" destinationEntity="A" inverseName="s"/>
        <relationship name="s" optional="YES" destinationEntity="A" inverseName="r"/>
        """
      )
    ),
    XcodeOddity(
      "a derivation of what is not there",
      withA(
        #"<attribute name="d" optional="YES" attributeType="String" derived="YES" derivationExpression="gone"/>"#
      ),
      refusedWith: "\"gone\" cannot be laid out"
    ),
    XcodeOddity(
      "a composite attribute",
      withA(
        #"<attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>"#
      )
        + """
        <composite name="Address">
        <attribute name="city" optional="YES" attributeType="String"/>
        <attribute name="spot" optional="YES" attributeType="Composite" composite="Spot"/>
        </composite>
        <composite name="Spot">
        <attribute name="latitude" optional="YES" attributeType="Double" defaultValueString="0.0"/>
        </composite>
        """
    ),
    XcodeOddity(
      "a composite attribute of a composite that is not there",
      withA(
        #"<attribute name="home" optional="YES" attributeType="Composite" composite="Address"/>"#
      ),
      refusedWith:
        "composite \"Address\", the type of attribute \"home\" of entity \"A\", does not exist"
    ),
    XcodeOddity(
      "a composite without elements",
      withA("") + #"<composite name="Address"/>"#,
      opensWith: "composite \"Address\" has no elements"
    ),
    XcodeOddity(
      "the flags of every Xcode so far, and of the next one",
      withA(
        """
        <attribute name="b" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" \
        allowsCloudEncryption="YES" preserveAfterDeletion="YES" spotlightIndexingEnabled="YES" \
        storedInTruthFile="YES" ephemeral="YES" quantum="YES" syncable="YES"/>
        <attribute name="t" optional="YES" attributeType="Transformable" valueTransformerName="V" \
        customClassName="[String]"/>
        """
      ),
      opensWith: "unrecognized attribute \"quantum\""
    ),
    XcodeOddity(
      "identifiers that nothing was ever called",
      """
      <entity name="A" elementID="Gone">
      <attribute name="x" optional="YES" attributeType="String" elementID="gone"/>
      <relationship name="r" optional="YES" destinationEntity="A" elementID="lost"/>
      </entity>
      """
    ),
    XcodeOddity(
      "more attributes than a table has columns",
      withA(
        (0..<1600).map { #"<attribute name="a\#($0)" optional="YES" attributeType="String"/>"# }
          .joined(separator: "\n")
      ),
      refusedWith: "table \"a\" would have 1602 columns"
    ),
    XcodeOddity(
      "two attributes of one name",
      withA(#"<attribute name="x" optional="YES" attributeType="Integer 16"/>"#),
      refusedWith: "attribute \"x\" of entity \"A\" is defined twice"
    ),
  ]
}
