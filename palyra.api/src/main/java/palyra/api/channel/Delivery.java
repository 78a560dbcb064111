package palyra.api.channel;

import palyra.api.Require;

/** What became of a message that was sent, or looked for. */
public sealed interface Delivery {
    /**
     * The platform has it.
     *
     * @param messageId the platform's id of it; empty when the platform gives none
     */
    record Delivered(String messageId) implements Delivery {
        /** Checks. */
        public Delivered {
            messageId = Require.atMost(Require.orEmpty(messageId), 256, "id of a message");
        }
    }

    /**
     * The platform surely does not have it; another attempt may succeed.
     *
     * @param millis when, from now; 0 leaves it to the gateway
     * @param conversationOnly whether only this conversation has to wait, rather than the account
     */
    record RetryAfter(long millis, boolean conversationOnly, String reason) implements Delivery {
        /** Checks. */
        public RetryAfter {
            Require.that(millis >= 0, "a delay is at least 0 ms, not " + millis);
            reason = Require.orEmpty(reason);
        }

        /** Returns one that holds for the conversation alone. */
        public static RetryAfter of(long millis, String reason) {
            return new RetryAfter(millis, true, reason);
        }
    }

    /** The platform will never take it. */
    record Refused(String reason) implements Delivery {
        /** Checks. */
        public Refused {
            Require.text(reason, "reason");
        }
    }

    /** The connection broke off, or the platform's answer says nothing: it may have it. */
    record Unknown(String reason) implements Delivery {
        /** Checks. */
        public Unknown {
            Require.text(reason, "reason");
        }
    }
}
