package palyra.retention.internal;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of retention. */
@ObjectClassDefinition(
        name = "Retention",
        description = "How long the journal keeps what. 0 keeps it for good.")
@interface RetentionConfiguration {
    /** The PID. */
    String PID = "palyra.retention";

    /** Streamed text. */
    @AttributeDefinition(
            min = "0",
            max = "876000",
            description =
                    "Hours after the end of a run after which the pieces of text that were streamed"
                            + " (model_token, model_thought) are erased from its tape. The whole"
                            + " text stays in the record turn_finished.")
    int tokenHours() default 1;

    /** Messages, answers and commands. */
    @AttributeDefinition(
            min = "0",
            max = "36500",
            description =
                    "Days after which accepted messages, delivered answers and commands that are done"
                            + " are dropped. Their text stays on the tape. A message that is sent"
                            + " again later than this, under the same dedupe key, is a new one.")
    int deliveryDays() default 30;

    /** Approvals and grants. */
    @AttributeDefinition(
            min = "0",
            max = "36500",
            description =
                    "Days after which decided approval requests and ended grants are dropped."
                            + " Questions, votes and decisions stay on the tape.")
    int approvalDays() default 365;

    /** Tapes. */
    @AttributeDefinition(
            min = "0",
            max = "36500",
            description =
                    "Days after the end of a run after which all payloads of its tape are erased, and"
                            + " its messages, answers and approval requests dropped. Hashes and"
                            + " signatures stay, so the tape verifies, with its payloads withheld;"
                            + " what was said cannot be shown or given to a model any more.")
    int tapeDays() default 0;

    /** Denials. */
    @AttributeDefinition(
            min = "0",
            max = "36500",
            description =
                    "Days after which the payloads of recorded denials (access_decision with deny or"
                            + " no_decision, access_denials_counted) are erased from the stream"
                            + " journal. Hashes and signatures stay, so it verifies, with these"
                            + " payloads withheld. Decisions that allowed something stay.")
    int denialDays() default 0;

    /** Pause between sweeps. */
    @AttributeDefinition(
            min = "1",
            max = "1440",
            description = "Minutes between the end of a sweep and the next.")
    int sweepMinutes() default 10;
}
