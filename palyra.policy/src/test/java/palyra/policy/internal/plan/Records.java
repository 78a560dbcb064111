package palyra.policy.internal.plan;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import palyra.api.ErrorCode;
import palyra.api.core.journal.Journal;
import palyra.api.core.journal.RunRow;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;
import palyra.api.tape.TapeEvent.Verdict;
import palyra.api.tape.TapeRecord;
import palyra.shared.gate.Gate;
import palyra.shared.tape.TapeCodec;

/** The part of a journal that is read here; hands out pages as the real one does. */
public final class Records {
    private static final byte[] HASH = new byte[32];

    private final Map<String, List<TapeRecord>> streams = new TreeMap<>();
    private final List<RunRow> runs = new ArrayList<>(); // newest first
    private long now = 1_000_000;

    /** The largest page that was asked for. */
    public int largestPage;

    public Records at(long millis) {
        now = millis;
        return this;
    }

    /** A decision about an action in the journal's own stream. */
    public Records action(String decision, String evidence) {
        String payload =
                "{\"action\":\"x\",\"decision\":\""
                        + decision
                        + "\""
                        + (evidence.isEmpty() ? "" : ",\"evidence\":" + evidence)
                        + ",\"facts\":{\"a\":\"b\"},\"policyIds\":[\"p\"]}";
        return add(
                TapeRecord.JOURNAL_STREAM,
                "access_decision",
                payload.getBytes(StandardCharsets.UTF_8));
    }

    /** A decision of policies about a call. */
    public Records call(Verdict verdict, String callId, String evidence) {
        return call(verdict, callId, evidence, "f".repeat(64));
    }

    /**
     * A decision about a call on the tape of its run, which is made when it is new.
     *
     * @param set digest of the set that decided; empty when no policies took part
     */
    public Records call(Verdict verdict, String callId, String evidence, String set) {
        TapeEvent event =
                new TapeEvent.ToolDecision(
                        callId,
                        "palyra.tool",
                        verdict,
                        "policy.test",
                        "Because.",
                        "POLICY",
                        List.of("all"),
                        "0".repeat(64),
                        set,
                        "Because, in detail.",
                        List.of("1 == 2"),
                        "C",
                        "STRICT",
                        "CONFIRMED",
                        evidence,
                        "");
        String run = callId.substring(0, callId.indexOf('.'));
        add(run, TapeCodec.type(event), TapeCodec.schema(event), TapeCodec.payload(event));
        runs.removeIf(row -> row.runId().equals(run));
        runs.add(
                0,
                new RunRow(
                        run,
                        "s",
                        "user:a",
                        "default",
                        "",
                        "",
                        "",
                        RunState.SUCCEEDED,
                        "",
                        1,
                        now,
                        now,
                        streams.get(run).size(),
                        Optional.empty()));
        return this;
    }

    public Records add(String stream, String type, byte[] payload) {
        return add(stream, type, 1, payload);
    }

    private Records add(String stream, String type, int schema, byte[] payload) {
        List<TapeRecord> records = streams.computeIfAbsent(stream, key -> new ArrayList<>());
        records.add(
                new TapeRecord(
                        stream,
                        records.size() + 1,
                        type,
                        now,
                        schema,
                        null,
                        payload,
                        HASH,
                        HASH,
                        HASH));
        return this;
    }

    public Gate<Journal> gate() {
        Gate<Journal> gate = new Gate<>("the journal", ErrorCode.JOURNAL_UNAVAILABLE, 0);
        gate.add(
                (Journal)
                        Proxy.newProxyInstance(
                                Records.class.getClassLoader(),
                                new Class<?>[] {Journal.class},
                                (proxy, method, arguments) -> answer(method.getName(), arguments)),
                Map.of());
        return gate;
    }

    private Object answer(String method, Object[] arguments) {
        return switch (method) {
            case "headSeq" -> (long) streams.getOrDefault(arguments[0], List.of()).size();
            case "tape" ->
                    page(
                            streams.getOrDefault(arguments[0], List.of()),
                            (int) (long) arguments[1],
                            (int) arguments[2]);
            case "runs" -> runs((String) arguments[2], (int) arguments[3]);
            case "run" -> runs.stream().filter(r -> r.runId().equals(arguments[0])).findFirst();
            default -> throw new UnsupportedOperationException(method);
        };
    }

    private List<RunRow> runs(String before, int limit) {
        int from = 0;
        while (!before.isEmpty() && !runs.get(from++).runId().equals(before)) {
            // looks for the place
        }
        return page(runs, from, limit);
    }

    private <T> List<T> page(List<T> all, int from, int limit) {
        if (limit < 1 || limit > 1_000) {
            throw new IllegalArgumentException("a page of " + limit);
        }
        List<T> page = all.subList(Math.min(from, all.size()), Math.min(from + limit, all.size()));
        largestPage = Math.max(largestPage, page.size());
        return page;
    }
}
