package import ObjectModel

extension Samples {
  /// A model with explicit settings for everything that can differ from the rules.
  package static let adopted = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Category",
        attributes: [
          AttributeDescription(name: "title", type: .string, isOptional: false),
          AttributeDescription(
            name: "createdAt",
            type: .date,
            isOptional: false,
            defaultExpression: "now()"
          ),
        ],
        relationships: [
          RelationshipDescription(
            name: "products",
            destinationEntityName: "Product",
            inverseName: "category",
            isToMany: true
          )
        ],
        tableName: "categories",
        key: KeyDescription(.other(.string), columnName: "code", generation: .application),
        checks: [
          CheckDescription(name: "code: is short", expression: "length(code) < 10"),
          CheckDescription(name: "code_is_lower", expression: "code = lower(code)"),
        ],
        objectNames: ["categories_pkey": "pk categories"]
      ),
      EntityDescription(
        name: "Label",
        attributes: [
          AttributeDescription(name: "text", type: .string, isOptional: false),
          AttributeDescription(name: "ticket", type: .integer64, numbering: .serial),
        ],
        relationships: [
          RelationshipDescription(
            name: "products",
            destinationEntityName: "Product",
            inverseName: "labels",
            isToMany: true,
            columnName: "product_id",
            joinTableName: "product_label",
            reference: ReferenceDescription(
              onDelete: .cascade,
              deferrability: .deferred,
              isIndexed: false
            )
          )
        ],
        tableName: "labels",
        key: KeyDescription(.uuid, columnName: "uid", generation: .sql("gen_random_uuid()")),
        objectNames: [
          "product_label_pkey": "pk_product_label",
          "product_label_label_uid_fkey": "fk_label",
        ]
      ),
      EntityDescription(
        name: "Product",
        attributes: [
          AttributeDescription(name: "name", type: .string, isOptional: false),
          AttributeDescription(
            name: "price",
            type: .numeric(precision: 10, scale: 2),
            isOptional: false,
            defaultExpression: "1 + 1"
          ),
          AttributeDescription(
            name: "slug",
            type: .string,
            generationExpression: "lower(\"name\") || 'name'"
          ),
          AttributeDescription(
            name: "position",
            type: .integer32,
            isOptional: false,
            numbering: .identity
          ),
          AttributeDescription(
            name: "number",
            type: .integer16,
            isOptional: false,
            numbering: .identityAlways
          ),
          AttributeDescription(name: "tags", type: .array(.string)),
        ],
        relationships: [
          RelationshipDescription(
            name: "category",
            destinationEntityName: "Category",
            inverseName: "products",
            isOptional: false,
            columnName: "category_code",
            reference: ReferenceDescription(
              onDelete: .restrict,
              onUpdate: .cascade,
              deferrability: .notDeferrable,
              isIndexed: false
            )
          ),
          RelationshipDescription(
            name: "labels",
            destinationEntityName: "Label",
            inverseName: "products",
            isToMany: true,
            columnName: "label_uid"
          ),
        ],
        fetchIndexes: [
          FetchIndexDescription(name: "byTags", elements: [], definition: "USING gin (tags)"),
          FetchIndexDescription(
            name: "bySlug",
            elements: [.init(propertyName: "slug")],
            partialPredicate: "price > 0",
            isUnique: true
          ),
        ],
        tableName: "products",
        key: KeyDescription(.other(.integer32), columnName: "id", generation: .serial),
        checks: [CheckDescription(name: "price_positive", expression: "price >= 0")],
        objectNames: [
          "products_id_seq": "product_numbers", "products_by_tags_idx": "ix_tags",
          "products_category_code_fkey": "fk_category", "products_id_not_null": "id_required",
        ]
      ),
      EntityDescription(
        name: "Ticket",
        key: KeyDescription(.bigint, generation: .identityAlways)
      ),
    ]
  )
}
