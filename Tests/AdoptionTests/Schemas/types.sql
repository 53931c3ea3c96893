CREATE TABLE every_type (
  id serial PRIMARY KEY,
  a smallint, b integer, c bigint, d numeric, e numeric(12,4), f real, g double precision,
  h text, i varchar, j varchar(20), k char(3), l boolean, m bytea, n uuid, o json, p jsonb,
  q date, r time, s time(3), t timetz, u timestamp, v timestamp(0), w timestamptz, x timestamptz(3),
  y interval, z interval day to second, aa inet, ab cidr, ac macaddr, ad money, ae bit(4),
  af bit varying(8), ag point, ah tsvector, ai xml, aj int4range, ak integer[], al text[][],
  am varchar(5)[], an numeric(4,1)[], ao oid, ap name, aq "char", ar tsquery, as_ int8multirange
);
