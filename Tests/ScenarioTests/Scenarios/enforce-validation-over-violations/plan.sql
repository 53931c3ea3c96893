ALTER TABLE "public"."book"
  ADD CONSTRAINT "book_pages_check" CHECK ("pages" >= 1 AND "pages" <= 5000),
  ADD CONSTRAINT "book_title_check" CHECK (char_length("title") >= 1 AND char_length("title") <= 20),
  ADD CONSTRAINT "book_novel_code_check" CHECK ("_entity" <> 'Novel' OR "novel_code" ~ '^(?:[A-Z]{2}\d+[^\n\r\u0085\u2028\u2029]?)$');
