package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import palyra.policy.internal.cedar.entity.Entities;
import palyra.policy.internal.cedar.entity.Entity;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.cedar.json.Schema;
import palyra.policy.internal.cedar.value.EntityUid;

/** What the runs of Cedar's own tests share. */
public final class OfficialTests {
    private OfficialTests() {}

    /** The folder with the tests; the calling test is skipped if there is none. */
    public static Path folder() {
        String named =
                System.getProperty("palyra.cedar.corpus", System.getenv("PALYRA_CEDAR_CORPUS"));
        if (named == null || !Files.isDirectory(Path.of(named))) {
            abort(
                    "Cedar's own tests are not here ("
                            + named
                            + "): name their folder with"
                            + " -Dpalyra.cedar.corpus=… or PALYRA_CEDAR_CORPUS.");
        }
        return Path.of(named);
    }

    /** Unpacks the generated tests and returns the folder. */
    public static Path unpackCorpus(Path into) throws Exception {
        Process tar =
                new ProcessBuilder(
                                "tar",
                                "-xzf",
                                folder().resolve("corpus-tests.tar.gz").toString(),
                                "-C",
                                into.toString())
                        .inheritIO()
                        .start();
        assertEquals(0, tar.waitFor(), "exit code of tar");
        return into;
    }

    /** Evaluates all requests of one test; what differs from what is expected. */
    static List<String> differences(
            String name,
            JsonNode test,
            PolicySet policies,
            EntitiesReader reader,
            Entities entities) {
        List<String> differences = new ArrayList<>();
        Evaluator evaluator = new Evaluator(policies);
        for (JsonNode request : test.get("requests")) {
            EntityUid action = Replay.uid(request.get("action"));
            Decision decision =
                    evaluator.decide(
                            new Request(
                                    Replay.uid(request.get("principal")),
                                    action,
                                    Replay.uid(request.get("resource")),
                                    reader.context(action, request.get("context")),
                                    entities));
            String expected = expected(request);
            String actual = Replay.words(decision);
            if (!actual.equals(expected)) {
                differences.add(
                        "%s, %s: expected %s, got %s"
                                .formatted(name, request.get("description"), expected, actual));
            }
        }
        return differences;
    }

    /** The entities of a test and the actions of its schema. */
    static Entities entities(List<Entity> listed, Schema schema) {
        List<Entity> all = new ArrayList<>(listed);
        for (Entity action : schema.actionEntities()) {
            if (listed.stream().noneMatch(e -> e.uid().equals(action.uid()))) {
                all.add(action);
            }
        }
        return Entities.of(all);
    }

    private static String expected(JsonNode request) {
        List<String> reasons = new ArrayList<>();
        List<String> errors = new ArrayList<>();
        request.get("reason").forEach(r -> reasons.add(r.asText()));
        request.get("errors").forEach(e -> errors.add(e.asText()));
        reasons.sort(null);
        errors.sort(null);
        return request.get("decision").asText() + " " + reasons + " " + errors;
    }
}
