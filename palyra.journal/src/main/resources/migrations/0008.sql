-- min-reader: 8
-- (An earlier one forgets keys by the wall clock.)
-- How old idempotency keys are is told by open time: see open_millis and wall_millis in meta. It
-- begins where the wall clock stands when this step is taken, so what is stored stays as it is.

ALTER TABLE idempotency RENAME COLUMN created_at TO open_at;
