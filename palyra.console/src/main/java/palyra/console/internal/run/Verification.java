package palyra.console.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.access.Principal;
import palyra.api.console.Level;
import palyra.api.core.access.AccessRequest;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner.CommandExecution;
import palyra.api.core.command.CommandRunner.Limits;
import palyra.api.core.journal.VerificationReport;
import palyra.api.run.RunView;
import palyra.console.internal.Seams;

/**
 * Verifies the tape of a run, and what its attestations say. A fault is an answer, not an error.
 * Thread-safe.
 */
public final class Verification {
    private static final long TAPE_MILLIS = 20_000;
    private static final int ANSWERED = 65; // the command found a fault, and says which

    /**
     * What was found.
     *
     * @param tape about the chain and the signed head
     * @param attestations about what was executed
     */
    public record View(RunView run, Verdict tape, Verdict attestations) {
        /** Returns the address of a record. */
        public String record(long seq) {
            return TapePages.address(run.runId(), seq);
        }
    }

    /**
     * A verdict.
     *
     * @param word such as {@code whole}
     * @param faults what is wrong; empty when nothing is
     */
    public record Verdict(Level level, String word, String sentence, List<Fault> faults) {}

    /**
     * Something wrong.
     *
     * @param seq record that it is about; 0 for the tape as a whole
     */
    public record Fault(long seq, String kind, String detail) {}

    private final Seams seams;

    Verification(Seams seams) {
        this.seams = seams;
    }

    View of(Principal reader, RunView run) {
        return new View(run, orReason(() -> tape(reader, run)), orReason(() -> calls(reader, run)));
    }

    private interface Check {
        Verdict verdict();
    }

    /** The one check is worth seeing also when the other one cannot be made. */
    private static Verdict orReason(Check check) {
        try {
            return check.verdict();
        } catch (PalyraException e) {
            return new Verdict(Level.WARNING, "not verified", e.getMessage(), List.of());
        }
    }

    private Verdict tape(Principal reader, RunView run) {
        seams.access()
                .call(
                        access ->
                                access.authorizeRead(
                                        new AccessRequest(
                                                reader,
                                                "tape.verify",
                                                "run:" + run.runId(),
                                                run.principal(),
                                                Map.of())));
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TAPE_MILLIS);
        VerificationReport report =
                seams.verifier()
                        .call(
                                service ->
                                        service.verifyStream(
                                                run.runId(),
                                                () ->
                                                        System.nanoTime() > until
                                                                || !seams.verifier().isPresent()));
        return verdict(report);
    }

    /** Returns what a report says to a reader. */
    static Verdict verdict(VerificationReport report) {
        List<Fault> faults = new ArrayList<>();
        report.fault().ifPresent(f -> faults.add(new Fault(f.seq(), f.kind().name(), f.detail())));
        report.judgement()
                .illegal()
                .forEach(
                        f ->
                                faults.add(
                                        new Fault(
                                                f.seq(), "ILLEGAL", f.type() + ": " + f.detail())));
        if (!faults.isEmpty()) {
            long seq = faults.get(0).seq();
            return new Verdict(
                    Level.BAD,
                    seq == 0 ? "broken" : "broken at record " + seq,
                    report.records() + " records before it agree with their hashes.",
                    faults);
        }
        if (!report.complete()) {
            throw new PalyraException(
                    ErrorCode.TIMED_OUT,
                    "The verification was not finished, because it took too long or the verifier"
                            + " was replaced; load it again, or use palyra tape verify.");
        }
        String head =
                report.seals() > 0
                        ? " The head is signed."
                        : " The run has not ended, so its head is not signed yet.";
        String counted = report.records() + " records agree with their hashes.";
        return report.withheld() == 0
                ? new Verdict(Level.GOOD, "whole", counted + head, List.of())
                : new Verdict(
                        Level.NOTICE,
                        "whole, content withheld",
                        counted + " The content of " + report.withheld() + " was erased." + head,
                        List.of());
    }

    private Verdict calls(Principal reader, RunView run) {
        CommandExecution execution =
                seams.commands()
                        .call(
                                runner ->
                                        runner.start(
                                                reader,
                                                List.of(
                                                        "attestation",
                                                        "verify",
                                                        run.runId(),
                                                        "--json"),
                                                new byte[0],
                                                Limits.USUAL));
        CommandResult result = execution.await();
        if (result.exitCode() != 0 && result.exitCode() != ANSWERED
                || result.output().length == 0) {
            throw new PalyraException(ErrorCode.DENIED, said(result));
        }
        return verdict(TapePages.document(result.output()));
    }

    /** Returns what the command's document says to a reader. */
    static Verdict verdict(JsonNode document) {
        List<Fault> faults = new ArrayList<>();
        document.path("faults")
                .forEach(
                        fault ->
                                faults.add(
                                        new Fault(
                                                fault.path("seq").asLong(),
                                                fault.path("kind").asText(),
                                                fault.path("detail").asText()
                                                        + call(fault.path("call").asText()))));
        String word = document.path("verdict").asText("not verified");
        long calls = document.path("calls").asLong();
        String sentence =
                calls == 0
                        ? "No tool was called."
                        : document.path("attested").asLong()
                                + " of "
                                + calls
                                + " calls are attested; a call that did not run is not.";
        Level level =
                !faults.isEmpty() ? Level.BAD : word.equals("intact") ? Level.GOOD : Level.WARNING;
        return new Verdict(level, word, sentence, faults);
    }

    private static String call(String callId) {
        return callId.isEmpty() ? "" : " (call " + callId + ")";
    }

    /** Returns why a command refused, as its error document or line says. */
    static String said(CommandResult result) {
        String text = result.error().strip();
        String message =
                TapePages.document(text.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .path("error")
                        .path("message")
                        .asText();
        if (!message.isEmpty()) {
            return message;
        }
        return text.isEmpty() ? "The command ended with " + result.exitCode() + "." : text;
    }
}
