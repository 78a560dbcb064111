package palyra.policy.internal.cedar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.lib.cedar.PolicySetLimits;
import palyra.policy.internal.cedar.json.EntitiesReader;
import palyra.policy.internal.cedar.json.Schema;
import palyra.policy.internal.conformance.CorpusFiles;

/** Cedar's own corpus: thousands of generated policies with the answers of the reference. */
final class CorpusTest {
    private static final int SHOWN = 20;

    @TempDir private Path folder;

    @Test
    void decidesAsTheReferenceDoes() throws Exception {
        CorpusFiles files = CorpusFiles.open(OfficialTests.unpackCorpus(folder));
        List<String> differences = new ArrayList<>();
        int[] requests = new int[1];
        Oracle.run(
                () -> {
                    for (String name : tests(files)) {
                        JsonNode test = Oracle.MAPPER.readTree(files.text(name + ".json"));
                        requests[0] += test.get("requests").size();
                        differences.addAll(run(name, test, files));
                    }
                    return null;
                });
        System.out.println("Cedar's corpus: " + requests[0] + " requests.");
        assertEquals(List.of(), differences.stream().limit(SHOWN).toList());
        assertEquals(62_472, requests[0]);
    }

    private static Set<String> tests(CorpusFiles files) {
        Set<String> names = new TreeSet<>();
        for (String file : files.names()) {
            if (file.endsWith(".json") && !file.endsWith(".entities.json")) {
                names.add(file.substring(0, file.length() - ".json".length()));
            }
        }
        return names;
    }

    private static List<String> run(String name, JsonNode test, CorpusFiles files) {
        try {
            String text = files.text(name + ".cedar");
            String est = Oracle.estHere(text);
            Schema schema = Schema.parse(SchemaText.json(files.text(name + ".cedarschema")));
            EntitiesReader reader = EntitiesReader.withoutSchema();
            return OfficialTests.differences(
                    name,
                    test,
                    new PolicySetCompiler(PolicySetLimits.STANDARD).compile(est),
                    reader,
                    OfficialTests.entities(
                            reader.read(files.text(name + ".entities.json")), schema));
        } catch (Exception e) {
            return List.of(name + ": " + e);
        }
    }
}
