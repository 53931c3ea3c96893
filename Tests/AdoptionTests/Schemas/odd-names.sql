CREATE TABLE "order" (id serial PRIMARY KEY, "select" text, "group by" integer, "größe" text, "1st" text);
CREATE TABLE "order item" (id serial PRIMARY KEY, order_id integer REFERENCES "order", "order" text, "Order" text);
CREATE TABLE user_account (id serial PRIMARY KEY, a_b text, "aB" text, "a-b" text, _entity text, entity text);
CREATE TABLE "userAccount" (id serial PRIMARY KEY, user_account_id integer REFERENCES user_account, other_id integer REFERENCES user_account);
CREATE TABLE a_table_with_a_name_that_is_as_long_as_postgresql_lets_it_be_63 (
  id serial PRIMARY KEY,
  a_column_with_a_name_that_is_as_long_as_postgresql_lets_it_be_6 integer UNIQUE,
  "quote""d" text
);
