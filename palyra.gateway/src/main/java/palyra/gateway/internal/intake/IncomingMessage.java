package palyra.gateway.internal.intake;

import java.util.List;
import java.util.Optional;
import palyra.api.core.journal.IdempotencyKey;
import palyra.api.core.journal.InboxRow;
import palyra.api.core.journal.Operation;
import palyra.api.run.SubmittedMessage;

/**
 * A message on its way: how it enters the inbox and what goes with it.
 *
 * @param records what else is recorded in the same unit
 * @param waiting whether it is in the inbox already
 */
record IncomingMessage(
        InboxRow inbox,
        SubmittedMessage message,
        List<Operation> records,
        Optional<IdempotencyKey> once,
        boolean waiting) {}
