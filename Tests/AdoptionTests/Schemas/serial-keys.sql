CREATE TABLE customer (id serial PRIMARY KEY, name varchar(80) NOT NULL, email varchar(120) UNIQUE);
CREATE TABLE invoice (id bigserial PRIMARY KEY, customer_id integer NOT NULL REFERENCES customer, total numeric(10,2) NOT NULL);
CREATE TABLE code (id smallserial PRIMARY KEY, value text);
