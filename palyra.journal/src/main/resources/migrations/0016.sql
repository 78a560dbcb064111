-- min-reader: 16
-- (An earlier one cannot read where the change of a message came from.)
-- The messages of a conversation, both ways, are found from the last one back.

CREATE INDEX inbox_conversation ON inbox (surface, conversation, message_id) WHERE conversation <> '' AND (state = 'ROUTED' OR reason IN ('deleted', 'deleted_after_start'));
CREATE INDEX outbox_sent ON outbox (surface, order_key, outbox_id) WHERE state = 'SENT';
