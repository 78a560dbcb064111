package palyra.shell.internal.fakes;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import palyra.api.core.journal.FeedItem;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.JournalStatus;
import palyra.api.core.journal.LiveFeed;
import palyra.api.core.journal.Operation;
import palyra.api.core.journal.RunLoss;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.KeyPurpose;
import palyra.api.core.keys.KeySignature;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.TapeCodec;
import palyra.shared.tape.TapeHash;
import palyra.testing.journal.MemoryKeys;

/** A journal with one run whose tape is real: hashed and, once ended, sealed. */
@SuppressWarnings({"unused", "EffectivelyPrivate"}) // methods of partial services
public final class FakeTape {
    public static final String RUN = "01J00000000000000000000001";
    public static final String LOST = "01J00000000000000000000009";
    public static final String SESSION = "01J00000000000000000000002";

    public final MemoryKeys keys = new MemoryKeys();
    private final List<TapeRecord> records = new ArrayList<>(); // guarded by this
    private final List<Consumer<FeedItem>> listeners = new CopyOnWriteArrayList<>();
    private final String owner;
    private Seal seal; // guarded by this
    private RunState state = RunState.RUNNING; // guarded by this
    private JournalStatus status =
            new JournalStatus(JournalStatus.State.OPEN, "", 4_096, 1L << 40, 7, 1);

    public FakeTape(String owner) {
        this.owner = owner;
        append(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""));
        append(
                new TapeEvent.Message(
                        TapeEvent.Role.USER, "hello \u001b[31mred", owner, "shell", "m1"));
    }

    public FakeTape append(TapeEvent event) {
        return append(TapeCodec.append(RUN, event));
    }

    public FakeTape append(Operation.Append append) {
        byte[] payload = append.payload();
        byte[] salt = new byte[TapeHash.LENGTH];
        new SecureRandom().nextBytes(salt);
        synchronized (this) {
            byte[] before =
                    records.isEmpty()
                            ? TapeHash.genesis(RUN, SESSION, owner)
                            : records.get(records.size() - 1).hash();
            long seq = records.size() + 1L;
            byte[] commitment = TapeHash.commitment(salt, payload);
            String type = append.type();
            int schema = append.schema();
            byte[] hash = TapeHash.hash(before, RUN, seq, type, 1_000 + seq, schema, commitment);
            records.add(
                    new TapeRecord(
                            RUN,
                            seq,
                            type,
                            1_000 + seq,
                            schema,
                            salt,
                            payload,
                            commitment,
                            before,
                            hash));
        }
        listeners.forEach(each -> each.accept(new FeedItem.Advanced(RUN, headSeq())));
        return this;
    }

    public FakeTape end() {
        append(new TapeEvent.RunStateChanged(RunState.CANCELLED, null, ""));
        synchronized (this) {
            TapeRecord last = records.get(records.size() - 1);
            KeySignature signature =
                    keys.sign(
                            KeyPurpose.TAPE_HEAD,
                            TapeHash.headStatement(RUN, last.seq(), last.hash()));
            seal = new Seal(RUN, last.seq(), last.hash(), signature.keyId(), signature.signature());
            state = RunState.CANCELLED;
        }
        listeners.forEach(each -> each.accept(new FeedItem.Advanced(RUN, headSeq())));
        return this;
    }

    /** Changes a stored payload, as a process with access to the disk could. */
    public synchronized void tamper(int index) {
        TapeRecord old = records.get(index);
        byte[] payload = old.payload().clone();
        payload[payload.length / 2] ^= 1;
        records.set(
                index,
                new TapeRecord(
                        RUN,
                        old.seq(),
                        old.type(),
                        old.timeMillis(),
                        old.schema(),
                        old.salt(),
                        payload,
                        old.commitment(),
                        old.prevHash(),
                        old.hash()));
    }

    public synchronized void status(JournalStatus now) {
        status = now;
    }

    private synchronized long headSeq() {
        return records.size();
    }

    private synchronized RunRow row() {
        return new RunRow(
                RUN,
                SESSION,
                owner,
                "a",
                "interactive",
                "m1",
                "shell",
                state,
                "",
                1,
                1,
                2,
                records.size(),
                Optional.ofNullable(seal));
    }

    public Journal journal() {
        return Partial.of(
                Journal.class,
                new Object() {
                    public Optional<RunRow> run(String id) {
                        return id.equals(RUN) ? Optional.of(row()) : Optional.empty();
                    }

                    public Optional<RunLoss> loss(String id) {
                        return id.equals(LOST)
                                ? Optional.of(
                                        new RunLoss(
                                                id, owner, "m9", "Run " + id + " lost its row."))
                                : Optional.empty();
                    }

                    public long headSeq(String stream) {
                        return stream.equals(RUN) ? FakeTape.this.headSeq() : 0;
                    }

                    public List<TapeRecord> tape(String stream, long after, int limit) {
                        synchronized (FakeTape.this) {
                            return stream.equals(RUN)
                                    ? records.stream()
                                            .filter(each -> each.seq() > after)
                                            .limit(limit)
                                            .toList()
                                    : List.of();
                        }
                    }

                    public JournalStatus status() {
                        synchronized (FakeTape.this) {
                            return status;
                        }
                    }
                });
    }

    public LiveFeed feed() {
        return Partial.of(
                LiveFeed.class,
                new Object() {
                    public LiveFeed.Subscription subscribe(
                            String stream, Consumer<FeedItem> listener) {
                        listeners.add(listener);
                        return () -> listeners.remove(listener);
                    }
                });
    }

    public TapeVerifier verifier() {
        return new TapeVerifier() {
            @Override
            public VerificationReport verifyStream(String stream, BooleanSupplier cancelled) {
                synchronized (FakeTape.this) {
                    return StreamVerifier.verify(
                            RUN,
                            TapeHash.genesis(RUN, SESSION, owner),
                            List.copyOf(records),
                            state.terminal(),
                            Optional.ofNullable(seal),
                            keys.published());
                }
            }

            @Override
            public VerificationReport verifyRange(
                    String stream, long from, long to, BooleanSupplier cancelled) {
                return new VerificationReport(1, to - from + 1, 0, 0, true, Optional.empty());
            }

            @Override
            public VerificationReport verifyAll(
                    Extent extent, Progress progress, BooleanSupplier cancelled) {
                VerificationReport report = verifyStream(RUN, cancelled);
                progress.verified(report.records(), extent == Extent.NEW ? 0 : 7);
                return report;
            }
        };
    }
}
