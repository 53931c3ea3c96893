DROP INDEX "public"."booking_nights_idx";
DROP INDEX "public"."booking_rooms_idx";
DROP INDEX "public"."booking_terms_idx";
DROP INDEX "public"."booking_words_idx";
CREATE INDEX "booking_nights_idx" ON "public"."booking" ("nights");
CREATE INDEX "booking_rooms_idx" ON "public"."booking" USING gist ("rooms");
CREATE INDEX "booking_terms_idx" ON "public"."booking" ("terms");
CREATE INDEX "booking_words_idx" ON "public"."booking" USING gin ("words");
