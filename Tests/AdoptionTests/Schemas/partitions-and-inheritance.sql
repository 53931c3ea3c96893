CREATE TABLE event (id bigint NOT NULL, day date NOT NULL, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
CREATE TABLE event_2024 PARTITION OF event FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
CREATE TABLE vehicle (id serial PRIMARY KEY, wheels integer);
CREATE TABLE truck (load integer) INHERITS (vehicle);
CREATE TABLE driver (id serial PRIMARY KEY, vehicle_id integer REFERENCES vehicle);
