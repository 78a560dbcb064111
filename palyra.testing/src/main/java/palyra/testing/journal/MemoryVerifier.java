package palyra.testing.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import palyra.api.Require;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Seal;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.keys.Keys;
import palyra.api.tape.TapeRecord;
import palyra.shared.tape.StreamVerifier;

/** Verifies the tapes of a {@link MemoryJournal}. Thread-safe. */
final class MemoryVerifier implements TapeVerifier {
    private static final VerificationReport NOTHING =
            new VerificationReport(0, 0, 0, 0, true, Optional.empty());

    private final MemoryTables tables; // guarded by itself
    private final Keys keys;

    MemoryVerifier(MemoryTables tables, Keys keys) {
        this.tables = tables;
        this.keys = keys;
    }

    @Override
    public VerificationReport verifyStream(String streamId, BooleanSupplier cancelled) {
        synchronized (tables) {
            List<TapeRecord> tape =
                    tables.require(tables.tapes, "stream", MemoryTables.key(streamId));
            Optional<RunRow> run = Optional.ofNullable(tables.runs.get(streamId));
            Optional<Seal> seal = run.flatMap(RunRow::seal);
            if (cancelled.getAsBoolean()) {
                return new VerificationReport(1, 0, 0, 0, false, Optional.empty());
            }
            return StreamVerifier.verify(
                    MemoryTables.nameOf(streamId),
                    MemoryOperations.genesis(tables, streamId),
                    tape,
                    run.map(row -> row.state().terminal()).orElse(false),
                    seal,
                    keys.published());
        }
    }

    @Override
    public VerificationReport verifyRange(
            String streamId, long fromSeq, long toSeq, BooleanSupplier cancelled) {
        synchronized (tables) {
            List<TapeRecord> tape =
                    tables.require(tables.tapes, "stream", MemoryTables.key(streamId));
            Require.that(
                    fromSeq >= 1 && fromSeq <= toSeq && toSeq <= tape.size(),
                    "range " + fromSeq + " to " + toSeq + ": the stream has " + tape.size());
            StreamVerifier verifier =
                    fromSeq == 1
                            ? StreamVerifier.from(
                                    MemoryTables.nameOf(streamId),
                                    MemoryOperations.genesis(tables, streamId))
                            : StreamVerifier.after(tape.get((int) fromSeq - 2));
            for (TapeRecord record : tape.subList((int) fromSeq - 1, (int) toSeq)) {
                if (cancelled.getAsBoolean()) {
                    return verifier.report(false);
                }
                verifier.accept(record);
            }
            return verifier.report(true);
        }
    }

    @Override
    public VerificationReport verifyAll(
            Extent extent, Progress progress, BooleanSupplier cancelled) {
        synchronized (tables) {
            VerificationReport all = NOTHING;
            for (String streamId : new ArrayList<>(tables.tapes.keySet())) {
                all = sum(all, verifyStream(streamId, cancelled));
                progress.verified(all.records(), 0);
            }
            return all;
        }
    }

    private static VerificationReport sum(VerificationReport one, VerificationReport other) {
        return new VerificationReport(
                one.streams() + other.streams(),
                one.records() + other.records(),
                one.withheld() + other.withheld(),
                one.seals() + other.seals(),
                one.complete() && other.complete(),
                one.fault().or(other::fault),
                one.judgement().plus(other.judgement()));
    }
}
