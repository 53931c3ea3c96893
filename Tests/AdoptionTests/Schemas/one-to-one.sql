CREATE TABLE account (id serial PRIMARY KEY, login text NOT NULL);
CREATE TABLE profile (id serial PRIMARY KEY, account_id integer NOT NULL UNIQUE REFERENCES account ON DELETE CASCADE);
CREATE TABLE avatar (id serial PRIMARY KEY, profile_id integer UNIQUE REFERENCES profile);
