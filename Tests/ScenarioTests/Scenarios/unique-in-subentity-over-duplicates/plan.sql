CREATE UNIQUE INDEX "item_book_isbn_idx" ON "public"."item" ("book_isbn") WHERE "_entity" IN ('Book');
