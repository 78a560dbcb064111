package palyra.journal.internal;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Configuration of the journal. */
@ObjectClassDefinition(
        id = JournalConfig.PID,
        name = "Palyra journal",
        description = "The one store: tape, sessions, runs, inbox, outbox, approvals.")
@interface JournalConfig {
    /** The configuration's name. */
    String PID = "palyra.journal";

    @AttributeDefinition(
            name = "Node",
            description =
                    "Id of this gateway, of lower-case letters, digits and hyphens. Its events are"
                            + " the stream journal/NODE. A store belongs to the node that opened it"
                            + " first; a change counts from the next start of the bundle.")
    String node() default JournalSettings.Node.DEFAULT;

    @AttributeDefinition(
            name = "Operations in a group",
            description = "Most operations that are synced to the medium together.",
            min = "1",
            max = "100000")
    int group_operations() default 1_000;

    @AttributeDefinition(
            name = "Wait for company (microseconds)",
            description =
                    "How long a group waits for further units before it is synced. 0 syncs at once;"
                            + " what arrives meanwhile forms the next group.",
            min = "0",
            max = "1000000")
    int group_wait_micros() default 0;

    @AttributeDefinition(
            name = "Command queue (units)",
            description = "Units of the command lane that may wait for the writer.",
            min = "1",
            max = "1000000")
    int queue_commands() default 8_192;

    @AttributeDefinition(
            name = "Bulk queue (units)",
            description = "Units of the bulk lane that may wait for the writer.",
            min = "1",
            max = "1000000")
    int queue_bulk() default 8_192;

    @AttributeDefinition(
            name = "Queued payloads (bytes)",
            description = "Payload bytes that may wait for the writer in both lanes together.",
            min = "65536",
            max = "1099511627776")
    long queue_bytes() default 64L << 20;

    @AttributeDefinition(
            name = "Read threads",
            description = "Threads that read, each with a connection.",
            min = "1",
            max = "64")
    int read_threads() default 4;

    @AttributeDefinition(
            name = "Read queue",
            description =
                    "Reads that may wait for a thread. A change counts from the next start of the"
                            + " bundle.",
            min = "1",
            max = "1000000")
    int read_queue() default 4_096;

    @AttributeDefinition(
            name = "Checkpoint after (bytes)",
            description =
                    "Size of the write-ahead log after which its pages are moved into the"
                            + " database.",
            min = "65536",
            max = "1099511627776")
    long checkpoint_bytes() default 8L << 20;

    @AttributeDefinition(
            name = "Write-ahead log limit (bytes)",
            description =
                    "Size of the write-ahead log at which a write waits for a checkpoint, 2 s at most,"
                            + " and is then refused as RESOURCE_EXHAUSTED. Not below"
                            + " checkpoint.bytes.",
            min = "65536",
            max = "1099511627776")
    long log_limit_bytes() default 64L << 20;

    @AttributeDefinition(
            name = "Reserved space (bytes)",
            description =
                    "Space on the medium that is never used up: below it only what makes room is"
                            + " taken. 0 reserves nothing.",
            min = "0",
            max = "1125899906842624")
    long min_free_bytes() default 64L << 20;

    @AttributeDefinition(
            name = "Foreign lock (milliseconds)",
            description =
                    "How long another process's lock on the database is waited for. A change counts"
                            + " from the next start of the bundle.",
            min = "1",
            max = "60000")
    int busy_millis() default 2_000;

    @AttributeDefinition(
            name = "Payload files above (bytes)",
            description = "Payloads above this size are kept as files beside the database.",
            min = "1",
            max = "1048576")
    int payload_file_bytes() default 64 << 10;

    @AttributeDefinition(
            name = "Largest payload (bytes)",
            description = "Larger payloads are refused. Not below payload.file.bytes.",
            min = "1",
            max = "268435456")
    int payload_limit_bytes() default 32 << 20;

    @AttributeDefinition(
            name = "Upkeep every (milliseconds)",
            description = "How often the journal looks after itself and tries again what failed.",
            min = "1",
            max = "60000")
    long upkeep_millis() default 1_000;

    @AttributeDefinition(
            name = "Idempotency keys kept (hours)",
            description =
                    "Time that the journal is open after which idempotency keys are forgotten.",
            min = "1",
            max = "87600")
    int idempotency_hours() default 168;

    @AttributeDefinition(
            name = "Streams in memory",
            description =
                    "Streams whose ends are kept in memory. A change counts from the next start of"
                            + " the bundle.",
            min = "1",
            max = "1000000")
    int head_cache() default 4_096;

    @AttributeDefinition(
            name = "Feed queue (hints)",
            description = "Hints that a slow listener may be behind before the oldest are dropped.",
            min = "1",
            max = "1000000")
    int feed_queue() default 1_024;

    @AttributeDefinition(
            name = "Wait for the key store (milliseconds)",
            description =
                    "How long the end of a run waits for the key store while that is being"
                            + " replaced. A change counts from the next start of the bundle.",
            min = "0",
            max = "2000")
    long keys_wait_millis() default 2_000;

    @AttributeDefinition(
            name = "Scrub (bytes a second)",
            description =
                    "Most bytes a second that are read in the background to find damage in what is"
                            + " stored. 0 reads none.",
            min = "0",
            max = "1099511627776")
    long scrub_bytes() default 4L << 20;

    @AttributeDefinition(
            name = "Scrub (percent of time)",
            description = "Most of the time that the scrub works; it rests for the other part.",
            min = "1",
            max = "100")
    int scrub_percent() default 5;

    @AttributeDefinition(
            name = "Scrub again after (hours)",
            description =
                    "Time from the end of a scrub of everything to the beginning of the next.",
            min = "0",
            max = "87600")
    int scrub_hours() default 168;

    /** Makes checked settings of a configuration. */
    final class Reader {
        private Reader() {}

        static JournalSettings settings(JournalConfig config, Path stateFolder, String bootId) {
            return JournalSettings.under(stateFolder, bootId)
                    .with(new JournalSettings.Node(config.node(), bootId))
                    .with(
                            new JournalSettings.Writing(
                                    config.group_operations(),
                                    config.group_wait_micros(),
                                    config.queue_commands(),
                                    config.queue_bulk(),
                                    config.queue_bytes()))
                    .with(new JournalSettings.Reading(config.read_threads(), config.read_queue()))
                    .with(
                            new JournalSettings.Medium(
                                    config.checkpoint_bytes(),
                                    config.log_limit_bytes(),
                                    config.min_free_bytes(),
                                    config.busy_millis()))
                    .with(
                            new JournalSettings.Payloads(
                                    config.payload_file_bytes(), config.payload_limit_bytes()))
                    .with(
                            new JournalSettings.Upkeep(
                                    config.upkeep_millis(),
                                    TimeUnit.HOURS.toMillis(config.idempotency_hours()),
                                    config.head_cache(),
                                    config.feed_queue(),
                                    config.keys_wait_millis()))
                    .with(
                            new JournalSettings.Checks(
                                    config.scrub_bytes(),
                                    config.scrub_percent(),
                                    TimeUnit.HOURS.toMillis(config.scrub_hours()),
                                    JournalSettings.Checks.DEFAULT.scrubAfterMillis(),
                                    JournalSettings.Checks.DEFAULT.sealBatch(),
                                    JournalSettings.Checks.DEFAULT.sealWaitMillis()));
        }
    }
}
