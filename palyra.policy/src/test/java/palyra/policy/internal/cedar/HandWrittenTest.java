package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.cedar.json.Schema;

/** Cedar's hand-written tests; their data leaves out what the schema says. */
final class HandWrittenTest {

    @Test
    void decidesAsTheAuthorsSay() throws Exception {
        Path folder = OfficialTests.folder();
        List<String> differences = new ArrayList<>();
        int requests = 0;
        for (Path file : tests(folder)) {
            JsonNode test = Oracle.MAPPER.readTree(Files.readString(file));
            requests += test.get("requests").size();
            differences.addAll(run(folder, file, test));
        }
        assertEquals(List.of(), differences);
        assertEquals(74, requests);
    }

    private static List<Path> tests(Path folder) throws Exception {
        try (Stream<Path> files = Files.walk(folder.resolve("tests"))) {
            return files.filter(f -> f.toString().endsWith(".json")).sorted().toList();
        }
    }

    private static List<String> run(Path folder, Path file, JsonNode test) throws Exception {
        String est = Oracle.est(text(folder, test, "policies"));
        String schemaText = text(folder, test, "schema");
        Schema schema = Schema.parse(Oracle.run(() -> SchemaText.json(schemaText)));
        EntitiesReader reader = EntitiesReader.by(schema);
        return OfficialTests.differences(
                file.toString(),
                test,
                new PolicySetCompiler(PolicySetLimits.STANDARD).compile(est),
                reader,
                OfficialTests.entities(reader.read(text(folder, test, "entities")), schema));
    }

    private static String text(Path folder, JsonNode test, String key) throws Exception {
        return Files.readString(folder.resolve(test.get(key).asText()));
    }
}
