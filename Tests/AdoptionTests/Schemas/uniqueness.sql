CREATE TABLE member (
  id serial PRIMARY KEY,
  email text CONSTRAINT one_email UNIQUE,
  club integer NOT NULL,
  number integer NOT NULL,
  nick text,
  UNIQUE (club, number),
  UNIQUE (number, club) DEFERRABLE,
  UNIQUE NULLS NOT DISTINCT (nick)
);
CREATE UNIQUE INDEX member_email_lower ON member (lower(email));
CREATE UNIQUE INDEX member_club_nick ON member (club, nick);
CREATE UNIQUE INDEX member_active ON member (nick) WHERE number > 0;
