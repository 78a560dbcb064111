package palyra.lib.cedar.internal.engine;

import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import palyra.lib.cedar.CedarException;
import palyra.lib.cedar.CedarFile;
import palyra.lib.cedar.Compilation;
import palyra.lib.cedar.CompileRequest;
import palyra.lib.cedar.Converted;
import palyra.lib.cedar.PreparedPolicySet;

/** Throws hostile texts at the engine; its parent looks whether it survives. */
final class FuzzChild {
    private static final int ROOM = 4 << 20;

    private final CedarEngine engine = new CedarEngine(Engines.settings(), 64);
    private final MappedByteBuffer current;
    private final Map<String, Integer> counts = new TreeMap<>();
    private PreparedPolicySet prepared;

    private FuzzChild(MappedByteBuffer current) {
        this.current = current;
    }

    /** Arguments: the file that holds the text under way, the seed, the number of rounds. */
    public static void main(String[] arguments) throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(arguments[0], "rw")) {
            file.setLength(ROOM);
            MappedByteBuffer map = file.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, ROOM);
            FuzzChild child = new FuzzChild(map);
            child.run(Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        }
    }

    private void run(long seed, int rounds) {
        prepared =
                engine.prepare(
                        engine.compile(
                                CompileRequest.of(
                                                List.of(
                                                        CedarFile.of(
                                                                "p",
                                                                "permit(principal, action, resource) when { context.hour > 1 };")))
                                        .withSchema(Engines.schema())));
        HostileTexts texts = new HostileTexts(seed);
        for (int i = 0; i < rounds; i++) {
            policies(texts.policies());
            schema(texts.schema());
            entities(texts.entities());
            request(texts.request());
        }
        System.out.println("survived " + counts);
    }

    private void policies(byte[] text) {
        CedarFile file = CedarFile.of("fuzz", text);
        Compilation alone =
                attempt("compile", text, () -> engine.compile(CompileRequest.of(List.of(file))));
        attempt(
                "validate",
                text,
                () ->
                        engine.compile(
                                CompileRequest.of(List.of(file))
                                        .withSchema(Engines.schema())
                                        .withMaxLevel(2)));
        Converted formatted = attempt("format", text, () -> engine.format(file, 40, 2));
        count(formatted != null && formatted.ok() ? "formatted" : "not formatted");
        if (alone != null && alone.ok()) {
            count("valid policies");
            attempt(
                    "prepare",
                    text,
                    () -> {
                        try (PreparedPolicySet set = engine.prepare(alone)) {
                            return set.decide(
                                    "{\"principal\":{\"type\":\"User\",\"id\":\"a\"},\"action\":{\"type\":\"Action\",\"id\":\"view\"},\"resource\":{\"type\":\"Doc\",\"id\":\"d\"}}");
                        }
                    });
        }
    }

    private void schema(byte[] text) {
        CedarFile file = CedarFile.of("fuzz", text);
        Converted json = attempt("schema to json", text, () -> engine.schemaToJson(file));
        attempt("schema to cedar", text, () -> engine.schemaToCedar(file));
        if (json != null && json.ok()) {
            count("valid schemas");
            attempt(
                    "schema back",
                    text,
                    () -> engine.schemaToCedar(CedarFile.of("fuzz", json.text())));
            attempt(
                    "policy by schema",
                    text,
                    () ->
                            engine.compile(
                                    CompileRequest.of(
                                                    List.of(
                                                            CedarFile.of(
                                                                    "p",
                                                                    "permit(principal, action, resource) when { principal has x.a.b };")))
                                            .withSchema(file)));
        }
    }

    private void entities(byte[] text) {
        attempt(
                "entities",
                text,
                () -> engine.checkEntities(Engines.schema(), CedarFile.of("fuzz", text)));
    }

    private void request(String text) {
        attempt("decide", text.getBytes(StandardCharsets.UTF_8), () -> prepared.decide(text));
    }

    private interface Attempt<T> {
        T run();
    }

    private <T> T attempt(String what, byte[] text, Attempt<T> attempt) {
        byte[] label = (what + "\n").getBytes(StandardCharsets.UTF_8);
        current.position(0);
        current.putInt(label.length + Math.min(text.length, ROOM - 100));
        current.put(label).put(text, 0, Math.min(text.length, ROOM - 100));
        long start = System.nanoTime();
        try {
            T result = attempt.run();
            count(what);
            return result;
        } catch (CedarException e) {
            count(what + " " + e.reason());
            if (e.reason() != CedarException.Reason.REFUSED) {
                System.out.println("unexpected: " + what + ": " + e.getMessage());
                System.exit(3);
            }
            return null;
        } finally {
            long millis = (System.nanoTime() - start) / 1_000_000;
            if (millis > 1_000) {
                System.out.println(
                        "slow: " + what + " " + millis + " ms, " + text.length + " bytes");
            }
        }
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }
}
