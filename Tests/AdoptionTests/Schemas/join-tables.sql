CREATE TABLE post (id serial PRIMARY KEY, title text NOT NULL);
CREATE TABLE tag (id serial PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE TABLE post_tag (
  post_id integer NOT NULL REFERENCES post ON DELETE CASCADE,
  tag_id integer NOT NULL REFERENCES tag ON DELETE CASCADE,
  PRIMARY KEY (post_id, tag_id)
);
CREATE INDEX post_tag_by_tag ON post_tag (tag_id);
CREATE TABLE friendship (
  a integer REFERENCES post,
  b integer REFERENCES post,
  PRIMARY KEY (a, b)
);
CREATE TABLE tagged_post (
  tag_id integer REFERENCES tag,
  post_id integer REFERENCES post,
  PRIMARY KEY (tag_id, post_id)
);
