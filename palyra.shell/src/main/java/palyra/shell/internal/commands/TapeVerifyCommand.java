package palyra.shell.internal.commands;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.command.Command;
import palyra.api.command.CommandArguments;
import palyra.api.command.CommandContext;
import palyra.api.command.ExitCodes;
import palyra.api.command.OptionSpec;
import palyra.api.command.PositionalSpec;
import palyra.api.core.journal.TapeVerifier;
import palyra.api.core.journal.VerificationReport;
import palyra.api.core.journal.VerificationReport.Fault;
import palyra.api.core.journal.VerificationReport.Finding;
import palyra.api.core.journal.VerificationReport.Judgement;
import palyra.shared.files.CallerFiles;
import palyra.shell.internal.host.AuthorizesEachResource;
import palyra.shell.internal.host.Fields;
import palyra.shell.internal.host.Seams;

/**
 * {@code tape verify}: whether the stored or exported records are those that were written, and
 * whether that is what a run may be.
 */
@Component(service = Command.class)
public final class TapeVerifyCommand extends ShellCommand implements AuthorizesEachResource {
    private static final String ACTION = "tape.verify";

    /** The verifier may be swapped while it works; then the verification begins again. */
    private static final int ATTEMPTS = 3;

    private final Seams seams;

    @Activate
    public TapeVerifyCommand(@Reference Seams seams) {
        super(
                spec(
                        "tape verify",
                        "Checks hashes, signatures and the order of records; names bad ones.",
                        """
                        Without RUN everything is verified; with --new all signed heads, and the
                        records that no verification without a fault has seen yet. With --file an export is verified by
                        its own keys; compare the key it names with one you know, or give it.
                        Exit code 0: intact and legal; 65: a fault or an illegal record was found.\
                        """,
                        ACTION,
                        List.of(
                                OptionSpec.flag("all", "Verify every run and the journal's events"),
                                OptionSpec.flag(
                                        "new", "Verify what was added since the last verification"),
                                OptionSpec.value("from", "SEQ", "First record of a range of RUN"),
                                OptionSpec.value("to", "SEQ", "Last record of a range of RUN"),
                                OptionSpec.value(
                                        "file", "EXPORT", "Verify an export; - reads input"),
                                new OptionSpec(
                                        "trusted-key",
                                        "KEY",
                                        "With --file: only a head signed by this key counts",
                                        List.of(),
                                        true)),
                        List.of(
                                PositionalSpec.optional(
                                        "RUN", "Id of a run, last, or journal; without it all"))));
        this.seams = seams;
    }

    @Override
    public int run(CommandContext context) throws IOException {
        CommandArguments given = context.arguments();
        boolean run = given.positional(0).isPresent();
        boolean file = given.option("file").isPresent();
        boolean range = given.option("from").isPresent() || given.option("to").isPresent();
        refuseIf(run && given.flag("all"), "either RUN or --all, not both");
        boolean isNew = given.flag("new");
        refuseIf(isNew && (run || given.flag("all")), "--new without RUN and --all");
        refuseIf(
                file && (run || range || isNew || given.flag("all")),
                "--file alone, or without --file");
        refuseIf(range && !run, "--from and --to together with RUN");
        refuseIf(!file && given.option("trusted-key").isPresent(), "--trusted-key with --file");
        if (file) {
            return verifyFile(context, given.option("file").get());
        }
        return run ? verifyRun(context, range) : verifyAll(context);
    }

    private static void refuseIf(boolean wrong, String expected) {
        if (wrong) {
            throw new PalyraException(
                    ErrorCode.INVALID_ARGUMENT, "palyra tape verify takes " + expected + ".");
        }
    }

    private int verifyAll(CommandContext context) {
        TapeStream.ask(seams, context, ACTION, "all", "");
        boolean isNew = context.arguments().flag("new");
        TapeVerifier.Extent extent =
                isNew ? TapeVerifier.Extent.NEW : TapeVerifier.Extent.EVERYTHING;
        VerificationReport report =
                verify(
                        context,
                        (verifier, stop) ->
                                verifier.verifyAll(
                                        extent,
                                        (records, of) ->
                                                context.output().progress(progress(records, of)),
                                        stop));
        Map<String, Object> about = isNew ? Fields.of("earlier", report.earlier()) : Map.of();
        return tell(context, report, about, Optional.empty());
    }

    private static String progress(long records, long of) {
        return "verified " + records + (of > 0 ? " of about " + of : "") + " records";
    }

    private int verifyRun(CommandContext context, boolean range) {
        CommandArguments given = context.arguments();
        int from = given.number("from", 1, 1, Integer.MAX_VALUE);
        int to = given.number("to", Integer.MAX_VALUE, from, Integer.MAX_VALUE);
        TapeStream stream =
                TapeStream.permitted(seams, context, given.positionals().get(0), ACTION);
        String id = stream.streamId();
        long head = seams.journal().call(journal -> journal.headSeq(id));
        refuseIf(range && from > head, "--from up to " + head + ", where this tape ends");
        long last = given.option("to").isPresent() ? to : head;
        Seams.Verification<VerificationReport> work =
                range
                        ? (verifier, stop) -> verifier.verifyRange(id, from, last, stop)
                        : (verifier, stop) -> verifier.verifyStream(id, stop);
        return tell(context, verify(context, work), Fields.of("stream", id), Optional.empty());
    }

    private VerificationReport verify(
            CommandContext context, Seams.Verification<VerificationReport> work) {
        BooleanSupplier stop = () -> context.cancelled() || Thread.currentThread().isInterrupted();
        VerificationReport report = seams.verify(stop, work);
        for (int i = 1; i < ATTEMPTS && !report.complete() && !stop.getAsBoolean(); i++) {
            context.output().note("The journal was replaced meanwhile; beginning again.");
            report = seams.verify(stop, work);
        }
        return report;
    }

    private static int verifyFile(CommandContext context, String name) throws IOException {
        ExportFile.Result result;
        if (name.equals("-")) {
            result = new ExportFile(context.in()).verify();
        } else {
            try (InputStream in =
                    CallerInput.open(CallerFiles.file(context, name, "use --file - and pipe it"))) {
                result = new ExportFile(in).verify();
            }
        }
        Fault distrust = distrust(context, result);
        int code =
                tell(
                        context,
                        result.report(),
                        Fields.of("stream", result.streamId(), "signedBy", result.sealKeyId()),
                        Optional.ofNullable(distrust));
        if (code == ExitCodes.OK && result.sealKeyId().isEmpty()) {
            context.output()
                    .note("There is no signed head: nothing shows whether the end was cut off.");
        }
        return code;
    }

    /** Returns a fault when the caller named keys and none of them vouches for the head. */
    private static Fault distrust(CommandContext context, ExportFile.Result result) {
        List<String> trusted = context.arguments().options().getOrDefault("trusted-key", List.of());
        if (trusted.isEmpty() || trusted.contains(result.sealKeyId())) {
            return null;
        }
        String found =
                result.sealKeyId().isEmpty()
                        ? "there is no signed head, so no trusted key vouches for it"
                        : "the head is signed by "
                                + result.sealKeyId()
                                + ", which is not one of the trusted keys";
        return new Fault(result.streamId(), 0, VerificationReport.Kind.SIGNATURE, found);
    }

    private static int tell(
            CommandContext context,
            VerificationReport report,
            Map<String, Object> about,
            Optional<Fault> distrust) {
        Optional<Fault> fault = report.fault().or(() -> distrust);
        Map<String, Object> fields = Fields.of();
        fields.put("verdict", verdict(report, fault));
        fields.putAll(about);
        fields.put("streams", report.streams());
        fields.put("records", report.records());
        fields.put("withheld", report.withheld());
        fields.put("seals", report.seals());
        Judgement judgement = report.judgement();
        fields.put("unjudged", judgement.unjudged());
        fault.ifPresent(found -> fields.put("fault", fields(found)));
        if (!judgement.legal()) {
            fields.put("illegal", judgement.illegal().stream().map(each -> fields(each)).toList());
        }
        judgement.unknown().ifPresent(found -> fields.put("unknown", fields(found)));
        context.output().fields(fields);
        fault.ifPresent(found -> context.output().note("palyra: " + sentence(found)));
        judgement.illegal().stream()
                .findFirst()
                .ifPresent(first -> context.output().note(sentence(first, "illegal", "ILLEGAL")));
        judgement
                .unknown()
                .ifPresent(
                        first -> context.output().note(sentence(first, "unknown", "not judged")));
        if (fault.isPresent() || !judgement.legal()) {
            return ExitCodes.DATA;
        }
        if (report.complete()) {
            return ExitCodes.OK;
        }
        return context.cancelled() ? ExitCodes.CANCELLED : ExitCodes.UNAVAILABLE;
    }

    private static String verdict(VerificationReport report, Optional<Fault> fault) {
        if (fault.isPresent()) {
            return "broken";
        }
        if (!report.judgement().legal()) {
            return "illegal";
        }
        return report.complete() ? "intact" : "incomplete";
    }

    private static Map<String, Object> fields(Fault fault) {
        return Fields.of(
                "stream", fault.streamId(),
                "seq", fault.seq(),
                "kind", fault.kind().name(),
                "detail", fault.detail());
    }

    private static Map<String, Object> fields(Finding finding) {
        return Fields.of(
                "run", finding.runId(),
                "seq", finding.seq(),
                "type", finding.type(),
                "detail", finding.detail());
    }

    private static String sentence(Finding finding, String what, String kind) {
        return "palyra: The first "
                + what
                + " record is record "
                + finding.seq()
                + " of "
                + finding.runId()
                + ", "
                + finding.type()
                + " ("
                + kind
                + "): "
                + finding.detail();
    }

    private static String sentence(Fault fault) {
        return "The first fault is "
                + (fault.seq() == 0 ? "about" : "record " + fault.seq() + " of")
                + " "
                + fault.streamId()
                + " ("
                + fault.kind()
                + "): "
                + fault.detail();
    }
}
