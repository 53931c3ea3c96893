CREATE TABLE document (
  id serial PRIMARY KEY,
  title text NOT NULL,
  body text,
  tags text[],
  facts jsonb,
  created timestamptz NOT NULL DEFAULT now(),
  size integer
);
CREATE INDEX ON document (title);
CREATE INDEX newest_first ON document (created DESC, title);
CREATE INDEX ON document USING gin (tags);
CREATE INDEX by_facts ON document USING gin (facts jsonb_path_ops);
CREATE INDEX by_title_length ON document (length(title));
CREATE INDEX large ON document (size) WHERE size > 1000;
CREATE INDEX by_pattern ON document (title text_pattern_ops);
CREATE INDEX covering ON document (size) INCLUDE (title);
CREATE INDEX by_hash ON document USING hash (title);
CREATE INDEX nulls_first ON document (size NULLS FIRST) WITH (fillfactor = 70);
CREATE INDEX brin_created ON document USING brin (created);
