package palyra.shell.internal.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.CommandContext;
import palyra.api.core.journal.RunRow;
import palyra.api.core.journal.Seal;
import palyra.api.core.keys.PublishedKey;
import palyra.api.run.RunState;
import palyra.api.tape.TapeRecord;
import palyra.shared.files.CallerFiles;
import palyra.shared.tape.StreamVerifier;
import palyra.shared.tape.TapeHash;
import palyra.shell.internal.commands.CallerInput;
import palyra.shell.internal.commands.ExportFile;
import palyra.shell.internal.commands.RunIds;
import palyra.shell.internal.commands.TapeStream;
import palyra.shell.internal.host.Seams;

/** Reads the calls of a run from the journal or from an export, and verifies the tape meanwhile. */
final class EvidenceReader {
    private static final int PAGE = 500;

    private final Seams seams;

    EvidenceReader(Seams seams) {
        this.seams = seams;
    }

    /**
     * Reads what a command names.
     *
     * @param action action that the caller needs for a run of the journal
     * @throws PalyraException NOT_FOUND for a run or call that does not exist or that the caller
     *     may not see
     */
    RunEvidence.Read ofRun(CommandContext context, EvidenceTarget target, String action) {
        EvidenceTarget named = target.in(RunIds.of(target.run(), context, seams));
        TapeStream stream = TapeStream.permitted(seams, context, named.run(), action);
        RunRow run = stream.run().orElseThrow(() -> RunIds.unknown(named.run()));
        List<PublishedKey> keys = seams.keys().call(service -> service.published());
        RunEvidence evidence = new RunEvidence(named.callId());
        byte[] genesis = TapeHash.genesis(run.runId(), run.sessionId(), run.principal());
        StreamVerifier verifier = StreamVerifier.from(run.runId(), genesis);
        boolean whole = records(context, run, verifier, evidence);
        if (whole && run.seal().isPresent()) {
            verifier.expectSeal(run.seal().get(), new StreamVerifier.HeadKeys(keys));
        } else if (whole && run.state().terminal()) {
            verifier.unsealed();
        }
        return known(
                named,
                new RunEvidence.Read(
                        run.runId(),
                        evidence,
                        verifier.report(whole),
                        run.seal().map(Seal::keyId).orElse(""),
                        keys));
    }

    /** Takes the records up to the head that the run had; returns whether all were looked at. */
    private boolean records(
            CommandContext context, RunRow run, StreamVerifier verifier, RunEvidence evidence) {
        while (verifier.seq() < run.headSeq()) {
            if (context.cancelled()) {
                return false;
            }
            long after = verifier.seq();
            int limit = (int) Math.min(PAGE, run.headSeq() - after);
            List<TapeRecord> page =
                    seams.journal().call(journal -> journal.tape(run.runId(), after, limit));
            if (page.isEmpty()) {
                return true; // the head that is expected tells
            }
            for (TapeRecord record : page) {
                if (!verifier.accept(record)) {
                    return true;
                }
                evidence.accept(record);
            }
        }
        return true;
    }

    /** Reads an export that an operator names, or standard input for {@code -}. */
    RunEvidence.Read ofFile(CommandContext context, String file, Optional<EvidenceTarget> wanted)
            throws IOException {
        EvidenceTarget named = wanted.orElse(EvidenceTarget.EVERYTHING);
        RunEvidence evidence = new RunEvidence(named.callId());
        ExportFile.Result result = read(context, file, evidence);
        if (!named.run().isEmpty() && !named.run().equals(result.streamId())) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "The export is of run "
                            + result.streamId()
                            + " and says nothing about "
                            + named.run()
                            + ".");
        }
        RunEvidence.Read read =
                new RunEvidence.Read(
                        result.streamId(),
                        evidence,
                        result.report(),
                        result.sealKeyId(),
                        result.keys());
        RunState told = evidence.state();
        boolean ended = told != null && told.terminal();
        if (result.report().intact() && ended && !told.name().equals(result.state())) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "The export says that the run is "
                            + result.state()
                            + ", and its records say "
                            + told
                            + ".");
        }
        return known(named, read);
    }

    private static ExportFile.Result read(CommandContext context, String file, RunEvidence evidence)
            throws IOException {
        if (file.equals("-")) {
            return new ExportFile(context.in(), evidence).verify();
        }
        try (InputStream in =
                CallerInput.open(CallerFiles.file(context, file, "use --file - and pipe it"))) {
            return new ExportFile(in, evidence).verify();
        }
    }

    private static RunEvidence.Read known(EvidenceTarget named, RunEvidence.Read read) {
        boolean broken = read.report().fault().isPresent();
        if (!named.callId().isEmpty() && read.evidence().calls().isEmpty() && !broken) {
            throw new PalyraException(
                    ErrorCode.NOT_FOUND,
                    "The tape says nothing about call "
                            + named.callId()
                            + "; palyra tape show "
                            + read.runId()
                            + " lists the calls of the run.");
        }
        return read;
    }
}
