package palyra.console.internal.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.Require;
import palyra.api.access.Principal;
import palyra.api.core.command.CommandResult;
import palyra.api.core.command.CommandRunner.CommandExecution;
import palyra.api.core.command.CommandRunner.Limits;
import palyra.api.run.RunView;
import palyra.api.tape.TapeRecord;
import palyra.console.internal.Seams;
import palyra.console.internal.web.Exchange;
import palyra.console.internal.web.Router;

/** The tape of a run: its records, whether they can be believed, and its export. */
public final class TapePages {
    private static final int PAGE = 200;
    private static final int SHOWN_BYTES = 256 * 1024;
    private static final int EXPORT_BYTES = 64 << 20;
    private static final long EXPORT_MILLIS = 60_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * A page of records.
     *
     * @param previous address of those before; empty for none
     * @param next address of those after; empty for none
     */
    public record TapeView(RunView run, List<RecordView> records, String previous, String next) {
        /** Returns the address of the verification. */
        public String verification() {
            return "/console/runs/" + run.runId() + "/verification";
        }

        /** Returns the address of the export. */
        public String export() {
            return "/console/runs/" + run.runId() + "/export";
        }
    }

    /**
     * A record.
     *
     * @param payload its content, readable; empty in lists
     * @param kept whether the content is still there
     * @param cut whether the content is longer than what is shown
     */
    public record RecordView(
            String runId,
            long seq,
            String type,
            long timeMillis,
            int schema,
            String hash,
            String previousHash,
            String commitment,
            int bytes,
            boolean kept,
            String payload,
            boolean cut) {
        /** Returns its address. */
        public String address() {
            return "/console/runs/" + runId + "/tape/" + seq;
        }
    }

    private final Seams seams;
    private final RunReading reading;
    private final Verification verification;

    /** Creates the pages. */
    public TapePages(Seams seams) {
        this.seams = seams;
        this.reading = new RunReading(seams);
        this.verification = new Verification(seams);
    }

    /** Adds the routes. */
    public void routes(Router router) {
        router.get("/console/runs/{id}/tape", this::show);
        router.get("/console/runs/{id}/tape/{seq}", this::record);
        router.get("/console/runs/{id}/verification", this::verify);
        router.get("/console/runs/{id}/export", this::export);
    }

    /** Returns the address of a record in its page of the tape. */
    static String address(String runId, long seq) {
        long after = (seq - 1) / PAGE * PAGE;
        return "/console/runs/" + runId + "/tape?after=" + after + "#seq-" + seq;
    }

    private void show(Exchange exchange) throws IOException {
        Principal reader = exchange.principal();
        RunView run = reading.run(reader, exchange.segment("id"));
        long after = number(exchange.parameter("after"), "after");
        List<TapeRecord> page =
                seams.runs().call(front -> front.tape(reader, run.runId(), after, PAGE));
        List<RecordView> records =
                page.stream().map(record -> view(run.runId(), record, false)).toList();
        String tape = "/console/runs/" + run.runId() + "/tape?after=";
        boolean more =
                !page.isEmpty()
                        && !seams.runs()
                                .call(
                                        front ->
                                                front.tape(
                                                        reader,
                                                        run.runId(),
                                                        page.getLast().seq(),
                                                        1))
                                .isEmpty();
        exchange.page(
                "Tape of run " + run.runId(),
                "page/tape.jte",
                new TapeView(
                        run,
                        records,
                        after > 0 ? tape + Math.max(0, after - PAGE) : "",
                        more ? tape + page.getLast().seq() : ""));
    }

    private void record(Exchange exchange) throws IOException {
        Principal reader = exchange.principal();
        RunView run = reading.run(reader, exchange.segment("id"));
        long seq = number(exchange.segment("seq"), "record");
        Require.that(seq > 0, "records count from 1");
        TapeRecord record =
                seams.runs().call(front -> front.tape(reader, run.runId(), seq - 1, 1)).stream()
                        .filter(found -> found.seq() == seq)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new PalyraException(
                                                ErrorCode.NOT_FOUND,
                                                "The tape of run "
                                                        + run.runId()
                                                        + " has no record "
                                                        + seq
                                                        + "; it ends at "
                                                        + run.headSeq()
                                                        + "."));
        exchange.page(
                "Record " + seq + " of run " + run.runId(),
                exchange.partial() ? "run/record.jte" : "page/record.jte",
                view(run.runId(), record, true));
    }

    private static long number(String text, String what) {
        Require.that(
                text.isEmpty() || text.matches("[0-9]{1,15}"),
                what + " is not a number of a record");
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    private static RecordView view(String runId, TapeRecord record, boolean open) {
        byte[] payload = record.payload();
        int bytes = payload == null ? 0 : payload.length;
        return new RecordView(
                runId,
                record.seq(),
                record.type(),
                record.timeMillis(),
                record.schema(),
                HexFormat.of().formatHex(record.hash()),
                HexFormat.of().formatHex(record.prevHash()),
                HexFormat.of().formatHex(record.commitment()),
                bytes,
                payload != null,
                open && payload != null ? readable(payload) : "",
                bytes > SHOWN_BYTES);
    }

    /** JSON is indented; anything else, such as a payload that was tampered with, is as it is. */
    private static String readable(byte[] payload) {
        if (payload.length <= SHOWN_BYTES) {
            try {
                JsonNode tree = JSON.readTree(payload);
                return tree.toPrettyString();
            } catch (IOException e) {
                return new String(payload, StandardCharsets.UTF_8);
            }
        }
        return new String(payload, 0, SHOWN_BYTES, StandardCharsets.UTF_8);
    }

    private void verify(Exchange exchange) throws IOException {
        RunView run = reading.run(exchange.principal(), exchange.segment("id"));
        exchange.page(
                "Verification of run " + run.runId(),
                exchange.partial() ? "run/verification.jte" : "page/verification.jte",
                verification.of(exchange.principal(), run));
    }

    /** The same file as that of the command, which asks for permission and records it. */
    private void export(Exchange exchange) throws IOException {
        Principal reader = exchange.principal();
        RunView run = reading.run(reader, exchange.segment("id"));
        CommandExecution execution =
                seams.commands()
                        .call(
                                runner ->
                                        runner.start(
                                                reader,
                                                List.of("tape", "export", run.runId()),
                                                new byte[0],
                                                new Limits(EXPORT_BYTES, EXPORT_MILLIS)));
        CommandResult result = execution.await();
        if (result.truncated()) {
            throw new PalyraException(
                    ErrorCode.RESOURCE_EXHAUSTED,
                    "The tape is longer than "
                            + (EXPORT_BYTES >> 20)
                            + " MiB; write it to a file with palyra tape export "
                            + run.runId()
                            + " --output FILE.");
        }
        if (result.exitCode() != 0) {
            throw new PalyraException(ErrorCode.DENIED, Verification.said(result));
        }
        exchange.response().setContentType("application/x-ndjson");
        exchange.response().setHeader("Cache-Control", "no-store");
        exchange.response()
                .setHeader(
                        "Content-Disposition",
                        "attachment; filename=\"run-" + run.runId() + ".tape.jsonl\"");
        exchange.response().setContentLength(result.output().length);
        if (!exchange.request().getMethod().equals("HEAD")) {
            exchange.response().getOutputStream().write(result.output());
        }
    }

    /** Returns a document of a command. */
    static JsonNode document(byte[] output) {
        try {
            return JSON.readTree(output);
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        } catch (IOException e) {
            throw new AssertionError("memory does not fail", e);
        }
    }
}
