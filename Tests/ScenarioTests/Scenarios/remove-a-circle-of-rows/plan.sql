ALTER TABLE "public"."line"
  DROP CONSTRAINT "line_next_fkey",
  DROP CONSTRAINT "line_order_fkey",
  ALTER COLUMN "text" DROP NOT NULL,
  ALTER COLUMN "order" DROP NOT NULL;
ALTER TABLE "public"."order"
  DROP CONSTRAINT "order_first_fkey",
  DROP CONSTRAINT "order_shop_fkey",
  ALTER COLUMN "number" DROP NOT NULL,
  ALTER COLUMN "shop" DROP NOT NULL,
  ALTER COLUMN "first" DROP NOT NULL;
