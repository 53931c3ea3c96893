CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s fine');
CREATE TABLE letter (
  id serial PRIMARY KEY,
  state text NOT NULL DEFAULT 'draft' CHECK (state IN ('draft', 'sent', 'it''s lost')),
  kind varchar(8) NOT NULL DEFAULT 'plain' CHECK (kind IN ('plain', 'express')),
  size char(1) CHECK (size IN ('s', 'm')),
  mood mood NOT NULL DEFAULT 'ok',
  moods mood[],
  single text CONSTRAINT only_one CHECK (single IN ('one'))
);
