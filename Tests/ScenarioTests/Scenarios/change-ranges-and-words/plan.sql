DROP INDEX "public"."booking_words_idx";
ALTER TABLE "public"."booking" RENAME COLUMN "guest" TO "visitor";
ALTER TABLE "public"."booking"
  ALTER COLUMN "delay" SET DEFAULT '1 day 03:00:00',
  DROP COLUMN "words",
  ADD COLUMN "words" tsvector GENERATED ALWAYS AS (to_tsvector('english'::regconfig, (coalesce("visitor", '') || ' ' || coalesce("note", '')))) STORED CONSTRAINT "booking_words_not_null" NOT NULL,
  ADD COLUMN "_entity" text DEFAULT 'Booking' CONSTRAINT "booking__entity_not_null" NOT NULL,
  ALTER COLUMN "_entity" SET DEFAULT NULL,
  ADD COLUMN "price" numrange DEFAULT '[1,2.5)' CONSTRAINT "booking_price_not_null" NOT NULL,
  ADD COLUMN "weekend_booking_weekend" daterange,
  ADD CONSTRAINT "booking__entity_check" CHECK ("_entity" IN ('Booking', 'WeekendBooking')),
  ADD CONSTRAINT "booking_period_excl" EXCLUDE USING gist ("period" WITH &&),
  ADD CONSTRAINT "booking_weekend_booking_weekend_excl" EXCLUDE USING gist ("weekend_booking_weekend" WITH &&) WHERE ("_entity" IN ('WeekendBooking'));
CREATE INDEX "booking_nights_idx" ON "public"."booking" USING gist ("nights");
CREATE INDEX "booking_words_idx" ON "public"."booking" USING gin ("words");
