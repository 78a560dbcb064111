package palyra.api.core.journal;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import palyra.api.Require;

/**
 * The result of a verification. A {@link Fault} says that stored data was changed after it was
 * written; a {@link Judgement} says whether what was written is what a run may be. One does not
 * imply the other.
 *
 * @param streams streams looked at
 * @param records records whose hash was recomputed and agrees
 * @param withheld records among them whose payload was erased: place and hash verified, content not
 * @param seals signed heads that agree
 * @param complete false when it was cancelled before the end
 * @param fault the first fault, in the order of streams and sequence numbers; empty when there is
 *     none. Records after it in its stream are not looked at
 * @param judgement whether records follow each other as they may, of those whose hash agrees
 * @param earlier ended runs whose records were not looked at because an earlier verification did;
 *     their signed heads were
 */
public record VerificationReport(
        long streams,
        long records,
        long withheld,
        long seals,
        boolean complete,
        Optional<Fault> fault,
        Judgement judgement,
        long earlier) {

    /** The kind of a fault. */
    public enum Kind {
        /** The payload does not agree with its commitment. */
        PAYLOAD,
        /** The record does not agree with its hash. */
        HASH,
        /** The record does not follow its predecessor. */
        LINK,
        /** A sequence number is missing or out of order. */
        SEQUENCE,
        /** Head and signed head differ: records were rewritten or cut off. */
        HEAD,
        /** The signature of the head is wrong or by an unknown key. */
        SIGNATURE,
        /** The run has ended but its head is not signed. */
        UNSEALED,
        /** The record cannot be read. */
        UNREADABLE,
        /**
         * A checkpoint over seals, or the note of what was verified, was changed. It accuses no
         * run: what it spoke for was verified without it.
         */
        CHECKPOINT
    }

    /**
     * The first bad record.
     *
     * @param seq its sequence number; 0 when the fault is about the stream as a whole
     * @param detail one sentence
     */
    public record Fault(String streamId, long seq, Kind kind, String detail) {
        /** Checks. */
        public Fault {
            Require.text(streamId, "stream id");
            Require.present(kind, "kind");
            detail = Require.orEmpty(detail);
        }
    }

    /**
     * A record that could not be taken for the next step of its run.
     *
     * @param seq its sequence number
     * @param type its record type
     * @param detail one sentence: what was found and what was expected
     */
    public record Finding(String runId, long seq, String type, String detail) {
        /** Checks. */
        public Finding {
            Require.text(runId, "run id");
            Require.present(type, "record type");
            detail = Require.orEmpty(detail);
        }
    }

    /**
     * Whether the records of runs follow each other as they may: the rule by which the engine
     * refuses to go on with a run. The journal's own events are in no such order.
     *
     * @param illegal the first illegal record of each run, by run id; of the first {@value #MOST}
     *     runs
     * @param unjudged records that were not judged: those that a reader of this version does not
     *     know, whose payload was erased, or that follow such a record, an illegal one, or one that
     *     was not looked at
     * @param unknown the first record, by run id, that is not known or was erased; empty when there
     *     is no such record. It is not a fault
     */
    public record Judgement(List<Finding> illegal, long unjudged, Optional<Finding> unknown) {
        /** Runs that are named at most. */
        public static final int MOST = 100;

        /** Nothing was judged and nothing is wrong. */
        public static final Judgement NONE = new Judgement(List.of(), 0, Optional.empty());

        /** Checks and copies. */
        public Judgement {
            illegal = List.copyOf(illegal);
            Require.present(unknown, "unknown");
        }

        /** Returns this and the judgement of other runs. */
        public Judgement plus(Judgement more) {
            if (more.illegal.isEmpty() && more.unknown.isEmpty()) {
                return more.unjudged == 0
                        ? this
                        : new Judgement(illegal, unjudged + more.unjudged, unknown);
            }
            Comparator<Finding> byRun = Comparator.comparing(Finding::runId);
            return new Judgement(
                    Stream.concat(illegal.stream(), more.illegal.stream())
                            .sorted(byRun)
                            .limit(MOST)
                            .toList(),
                    unjudged + more.unjudged,
                    Stream.concat(unknown.stream(), more.unknown.stream()).min(byRun));
        }

        /** Returns whether no record is illegal. */
        public boolean legal() {
            return illegal.isEmpty();
        }
    }

    /** Checks. */
    public VerificationReport {
        Require.present(fault, "fault");
        Require.present(judgement, "judgement");
    }

    /** Creates a report of which no part was left to an earlier one. */
    public VerificationReport(
            long streams,
            long records,
            long withheld,
            long seals,
            boolean complete,
            Optional<Fault> fault,
            Judgement judgement) {
        this(streams, records, withheld, seals, complete, fault, judgement, 0);
    }

    /** Creates a report without a judgement. */
    public VerificationReport(
            long streams,
            long records,
            long withheld,
            long seals,
            boolean complete,
            Optional<Fault> fault) {
        this(streams, records, withheld, seals, complete, fault, Judgement.NONE);
    }

    /** Returns this report, with another fault unless it has one. */
    public VerificationReport or(Optional<Fault> other) {
        return new VerificationReport(
                streams,
                records,
                withheld,
                seals,
                complete,
                fault.or(() -> other),
                judgement,
                earlier);
    }

    /**
     * Returns whether everything was looked at and is what was written; whether it is legal too,
     * the judgement says.
     */
    public boolean intact() {
        return complete && fault.isEmpty();
    }
}
