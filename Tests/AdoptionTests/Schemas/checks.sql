CREATE TABLE product (
  id serial PRIMARY KEY,
  name varchar(40) NOT NULL CHECK (name <> ''),
  price numeric(8,2) CHECK (price > 0),
  discount numeric(8,2),
  weight real CONSTRAINT has_weight CHECK (weight IS NULL OR weight BETWEEN 0.1 AND 99),
  kind varchar(10) CHECK (kind IN ('food', 'tool') OR kind LIKE 'x%'),
  starts date,
  ends date,
  CONSTRAINT cheaper CHECK (discount < price),
  CONSTRAINT in_order CHECK (starts <= ends),
  CHECK (name !~ '^\s')
);
