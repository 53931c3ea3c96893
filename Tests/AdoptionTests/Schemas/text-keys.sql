CREATE TABLE country (code char(2) PRIMARY KEY, name text NOT NULL);
CREATE TABLE currency (code text PRIMARY KEY, digits smallint NOT NULL DEFAULT 2);
CREATE TABLE city (
  id integer PRIMARY KEY,
  country_code char(2) NOT NULL REFERENCES country,
  currency text REFERENCES currency (code) ON UPDATE CASCADE
);
