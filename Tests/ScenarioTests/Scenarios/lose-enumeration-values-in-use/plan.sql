ALTER TABLE "public"."order"
  ALTER COLUMN "state" SET DEFAULT 'sent',
  ALTER COLUMN "priority" SET DEFAULT 'low',
  ALTER COLUMN "country" SET DEFAULT 'DE',
  ALTER COLUMN "code" TYPE text USING "code"::text,
  DROP CONSTRAINT "order_channel_check",
  ALTER COLUMN "channel" TYPE character varying(8) USING "channel"::character varying(8),
  ALTER COLUMN "channel" SET DEFAULT 'web',
  DROP CONSTRAINT "order_priority_check",
  DROP CONSTRAINT "order_state_check",
  ADD CONSTRAINT "order_code_check" CHECK ("code" IN ('a', 'it''s')),
  ADD CONSTRAINT "order_country_check" CHECK ("country" IN ('CH', 'DE')),
  ADD CONSTRAINT "order_priority_check" CHECK ("priority" IN ('low', 'high')),
  ADD CONSTRAINT "order_state_check" CHECK ("state" IN ('open', 'paid', 'sent'));
