package palyra.policy.internal.conformance;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import palyra.lib.cedar.Cedar;

/** A small corpus that is right, to be spoilt; and runs of it. */
final class Corpus {
    static final Cedar CEDAR = ServiceLoader.load(Cedar.class).findFirst().orElseThrow();

    static final String POLICIES =
            """
            permit (principal, action == Action::"read", resource);
            forbid (principal, action, resource) when { context.level > 3 };
            permit (principal == User::"bob", action in Action::"all", resource)
              when { context.level + 9223372036854775807 > 0 };
            """;

    static final String SCHEMA =
            """
            entity User in [User] { boss?: User };
            entity Doc;
            action all;
            action read in all appliesTo {
              principal: User, resource: Doc, context: { level: Long, home?: __cedar::ipaddr }
            };
            action write in all appliesTo {
              principal: User, resource: Doc, context: { level: Long }
            };
            """;

    static final String ENTITIES =
            """
            [{"uid": {"type": "User", "id": "bob"}, "attrs": {"boss": {"type": "User", "id": "al"}},
              "parents": []}]
            """;

    final Map<String, String> files = new TreeMap<>();

    Corpus() {
        files.put("corpus/one.cedar", POLICIES);
        files.put("corpus/one.cedarschema", SCHEMA);
        files.put("corpus/one.entities.json", ENTITIES);
        files.put("corpus/one.json", test("true", request("read", 1, "allow", "policy0", "")));
    }

    /** A test of the small corpus. */
    static String test(String shouldValidate, String... requests) {
        return """
        {"policies": "corpus/one.cedar", "schema": "corpus/one.cedarschema",
         "entities": "corpus/one.entities.json", "shouldValidate": %s, "requests": [%s]}
        """
                .formatted(shouldValidate, String.join(",", requests));
    }

    /** A request of bob's. */
    static String request(String action, int level, String decision, String reason, String error) {
        return """
        {"description": "bob %s", "principal": {"type": "User", "id": "bob"},
         "action": {"type": "Action", "id": "%s"}, "resource": {"type": "Doc", "id": "d"},
         "context": {"level": %d}, "validateRequest": true,
         "decision": "%s", "reason": [%s], "errors": [%s]}
        """
                .formatted(action, action, level, decision, list(reason), list(error));
    }

    private static String list(String words) {
        return words.isEmpty() ? "" : "\"" + words.replace(" ", "\",\"") + "\"";
    }

    Corpus with(String name, String text) {
        files.put(name, text);
        return this;
    }

    Corpus without(String name) {
        files.remove(name);
        return this;
    }

    /** Writes it into a folder. */
    Path into(Path folder) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return folder;
    }

    /** What a run said and returned. */
    record Result(int exit, String out, String err) {}

    static Result run(Cedar cedar, Path folder) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit =
                new Conformance(
                                cedar,
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8))
                        .run(List.of(folder));
        return new Result(
                exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    static Result run(Path folder) {
        return run(CEDAR, folder);
    }
}
