package palyra.sandbox.internal.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import palyra.api.core.access.Confinement.Egress;
import palyra.api.core.access.Confinement.Tier;
import palyra.api.core.tools.CallDescription;
import palyra.api.core.tools.ToolExamination;
import palyra.shared.approval.Binding;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;
import palyra.shared.tool.FactsDigest;

/**
 * What a grant covers, tried out on pairs of calls: the one that a person allowed, and a later one
 * that tries to ride on it. The pairs, each with its reason, are in {@code corpus/grants.ndjson}.
 */
class GrantCorpusTest {
    private static final String RUN = "palyra.process.run";
    private static final List<JsonNode> CASES = new ArrayList<>();

    @TempDir Path temp;

    /** A call as it was examined, in a sandbox. */
    private record Call(String tool, String input, ToolExamination seen, Tier tier, Egress egress) {
        boolean refused() {
            return seen instanceof ToolExamination.Refused;
        }

        ToolExamination.Facts facts() {
            return switch (seen) {
                case ToolExamination.Facts facts -> facts;
                case ToolExamination.Refused refused ->
                        throw new AssertionError("refused: " + refused.reason());
            };
        }

        CallDescription description() {
            return facts().description();
        }

        String binding() {
            return Binding.sha256(
                    tool, input, FactsDigest.of(facts().facts()), tier.name(), egress.name());
        }

        /** The widest way in which a person may allow it. */
        String offers() {
            return !description().onceOnly().isEmpty()
                    ? "ONCE"
                    : description().pattern().isPresent() ? "PATTERN" : "EXACT";
        }
    }

    @BeforeAll
    static void readTheCorpus() throws IOException {
        CASES.clear();
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                GrantCorpusTest.class.getResourceAsStream("/corpus/grants.ndjson"),
                                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                CASES.add(StrictJson.parse(line, "a case"));
            }
        }
    }

    @Test
    void corpusIsAsLargeAsItHasToBe() {
        long covered = CASES.stream().filter(one -> one.path("covered").asBoolean()).count();
        assertTrue(CASES.size() - covered >= 260, "abuses: " + (CASES.size() - covered));
        assertTrue(covered >= 40, "uses: " + covered);
        for (JsonNode one : CASES) {
            assertTrue(one.path("why").asText().length() >= 5, one.toString());
        }
    }

    @Test
    void everyCaseIsCoveredOrNotAsItSays() throws IOException {
        List<String> wrong = new ArrayList<>();
        try (ShapeStage shared = new ShapeStage(folder("shared"))) {
            for (int i = 0; i < CASES.size(); i++) {
                JsonNode one = CASES.get(i);
                String problem =
                        one.has("then") ? onItsOwn("stage" + i, one) : problem(shared, one);
                if (!problem.isEmpty()) {
                    wrong.add("line " + (i + 1) + ": " + problem + " in " + one);
                }
            }
        }
        assertEquals(List.of(), wrong, String.join("\n", wrong));
    }

    /** Cases that change files have a stage of their own. */
    private String onItsOwn(String name, JsonNode one) throws IOException {
        try (ShapeStage stage = new ShapeStage(folder(name))) {
            return problem(stage, one);
        }
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(temp.resolve(name));
    }

    private static String problem(ShapeStage stage, JsonNode one) throws IOException {
        Call granted =
                call(stage, one, "granted", sandbox(one.path("granted_sandbox")), one.path("tool"));
        if (!granted.offers().equals(one.path("offers").asText())) {
            return "offers " + granted.offers() + " (" + granted.description().onceOnly() + ")";
        }
        if (!exactly(granted, call(stage, one, "granted", granted.tier(), granted.egress()))) {
            return "the same call is not covered";
        }
        for (JsonNode step : one.path("then")) {
            stage.change(step);
        }
        JsonNode tool = one.has("later_tool") ? one.get("later_tool") : one.path("tool");
        Call later = call(stage, one, "later", sandbox(one.path("sandbox")), tool);
        if (later.refused() != one.path("refused").asBoolean()) {
            return later.refused() ? "the later call is refused " + later.seen() : "not refused";
        }
        boolean exact = !later.refused() && exactly(granted, later);
        boolean pattern = !later.refused() && byPattern(granted, later);
        boolean covered = one.path("covered").asBoolean();
        if (covered) {
            return exact || pattern ? "" : "is not covered: " + later.description();
        }
        if (pattern || exact != one.path("exact_holds").asBoolean()) {
            return "is covered by " + (pattern ? "the pattern" : "equality") + later.description();
        }
        return "";
    }

    private static Call call(
            ShapeStage stage, JsonNode one, String name, Tier tier, Egress egress) {
        return call(stage, one, name, new Object[] {tier, egress}, one.path("tool"));
    }

    private static Call call(
            ShapeStage stage, JsonNode one, String name, Object[] sandbox, JsonNode toolName) {
        String tool = toolName.asText(RUN);
        JsonNode said = one.get(name);
        JsonNode input = said.isArray() ? command(said) : said.deepCopy();
        JsonNode more =
                one.has(name + "_more")
                        ? one.get(name + "_more")
                        : name.equals("later")
                                ? one.path("granted_more")
                                : one.path(name + "_more");
        more.properties().forEach(each -> ((ObjectNode) input).set(each.getKey(), each.getValue()));
        JsonNode exactly = one.path(name + "_exact");
        String json = Jcs.text(exactly.isMissingNode() ? input : exactly);
        return new Call(
                tool, json, stage.examine(tool, json), (Tier) sandbox[0], (Egress) sandbox[1]);
    }

    private static ObjectNode command(JsonNode words) {
        ObjectNode input = JsonNodeFactory.instance.objectNode();
        input.set("command", words.get(0));
        for (int i = 1; i < words.size(); i++) {
            input.withArray("args").add(words.get(i));
        }
        return input;
    }

    private static Object[] sandbox(JsonNode said) {
        return said.isMissingNode()
                ? new Object[] {Tier.C, Egress.STRICT}
                : new Object[] {
                    Tier.valueOf(said.get(0).asText()), Egress.valueOf(said.get(1).asText())
                };
    }

    private static boolean exactly(Call granted, Call later) {
        return granted.binding().equals(later.binding());
    }

    private static boolean byPattern(Call granted, Call later) {
        return granted.tool().equals(later.tool())
                && granted.description().onceOnly().isEmpty()
                && later.description().onceOnly().isEmpty()
                && later.tier().compareTo(granted.tier()) >= 0
                && later.egress().compareTo(granted.egress()) >= 0
                && granted.description().pattern().isPresent()
                && later.description().pattern().isPresent()
                && granted.description()
                        .pattern()
                        .get()
                        .covers(later.description().pattern().get());
    }
}
