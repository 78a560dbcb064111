package palyra.journal.internal;

import java.nio.file.Path;
import java.util.regex.Pattern;
import palyra.api.Require;
import palyra.journal.internal.write.Upkeep;

/**
 * How the store works, checked.
 *
 * @param folder folder of the database and the payload files
 * @param node whose store it is
 */
public record JournalSettings(
        Path folder,
        Node node,
        Writing writing,
        Reading reading,
        Medium medium,
        Payloads payloads,
        Upkeep upkeep,
        Checks checks) {

    /** Checks. */
    public JournalSettings {
        Require.present(folder, "folder of the journal");
        Require.present(node, "node");
        Require.present(writing, "writing");
        Require.present(reading, "reading");
        Require.present(medium, "medium");
        Require.present(payloads, "payloads");
        Require.present(upkeep, "upkeep");
        Require.present(checks, "checks");
    }

    /** Returns the defaults for a store under {@code stateFolder}. */
    public static JournalSettings under(Path stateFolder, String bootId) {
        return new JournalSettings(
                stateFolder.resolve("journal"),
                new Node(Node.DEFAULT, bootId),
                Writing.DEFAULT,
                Reading.DEFAULT,
                Medium.DEFAULT,
                Payloads.DEFAULT,
                Upkeep.DEFAULT,
                Checks.DEFAULT);
    }

    /** Returns these settings for another node. */
    public JournalSettings with(Node other) {
        return new JournalSettings(
                folder, other, writing, reading, medium, payloads, upkeep, checks);
    }

    /** Returns these settings with other ones for writing. */
    public JournalSettings with(Writing other) {
        return new JournalSettings(folder, node, other, reading, medium, payloads, upkeep, checks);
    }

    /** Returns these settings with other ones for reading. */
    public JournalSettings with(Reading other) {
        return new JournalSettings(folder, node, writing, other, medium, payloads, upkeep, checks);
    }

    /** Returns these settings with other ones for the medium. */
    public JournalSettings with(Medium other) {
        return new JournalSettings(folder, node, writing, reading, other, payloads, upkeep, checks);
    }

    /** Returns these settings with other ones for payloads. */
    public JournalSettings with(Payloads other) {
        return new JournalSettings(folder, node, writing, reading, medium, other, upkeep, checks);
    }

    /** Returns these settings with other ones for upkeep. */
    public JournalSettings with(Upkeep other) {
        return new JournalSettings(folder, node, writing, reading, medium, payloads, other, checks);
    }

    /** Returns these settings with other ones for checks. */
    public JournalSettings with(Checks other) {
        return new JournalSettings(folder, node, writing, reading, medium, payloads, upkeep, other);
    }

    /**
     * The node that this gateway is.
     *
     * @param id part of the name of the stream of its events; a store keeps that of its first
     *     opening
     * @param bootId id of this start of the process; empty when it is not known, then every lease
     *     runs its time
     */
    public record Node(String id, String bootId) {
        /** Id when nothing is said. */
        public static final String DEFAULT = "main";

        private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

        /** Checks. */
        public Node {
            Require.that(
                    ID.matcher(Require.orEmpty(id)).matches(),
                    "node of palyra.journal is "
                            + id
                            + ": give 1 to 63 lower-case letters, digits and hyphens that do not"
                            + " begin with a hyphen");
            bootId = Require.orEmpty(bootId);
        }
    }

    /**
     * The writer.
     *
     * @param groupOperations most operations synced together
     * @param groupWaitMicros how long a group waits for company; 0 means not at all
     * @param commandQueue most units that wait in the command lane
     * @param bulkQueue most units that wait in the bulk lane
     * @param queueBytes most payload bytes that wait in both lanes
     */
    public record Writing(
            int groupOperations,
            int groupWaitMicros,
            int commandQueue,
            int bulkQueue,
            long queueBytes) {
        /** What is used when nothing is said. */
        public static final Writing DEFAULT = new Writing(1_000, 0, 8_192, 8_192, 64L << 20);

        /** Checks. */
        public Writing {
            within(groupOperations, 1, 100_000, "group.operations");
            within(groupWaitMicros, 0, 1_000_000, "group.wait.micros");
            within(commandQueue, 1, 1_000_000, "queue.commands");
            within(bulkQueue, 1, 1_000_000, "queue.bulk");
            within(queueBytes, 1 << 16, 1L << 40, "queue.bytes");
        }
    }

    /**
     * The readers.
     *
     * @param threads threads, each with a connection
     * @param queue most reads that wait for one
     */
    public record Reading(int threads, int queue) {
        /** What is used when nothing is said. */
        public static final Reading DEFAULT = new Reading(4, 4_096);

        /** Checks. */
        public Reading {
            within(threads, 1, 64, "read.threads");
            within(queue, 1, 1_000_000, "read.queue");
        }
    }

    /**
     * The disk.
     *
     * @param checkpointBytes write-ahead log after which its pages are moved into the database
     * @param logLimitBytes write-ahead log at which writers wait for that
     * @param minFreeBytes space that is never used up: below it the store is DISK_FULL
     * @param busyMillis how long a foreign lock is waited for
     */
    public record Medium(
            long checkpointBytes, long logLimitBytes, long minFreeBytes, int busyMillis) {
        /** What is used when nothing is said. */
        public static final Medium DEFAULT = new Medium(8L << 20, 64L << 20, 64L << 20, 2_000);

        /** Checks. */
        public Medium {
            within(checkpointBytes, 1 << 16, 1L << 40, "checkpoint.bytes");
            within(logLimitBytes, checkpointBytes, 1L << 40, "log.limit.bytes");
            within(minFreeBytes, 0, 1L << 50, "min.free.bytes");
            within(busyMillis, 1, 60_000, "busy.millis");
        }
    }

    /**
     * Payloads of records.
     *
     * @param fileBytes payloads above this size are files
     * @param limitBytes larger ones are refused
     */
    public record Payloads(int fileBytes, int limitBytes) {
        /** What is used when nothing is said. */
        public static final Payloads DEFAULT = new Payloads(64 << 10, 32 << 20);

        /** Checks. */
        public Payloads {
            within(fileBytes, 1, 1 << 20, "payload.file.bytes");
            within(limitBytes, fileBytes, 256 << 20, "payload.limit.bytes");
        }
    }

    /**
     * What goes on beside.
     *
     * @param tickMillis how often the store looks after itself
     * @param idempotencyMillis open time after which idempotency keys are forgotten
     * @param headCache streams whose ends are kept in memory
     * @param feedQueue hints that a slow listener may be behind
     * @param keysWaitMillis how long the end of a run waits for the key store to come back
     */
    public record Upkeep(
            long tickMillis,
            long idempotencyMillis,
            int headCache,
            int feedQueue,
            long keysWaitMillis) {
        /** What is used when nothing is said. */
        public static final Upkeep DEFAULT =
                new Upkeep(1_000, 7L * 24 * 3_600 * 1_000, 4_096, 1_024, 2_000);

        /** Checks. */
        public Upkeep {
            within(tickMillis, 1, 60_000, "upkeep.millis");
            within(idempotencyMillis, 1, 3_650L * 24 * 3_600 * 1_000, "idempotency.age");
            within(headCache, 1, 1_000_000, "head.cache");
            within(feedQueue, 1, 1_000_000, "feed.queue");
            within(keysWaitMillis, 0, 2_000, "keys.wait.millis");
        }
    }

    /**
     * What is checked in the background.
     *
     * @param scrubBytes most bytes a second that are read to find damage; 0 reads none
     * @param scrubPercent most of the time that its thread works
     * @param scrubRestMillis from the end of a pass over everything to the next
     * @param scrubAfterMillis from opening to the first step
     * @param sealBatch seals that one checkpoint covers at most
     * @param sealWaitMillis after which a checkpoint covers fewer
     */
    public record Checks(
            long scrubBytes,
            int scrubPercent,
            long scrubRestMillis,
            long scrubAfterMillis,
            int sealBatch,
            long sealWaitMillis) {
        /** What is used when nothing is said. */
        public static final Checks DEFAULT =
                new Checks(4L << 20, 5, 7L * 24 * 3_600 * 1_000, 60_000, 256, 60_000);

        /** Checks. */
        public Checks {
            within(scrubBytes, 0, 1L << 40, "scrub.bytes");
            within(scrubPercent, 1, 100, "scrub.percent");
            within(scrubRestMillis, 0, 3_650L * 24 * 3_600 * 1_000, "scrub.rest");
            within(scrubAfterMillis, 0, 3_600_000, "scrub.after");
            within(sealBatch, 1, 10_000, "seal.batch");
            within(sealWaitMillis, 0, 3_600_000, "seal.wait");
        }
    }

    private static void within(long value, long least, long most, String name) {
        Require.that(
                value >= least && value <= most,
                name + " of palyra.journal is " + value + ": give " + least + " to " + most);
    }
}
