-- An index over the metadata has an expression that the planner evaluates.
-- setting: behind
-- as: owner
-- by hand: EXPLAIN SELECT * FROM remodel.store WHERE model_name = $$x$$
-- exit: 4

CREATE INDEX ON remodel.store ((mallory.canary_of('x')));
