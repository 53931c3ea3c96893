-- Relations of the metadata are gone.
-- setting: behind
-- as: owner
-- by hand: none
-- exit: 4

DROP TABLE remodel.late_work CASCADE;
DROP TABLE remodel.job CASCADE;
