-- An empty schema waits for the metadata, whose owner could drop and replace what is in it.
-- setting: empty
-- by hand: none
-- exit: 4

CREATE SCHEMA remodel;
GRANT ALL ON SCHEMA remodel TO PUBLIC;
