CREATE TABLE category (
  id serial PRIMARY KEY,
  parent_id integer REFERENCES category ON DELETE CASCADE,
  name text NOT NULL,
  UNIQUE (parent_id, name)
);
CREATE TABLE employee (
  id serial PRIMARY KEY,
  manager integer REFERENCES employee,
  mentor integer UNIQUE REFERENCES employee
);
